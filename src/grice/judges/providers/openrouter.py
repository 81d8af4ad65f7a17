"""Models of many makers through OpenRouter: the judge `openai/…` with another address and key."""

from __future__ import annotations

from grice.core.settings import with_settings
from grice.judges.api_settings import OpenaiSettings
from grice.judges.providers.openai import Openai


@with_settings(OpenaiSettings)
class Openrouter(Openai):
    """`openrouter/MODEL`: asks through OpenRouter, with all that `openai/…` takes; `grice show
    judges/openai` tells it.
    """

    provider = "openrouter"
