"""Models of many vendors through OpenRouter: `openai/…` with another address and key."""

from __future__ import annotations

from grice.core.settings import with_settings
from grice.judges.api_settings import OpenaiSettings
from grice.judges.providers.openai import Openai


@with_settings(OpenaiSettings)
class Openrouter(Openai):
    """`openrouter/MODEL`: a model through OpenRouter.

    Takes all settings of `openai/…`; see `grice show judges/openai`.
    """

    provider = "openrouter"
