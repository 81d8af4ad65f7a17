"""Surprisal of texts, and of continuations, from a server that echoes its prompt.

The server returns the log-probabilities of the prompt's tokens.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from grice.core.scale import Scale
from grice.core.usage import Usage
from grice.judges.client import CHARACTERS_A_TOKEN, Client, Failure
from grice.judges.direct import BARE, DIRECT, free_scores
from grice.judges.label_scores import LabelScores
from grice.judges.prompts import Prompt
from grice.judges.readout import read
from grice.judges.reply import Reading, Reply
from grice.judges.threads import map_unordered

NO_ECHO = "no logprobs: the server does not echo its prompt; use -M readout=text"


def echoed_surprisal(
    client: Client, texts: Sequence[str], body: Mapping[str, Any], connections: int
) -> list[float | None]:
    """Return the bits of each text after its first token, or None if it was not echoed.

    Each distinct text is sent once.
    """
    bits: dict[str, float | None] = dict.fromkeys(texts)

    def ask(text: str) -> tuple[str, float | None]:
        request = {
            "prompt": text,
            "echo": True,
            "logprobs": 1,
            "max_tokens": 1,
            "temperature": 0,
            **body,
        }
        reply = client.post(request, (len(text) // CHARACTERS_A_TOKEN + 8, 1))
        return text, None if isinstance(reply, Failure) else _echoed_bits(reply, len(text))

    bits.update(map_unordered(ask, list(bits), connections))
    return [bits[text] for text in texts]


def _echoed_bits(reply: Mapping[str, Any], length: int) -> float | None:
    """Return the bits of the tokens that begin within the prompt.

    The first token has no score, and the last is the model's own.
    """
    try:
        logprobs = reply["choices"][0]["logprobs"]
        pairs = zip(logprobs["text_offset"], logprobs["token_logprobs"], strict=True)
        scores = [float(score) for offset, score in pairs if offset < length and score is not None]
    except (KeyError, TypeError, ValueError, IndexError):
        return None
    return -sum(scores) / math.log(2) if scores else None


def echo_request(prompt: Prompt, body: Mapping[str, Any]) -> dict[str, Any]:
    """Return the request for the log-probability of each continuation.

    Continuations follow the premise and each of the premises that say nothing.
    """
    texts = [f"{start} {word}" for start in (prompt.text, *BARE) for word in prompt.words]
    return {"prompt": texts, "echo": True, "logprobs": 1, "max_tokens": 1, "temperature": 0, **body}


def echo_size(prompt: Prompt) -> tuple[int, int]:
    """Return the most tokens in and out that this request can take."""
    texts = echo_request(prompt, {})["prompt"]
    return sum(map(len, texts)) // CHARACTERS_A_TOKEN + 8, len(texts)


def parse_echo(body: Mapping[str, Any], prompted: Reply, prompt: Prompt) -> list[Reply]:
    """Return the response to this request as one reply with the scores of the continuations."""
    used = Usage.read(body.get("usage")) or Usage()
    reply = replace(
        prompted,
        served=str(body.get("model") or ""),
        tokens=(used.into, used.out),
        cached=used.cached,
    )
    starts, texts = (prompt.text, *BARE), echo_request(prompt, {})["prompt"]
    try:
        choices = sorted(body["choices"], key=lambda choice: int(choice.get("index", 0)))
        ends = zip(
            choices, (len(start) for start in starts for _ in prompt.words), texts, strict=True
        )
        rows = [_after(choice["logprobs"], start, len(text)) for choice, start, text in ends]
    except (KeyError, TypeError, ValueError, IndexError, AttributeError):
        return [replace(reply, failure=NO_ECHO)]
    step = len(prompt.words)
    scores = [
        [round(sum(row), 5) for row in rows[at : at + step]] for at in range(0, len(rows), step)
    ]
    sizes = [len(row) for row in rows[:step]], [len(word.encode()) for word in prompt.words]
    return [
        replace(
            reply,
            scores=LabelScores(scores[0], *sizes, free_scores(scores[1:]), direct=True).to_json(),
        )
    ]


def read_any(reply: Reply, readout: str, scale: Scale) -> Reading:
    """Extract the answer from a reply by its readout; `direct` continuations are scored by PMI."""
    if readout != DIRECT or reply.failure:
        return read(reply, "text" if readout == DIRECT else readout, scale)
    if not reply.scores:
        return Reading(fault=NO_ECHO)
    return LabelScores.from_json(reply.scores).read(reply.labels, calibrate="pmi")


def _after(logprobs: Mapping[str, Any], start: int, end: int) -> list[float]:
    """Return the scores of the tokens that begin between two offsets of a text."""
    pairs = zip(logprobs["text_offset"], logprobs["token_logprobs"], strict=True)
    scores = [float(score) for offset, score in pairs if start <= offset < end]
    if not scores:
        raise ValueError
    return scores
