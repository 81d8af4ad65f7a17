"""Replies of a language model as a server sends them, and what was read from them."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

from grice.core.errors import InputError
from grice.core.scale import Answer
from grice.core.usage import Usage

# A log-probability is at most 0, up to rounding.
ROUNDING = 1e-3

Top = tuple[str, tuple[tuple[str, float], ...]]


@dataclass(frozen=True)
class Reply:
    """The response to one prompt before it is read; `failure` if there was none.

    `labels` are in the order of the prompt, which showed them as `words` if these differ. `forced`:
    the prompt itself ended with "Answer:", so that the first token is the answer. `id` and `served`
    are the reply's and the model's names at the server. `cached`, `written` and `reasoned` are the
    numbers of tokens read from a cache, written to it and spent on reasoning; `constrained` names
    the constraint to the labels. `scores` are those of continuations, if they were requested.
    `further`: a choice after the first of one completion. `lettered`: the prompt showed a letter
    for each label.
    """

    labels: tuple[str, ...] = ()
    text: str = ""
    finish: str = ""
    refusal: str = ""
    reasoning: str = ""
    tops: tuple[Top, ...] | None = None
    tokens: tuple[int, int] = (0, 0)
    failure: str = ""
    body: str = ""
    words: tuple[str, ...] = ()
    method: str = ""
    served: str = ""
    forced: bool = False
    cached: int = 0
    written: int = 0
    reasoned: int = 0
    batched: bool = False
    constrained: str = ""
    scores: Mapping[str, Any] = field(default_factory=dict)
    further: bool = False
    lettered: bool = False
    id: str = ""

    def to_json(self) -> dict[str, Any]:
        """Return the fields that are set: a run of 10,000 items stores as many of these."""
        fields = {key: value for key, value in vars(self).items() if value and key != "tokens"}
        return {**fields, **({"tokens": list(self.tokens)} if any(self.tokens) else {})}

    @staticmethod
    def from_json(value: Mapping[str, Any]) -> Reply:
        """Return the reply that `to_json` wrote."""
        known = {field.name for field in fields(Reply)}
        stored = {key: value[key] for key in value if key in known}
        for key in ("labels", "words", "tokens"):
            if key in stored:
                stored[key] = tuple(stored[key])
        if stored.get("tops") is not None:
            stored["tops"] = tuple(
                (t, tuple((o, p) for o, p in others)) for t, others in stored["tops"]
            )
        return Reply(**stored)


@dataclass(frozen=True)
class Reading:
    """One reply as an answer, with probabilities if the model gave them; or a fault.

    `votes` are the shares of the labels among replies that gave one label each: they are no
    probabilities and not stored as such. `mass` is the label mass; `samples` the number of replies
    to one prompt that it combines.
    """

    answer: Answer | None = None
    probs: Mapping[str, float] | None = None
    fault: str | None = None
    votes: Mapping[str, float] | None = None
    mass: float | None = None
    samples: int = 1

    @property
    def shares(self) -> Mapping[str, float]:
        """The weight of each label: its probability, or its share of the votes."""
        return self.probs or self.votes or {}


def parse(body: Mapping[str, Any], prompted: Reply) -> list[Reply]:
    """Return each choice of a completion as a reply.

    Raises KeyError, TypeError or ValueError if it is not a completion. `prompted` holds what the
    prompt showed. Tokens are booked on the first reply, since a server counts them for all
    together.
    """
    used = Usage.read(body.get("usage")) or Usage()
    counted: dict[str, Any] = {
        "tokens": (used.into, used.out),
        "cached": used.cached,
        "written": used.written,
    }
    counted["reasoned"] = used.reasoned
    replies: list[Reply] = []
    for choice in body["choices"]:
        message = choice["message"] if "message" in choice else {"content": choice["text"]}
        reply = replace(
            prompted,
            id=str(body.get("id") or ""),
            served=str(body.get("model") or ""),
            text=_text(message.get("content")),
            finish=str(choice.get("finish_reason") or ""),
            refusal=str(message.get("refusal") or ""),
            reasoning=str(message.get("reasoning_content") or message.get("reasoning") or ""),
            tops=_tops(choice.get("logprobs") or {}),
            **({"further": True} if replies else counted),
        )
        replies.append(reply)
    return replies


def parse_safely(body: Mapping[str, Any], prompted: Reply) -> list[Reply]:
    """Parse a completion as `parse` does, but return a failed reply if it is not one."""
    try:
        return parse(body, prompted)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError):
        return [
            replace(
                prompted,
                failure="broken reply: not a chat completion",
                body=json.dumps(body)[:2000],
            )
        ]


def replies_of(raw: str | None, item: str) -> list[Reply]:
    """Return the replies that a judgement of an API stores in `raw`."""
    try:
        return [Reply.from_json(value) for value in json.loads(raw or "")]
    except (TypeError, ValueError, AttributeError):
        raise InputError(
            f"item '{item}' has no stored API replies; only runs of openai/… can be rescored"
        ) from None


def _text(content: Any) -> str:
    """Return the text of a message's content: a string, or a list of parts."""
    if content is None or isinstance(content, str):
        return content or ""
    return "".join(part.get("text", "") for part in content if part.get("type") in (None, "text"))


def _tops(logprobs: Mapping[str, Any]) -> tuple[Top, ...] | None:
    """Return the likeliest tokens at each position, from chat or plain completions."""
    if logprobs.get("content"):
        return tuple(
            (
                plain_token(at["token"]),
                tuple(_scored(o["token"], o["logprob"]) for o in at.get("top_logprobs") or [at]),
            )
            for at in logprobs["content"]
        )
    if logprobs.get("top_logprobs"):
        places = zip(logprobs["tokens"], logprobs["top_logprobs"], strict=True)
        return tuple(
            (plain_token(t), tuple(_scored(o, p) for o, p in (others or {}).items()))
            for t, others in places
        )
    return None


def _scored(token: Any, logprob: Any) -> tuple[str, float]:
    if not (score := float(logprob)) <= ROUNDING:
        raise ValueError(f"{score} is no log-probability")
    return plain_token(token), score


def plain_token(token: Any) -> str:
    """Return a token as text.

    Some servers send their tokenisers' marks for a blank, a line break or a byte.
    """
    text = str(token).replace("▁", " ").replace("Ġ", " ").replace("Ċ", "\n")
    byte = re.fullmatch(r"<0x([0-7][0-9A-Fa-f])>", text)
    return chr(int(byte[1], 16)) if byte else text
