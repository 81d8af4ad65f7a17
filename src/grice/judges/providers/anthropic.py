"""Claude models by Anthropic's own messages, whose batches and cached prompts its address for
OpenAI clients lacks.
"""

from __future__ import annotations

from dataclasses import dataclass

from grice.core.settings import setting, with_settings
from grice.judges.api_settings import OpenaiSettings
from grice.judges.dialects import DIALECTS
from grice.judges.providers.openai import Openai


@dataclass(frozen=True)
class AnthropicSettings(OpenaiSettings):
    """As those of `openai/…`, by Anthropic's messages if not told otherwise."""

    endpoint: str = setting("messages", choices=tuple(DIALECTS))


@with_settings(AnthropicSettings)
class Anthropic(Openai):
    """`anthropic/MODEL`: asks by Anthropic's messages (`endpoint=chat`: by its address for OpenAI
    clients), with all that `openai/…` takes; `grice show judges/openai` tells it.
    """

    provider = "anthropic"
    takes = AnthropicSettings
