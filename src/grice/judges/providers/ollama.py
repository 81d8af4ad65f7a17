"""Models of an Ollama server on this machine: `openai/…` with another address and key."""

from __future__ import annotations

from grice.core.settings import with_settings
from grice.judges.api_settings import OpenaiSettings
from grice.judges.providers.openai import Openai


@with_settings(OpenaiSettings)
class Ollama(Openai):
    """`ollama/MODEL`: a model of an Ollama server on this machine.

    Takes all settings of `openai/…`; see `grice show judges/openai`.
    """

    provider = "ollama"
