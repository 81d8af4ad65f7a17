"""Surprisal of whole texts from a server that echoes its prompt with log-probabilities."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from grice.judges.client import CHARACTERS_A_TOKEN, Client, Failure, map_unordered


def echoed_surprisal(
    client: Client, texts: Sequence[str], body: Mapping[str, Any], connections: int
) -> list[float | None]:
    """Bits of each text after its first token, each text asked once; None where the server did not echo it."""
    found: dict[str, float | None] = dict.fromkeys(texts)

    def ask(text: str) -> tuple[str, float | None]:
        asked = {"prompt": text, "echo": True, "logprobs": 1, "max_tokens": 1, "temperature": 0, **body}
        reply = client.post(asked, (len(text) // CHARACTERS_A_TOKEN + 8, 1))
        return text, None if isinstance(reply, Failure) else _echoed_bits(reply, len(text))

    found.update(map_unordered(ask, list(found), connections))
    return [found[text] for text in texts]


def _echoed_bits(reply: Mapping[str, Any], length: int) -> float | None:
    """The bits of the tokens that begin within the prompt; the first has none, and the last is the model's own."""
    try:
        told = reply["choices"][0]["logprobs"]
        pairs = zip(told["text_offset"], told["token_logprobs"], strict=True)
        kept = [float(score) for offset, score in pairs if offset < length and score is not None]
    except (KeyError, TypeError, ValueError, IndexError):
        return None
    return -sum(kept) / math.log(2) if kept else None
