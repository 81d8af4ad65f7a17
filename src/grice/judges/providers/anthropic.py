"""Claude models through Anthropic's address for OpenAI clients: the judge `openai/…` with another address and key."""

from __future__ import annotations

from grice.core.settings import with_settings
from grice.judges.providers.openai import Openai, OpenaiSettings


@with_settings(OpenaiSettings)
class Anthropic(Openai):
    """`anthropic/MODEL`: asks through Anthropic's address for OpenAI clients, with all that `openai/…` takes; `grice show judges/openai` tells it."""

    provider = "anthropic"
