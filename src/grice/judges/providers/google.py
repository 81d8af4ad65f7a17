"""Gemini models through Google's address for OpenAI clients: `openai/…` at another host."""

from __future__ import annotations

from grice.core.settings import with_settings
from grice.judges.api_settings import OpenaiSettings
from grice.judges.providers.openai import Openai


@with_settings(OpenaiSettings)
class Google(Openai):
    """`google/MODEL`: Gemini through Google's address for OpenAI clients.

    Takes all settings of `openai/…`; see `grice show judges/openai`.
    """

    provider = "google"
