"""Gemini models through Google's address for OpenAI clients: the judge `openai/…` with another
address and key.
"""

from __future__ import annotations

from grice.core.settings import with_settings
from grice.judges.api_settings import OpenaiSettings
from grice.judges.providers.openai import Openai


@with_settings(OpenaiSettings)
class Google(Openai):
    """`google/MODEL`: asks through Google's address for OpenAI clients, with all that `openai/…`
    takes; `grice show judges/openai` tells it.
    """

    provider = "google"
