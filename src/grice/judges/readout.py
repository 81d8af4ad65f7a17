"""Answer extraction from a chat model's reply: by log-probabilities, as JSON, or as text.

What cannot be read is a fault. Fault kinds: `refused`, `cut off`, `unreadable`, `no logprobs`,
`server error`, and those of the transport.
"""

from __future__ import annotations

import json
import math
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from grice.core.errors import InputError, unknown
from grice.core.fault import Fault, FaultKind
from grice.core.judgement import Judgement, best
from grice.core.scale import Answer, Scale
from grice.core.usage import Usage
from grice.judges.reply_reader import read_reply
from grice.judges.reply_text import LETTERS, ReplyAnswer, strip_reasoning
from grice.judges.unit import Rule
from grice.models.scores import short

READOUTS = ("logprobs", "json", "text")
# With a smaller label mass the model was going to write something else.
FLOOR = 0.01
# A log-probability is at most 0, up to rounding.
ROUNDING = 1e-3
# Largest sum of probabilities that rounding explains.
WHOLE = 1.05

PLAIN = (
    "id",
    "method",
    "served",
    "forced",
    "text",
    "finish",
    "refusal",
    "reasoning",
    "failure",
    "body",
    "cached",
    "written",
    "reasoned",
    "batched",
    "constrained",
    "scores",
    "further",
    "lettered",
)
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
        tops = value.get("tops")
        return Reply(
            **{k: value[k] for k in PLAIN if k in value},
            labels=tuple(value.get("labels", ())),
            words=tuple(value.get("words", ())),
            tops=(
                None
                if tops is None
                else tuple((t, tuple((o, p) for o, p in others)) for t, others in tops)
            ),
            tokens=tuple(value.get("tokens", (0, 0))),
        )


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


def parse(body: Mapping[str, Any], asked: Reply) -> list[Reply]:
    """Return each choice of a completion as a reply.

    Raises KeyError, TypeError or ValueError if it is not a completion. `asked` holds what the
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
            asked,
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


def read(reply: Reply, readout: str, scale: Scale) -> Reading:
    """Read a reply on a scale by one of the readouts, without guessing."""
    if reply.failure:
        return Reading(fault=reply.failure)
    if reply.finish == "error":
        return Reading(
            fault=f"server error: the reply ended with an error ({_short(reply.text) or 'no text'})"
        )
    if reply.refusal or reply.finish == "content_filter":
        return Reading(fault=f"refused: {_short(reply.refusal or reply.text or 'content filter')}")
    if readout == "logprobs":
        return _by_logprobs(reply, scale)
    if readout not in READOUTS:
        raise unknown("readout", readout, READOUTS)
    # Labels are assumed to be in NFC, so the reply is normalised to it.
    text = strip_reasoning(unicodedata.normalize("NFC", reply.text))
    if text is None or reply.finish == "length":
        return Reading(fault=f"cut off: {_short(text or '') or 'no text; raise -M max_tokens'}")
    found = read_reply(text, reply.words or reply.labels, scale, letters=reply.lettered)
    if not isinstance(found, ReplyAnswer):
        return Reading(fault=str(found))
    answer = found.answer if scale.numeric else _label_of_word(str(found.answer), reply)
    return Reading(answer, votes={label: float(label == answer) for label in scale.labels} or None)


def combine(readings: Sequence[Reading], scale: Scale) -> Reading:
    """Combine several readings of one item: the mean over those without a fault.

    Equal votes for two labels are the fault `split`: choosing one of them would be a guess.
    """
    read_ones = [reading for reading in readings if reading.fault is None]
    if not read_ones:
        return readings[0]
    if len(read_ones) == 1:
        return read_ones[0]
    if scale.numeric:
        return Reading(
            math.fsum(float(r.answer) for r in read_ones if r.answer is not None) / len(read_ones)
        )
    shares = {
        label: math.fsum(r.shares[label] for r in read_ones) / len(read_ones)
        for label in scale.labels
    }
    highest = [label for label, p in shares.items() if math.isclose(p, max(shares.values()))]
    if len(highest) > 1:
        return Reading(
            fault=f"split: {' and '.join(highest)} equally often in {len(read_ones)} askings"
        )
    measured = all(r.probs for r in read_ones)
    masses = [r.mass for r in read_ones if r.mass is not None]
    mass = math.fsum(masses) / len(masses) if masses else None
    return Reading(
        best(shares), shares if measured else None, votes=None if measured else shares, mass=mass
    )


def combine_samples(readings: Sequence[Reading], scale: Scale) -> Reading:
    """Combine several samples of one prompt into one reading.

    The shares of their labels are its probabilities.
    """
    combined = combine(readings, scale)
    if len(readings) == 1 or not combined.votes:
        return combined
    read_ones = sum(reading.fault is None for reading in readings)
    shares = {label: short(share) for label, share in combined.votes.items()}
    return Reading(combined.answer, shares, mass=combined.mass, samples=read_ones)


def cell_of(method: str, reading: Reading) -> dict[str, Any]:
    """Return one method's answer to an item in the form that a judgement stores."""
    values = {
        "answer": reading.answer,
        "fault": reading.fault,
        "probs": reading.probs,
        "mass": reading.mass,
    }
    drawn = {"samples": reading.samples} if reading.samples > 1 else {}
    return {
        "method": method,
        **{key: value for key, value in values.items() if value is not None},
        **drawn,
    }


def judgement(
    item: str,
    replies: Sequence[Reply],
    readings: Sequence[Reading],
    scale: Scale,
    derive: Rule | None,
    methods: Sequence[str] = (),
) -> Judgement:
    """Return the judgement of one item, with its replies stored in `raw`."""
    combined = combine(readings, scale)
    raw = json.dumps([r.to_json() for r in replies], ensure_ascii=False, separators=(",", ":"))
    shared: dict[str, Any] = {"raw": raw, "mass": combined.mass}
    if any(methods):
        shared["cells"] = tuple(
            cell_of(name, reading) for name, reading in zip(methods, readings, strict=True)
        )
    if combined.fault is not None:
        return Judgement(item, fault=combined.fault, **shared)
    if derive is not None and combined.shares:
        return Judgement(item, derive(combined.shares), **shared)
    return Judgement(item, combined.answer, probs=combined.probs, **shared)


def parse_safely(found: Mapping[str, Any], asked: Reply) -> list[Reply]:
    """Parse a completion as `parse` does, but return a failed reply if it is not one."""
    try:
        return parse(found, asked)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError):
        return [
            replace(
                asked, failure="broken reply: not a chat completion", body=json.dumps(found)[:2000]
            )
        ]


def replies_of(raw: str | None, item: str) -> list[Reply]:
    """Return the replies that a judgement of an API stores in `raw`."""
    try:
        return [Reply.from_json(value) for value in json.loads(raw or "")]
    except (TypeError, ValueError, AttributeError):
        raise InputError(
            f"item '{item}' keeps no replies of an API; only runs of openai/… can be read again"
        ) from None


def _label_of_word(word: str, reply: Reply) -> str:
    return reply.labels[(reply.words or reply.labels).index(word)]


def _by_logprobs(reply: Reply, scale: Scale) -> Reading:
    if not reply.tops:
        return Reading(fault="no logprobs: the server sent none; use -M readout=text or json")
    text = "".join(token for token, _ in reply.tops)
    rest = strip_reasoning(text)
    if rest is None or not rest:
        return Reading(
            fault=(
                "cut off: no answer after the reasoning; raise -M max_tokens"
                f" ({_short(reply.text)})"
            )
        )
    before = text.rindex(rest)
    words = reply.words or reply.labels
    match = read_reply(rest, words, scale, letters=True)
    begins = isinstance(match, ReplyAnswer) and match.start <= 2
    # A truncated reply might have revised its answer, unless it began with it.
    if reply.finish == "length" and not begins:
        match = Fault(FaultKind.CUT_OFF, _short(rest))
    at = match.start if isinstance(match, ReplyAnswer) and not reply.forced else 0
    mass = _mass(_token_at(reply.tops, before + at), words)
    total = math.fsum(mass)
    if isinstance(match, Fault) and not _may_follow(rest, reply, words):
        return Reading(fault=f"{match} (the options hold {total:.2%} there)")
    if total < FLOOR:
        fact = f"the options hold {total:.2%} where the answer would stand"
        return Reading(fault=f"unreadable: {fact} ({_short(rest)})", mass=round(total, 6))
    if total > WHOLE:
        fact = (
            f"the options hold {total:.2%} where the answer stands, so these are no probabilities"
        )
        return Reading(fault=f"broken reply: {fact}")
    probs = {label: mass[reply.labels.index(label)] / total for label in scale.labels}
    return Reading(best(probs), probs, mass=round(min(total, 1.0), 6))


def _may_follow(text: str, reply: Reply, words: Sequence[str]) -> bool:
    """Return whether the first token may be read although the text states no answer.

    It may after a prompt that ended with "Answer:", unless the text begins with an option and goes
    on with something else; and where the text is a label that was cut off.
    """
    first = re.match(r"\W*(\w+)(.*)", text, re.S)
    if first is None:
        return False
    lettered = len(first[1]) == 1 and 0 <= LETTERS.find(first[1]) < len(words)
    if reply.forced:
        return not lettered and not any(label.casefold() == first[1].casefold() for label in words)
    begun = [w for w in words if w.casefold().startswith(text.strip(" *_`\"'\n").casefold())]
    return len(begun) == 1


def _token_at(tops: Sequence[Top], place: int) -> tuple[tuple[str, float], ...]:
    """Return the likeliest tokens at a text offset.

    A token of blanks alone is skipped for the next.
    """
    end = 0
    for token, others in tops:
        end += len(token)
        if end > place and token.strip():
            return others
    return tops[-1][1]


def _mass(others: Sequence[tuple[str, float]], words: Sequence[str]) -> list[float]:
    """Return the probability of each option among the likeliest tokens at a position.

    Some servers list the sampled token twice.
    """
    mass = [0.0] * len(words)
    for token, logprob in dict.fromkeys(others):
        word = _label_of_token(token, words)
        if word is not None:
            mass[words.index(word)] += math.exp(logprob)
    return mass


def _label_of_token(token: str, labels: Sequence[str]) -> str | None:
    """Return the word that a token stands for, or None.

    It is the word of that letter, the word itself (a point of a scale), or the only word that the
    token begins.
    """
    stripped = _plain(token).strip(" \n\t([{\"'`*.):]},")
    if len(stripped) == 1 and 0 <= LETTERS.find(stripped) < len(labels):
        return labels[LETTERS.find(stripped)]
    if stripped in labels:
        return stripped
    if len(stripped) == 1:
        return None
    begun = [
        label for label in labels if stripped and label.casefold().startswith(stripped.casefold())
    ]
    return begun[0] if len(begun) == 1 else None


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
                _plain(at["token"]),
                tuple(_scored(o["token"], o["logprob"]) for o in at.get("top_logprobs") or [at]),
            )
            for at in logprobs["content"]
        )
    if logprobs.get("top_logprobs"):
        places = zip(logprobs["tokens"], logprobs["top_logprobs"], strict=True)
        return tuple(
            (_plain(t), tuple(_scored(o, p) for o, p in (others or {}).items()))
            for t, others in places
        )
    return None


def _scored(token: Any, logprob: Any) -> tuple[str, float]:
    if not (score := float(logprob)) <= ROUNDING:
        raise ValueError(f"{score} is no log-probability")
    return _plain(token), score


def _plain(token: Any) -> str:
    """Return a token as text.

    Some servers send their tokenisers' marks for a blank, a line break or a byte.
    """
    text = str(token).replace("▁", " ").replace("Ġ", " ").replace("Ċ", "\n")
    byte = re.fullmatch(r"<0x([0-7][0-9A-Fa-f])>", text)
    return chr(int(byte[1], 16)) if byte else text


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= 80 else flat[:79] + "…"
