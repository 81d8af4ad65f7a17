"""Models of many makers through OpenRouter: the judge `openai/…` with another address and key."""

from __future__ import annotations

from typing import Any

from grice.core.settings import with_settings
from grice.judges.hosts import find_host
from grice.judges.providers.openai import Openai, OpenaiSettings


@with_settings(OpenaiSettings)
class Openrouter(Openai):
    """`openrouter/MODEL`: asks through OpenRouter, with all that `openai/…` takes; `grice show judges/openai` tells it."""

    def __init__(self, name: str, **settings: Any) -> None:
        super().__init__(name, host=find_host("openrouter"), **settings)
