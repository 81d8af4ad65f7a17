"""Claude models by Anthropic's own messages.

Anthropic's address for OpenAI clients has no batches and no cached prompts.
"""

from __future__ import annotations

from dataclasses import dataclass

from grice.core.settings import setting, with_settings
from grice.judges.api_settings import OpenaiSettings
from grice.judges.dialects import DIALECTS
from grice.judges.providers.openai import Openai


@dataclass(frozen=True)
class AnthropicSettings(OpenaiSettings):
    """Settings of `openai/…`, with Anthropic's messages as the default endpoint."""

    endpoint: str = setting("messages", choices=tuple(DIALECTS))


@with_settings(AnthropicSettings)
class Anthropic(Openai):
    """`anthropic/MODEL`: Claude by Anthropic's messages.

    With `endpoint=chat` it uses Anthropic's address for OpenAI clients. Takes all settings of
    `openai/…`; see `grice show judges/openai`.
    """

    provider = "anthropic"
    takes = AnthropicSettings
