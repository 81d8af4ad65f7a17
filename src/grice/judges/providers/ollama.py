"""Models that Ollama serves through an Ollama server on this machine: the judge `openai/…` with
another address and key.
"""

from __future__ import annotations

from grice.core.settings import with_settings
from grice.judges.api_settings import OpenaiSettings
from grice.judges.providers.openai import Openai


@with_settings(OpenaiSettings)
class Ollama(Openai):
    """`ollama/MODEL`: asks through an Ollama server on this machine, with all that `openai/…`
    takes; `grice show judges/openai` tells it.
    """

    provider = "ollama"
