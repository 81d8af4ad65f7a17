"""Reading a chat model's reply: by log-probabilities, as JSON, or as text; what cannot be read is a fault.

Fault kinds: `refused`, `cut off`, `unreadable`, `no logprobs`, and those of the transport.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from grice.core.errors import InputError, unknown
from grice.core.judgement import best
from grice.core.scale import UNIT, Answer, Scale
from grice.judges.prompts import LETTERS

READOUTS = ("logprobs", "json", "text")
# Below this share of the first token's probability the options were not what the model was about to say.
FLOOR = 0.01
# Some templates open the reasoning themselves, so that a reply has only its end.
THOUGHT = re.compile(r"^.*</(?:think|thinking|reasoning)>", re.DOTALL)
THINKING = re.compile(r"^\s*<(?:think|thinking|reasoning)>")
FENCE = re.compile(r"^```\w*\s*|\s*```$")
REFUSAL = re.compile(
    r"\b(i('m| am) (sorry|unable|not able)|i (can ?not|can't|won't|will not)|as an ai\b|i must decline)", re.I
)
STATED = re.compile(r"\b(?:answer|label|choice|option|probability|rating)\s*(?:is\s*:?|:|=)\s*(.+?)\s*(?:\n|$)", re.I)
NUMBER = re.compile(r"([+-]?(?:\d+(?:\.\d+)?|\.\d+)(?:e-?\d+)?)\s*(%?)", re.I)

Top = tuple[str, tuple[tuple[str, float], ...]]


@dataclass(frozen=True)
class Reply:
    """What came back for one prompt, before it is read; `failure` where nothing did."""

    labels: tuple[str, ...] = ()
    text: str = ""
    finish: str = ""
    refusal: str = ""
    reasoning: str = ""
    tops: tuple[Top, ...] | None = None
    tokens: tuple[int, int] = (0, 0)
    failure: str = ""
    body: str = ""

    def to_json(self) -> dict[str, Any]:
        """Only what is there: a run of 10,000 items keeps as many of these."""
        kept = {key: value for key, value in vars(self).items() if value and key != "tokens"}
        return {**kept, **({"tokens": list(self.tokens)} if any(self.tokens) else {})}

    @staticmethod
    def from_json(value: Mapping[str, Any]) -> Reply:
        """A reply as `to_json` wrote it."""
        tops = value.get("tops")
        return Reply(
            **{k: value[k] for k in ("text", "finish", "refusal", "reasoning", "failure", "body") if k in value},
            labels=tuple(value.get("labels", ())),
            tops=None if tops is None else tuple((t, tuple((o, p) for o, p in others)) for t, others in tops),
            tokens=tuple(value.get("tokens", (0, 0))),
        )


@dataclass(frozen=True)
class Reading:
    """One reply as an answer, with the probabilities of the labels where the model gave them; or a fault.

    `votes` are the shares of the labels among askings that gave a label each: no probabilities, and not kept as such.
    """

    answer: Answer | None = None
    probs: Mapping[str, float] | None = None
    fault: str | None = None
    votes: Mapping[str, float] | None = None

    @property
    def shares(self) -> Mapping[str, float]:
        """The weight of each label: its probability, or its share of the votes."""
        return self.probs or self.votes or {}


def parse(body: Mapping[str, Any], labels: tuple[str, ...]) -> Reply:
    """The parts of a completion that matter; KeyError, TypeError or ValueError where it is none."""
    choice = body["choices"][0]
    message = choice["message"] if "message" in choice else {"content": choice["text"]}
    usage = body.get("usage") or {}
    return Reply(
        labels=labels,
        text=_text(message.get("content")),
        finish=choice.get("finish_reason") or "",
        refusal=message.get("refusal") or "",
        reasoning=message.get("reasoning_content") or message.get("reasoning") or "",
        tops=_tops(choice.get("logprobs") or {}),
        tokens=(int(usage.get("prompt_tokens") or 0), int(usage.get("completion_tokens") or 0)),
    )


def read(reply: Reply, readout: str, scale: Scale) -> Reading:
    """A reply on a scale by one of the readouts; never a guess."""
    if reply.failure:
        return Reading(fault=reply.failure)
    if reply.refusal or reply.finish == "content_filter":
        return Reading(fault=f"refused: {_short(reply.refusal or reply.text or 'content filter')}")
    if readout == "logprobs":
        return _by_logprobs(reply, scale)
    if readout not in READOUTS:
        raise unknown("readout", readout, READOUTS)
    text = THOUGHT.sub("", reply.text).strip()
    if reply.finish == "length" or THINKING.match(text):
        return Reading(fault=f"cut off: {_short(text) or 'no text'}")
    found = _json_answer(text) if readout == "json" else text
    answer = None if found is None else _answer(found, reply.labels, scale)
    if answer is not None:
        return Reading(answer, votes={label: float(label == answer) for label in scale.labels} or None)
    kind = "refused" if REFUSAL.search(text) else "unreadable"
    return Reading(fault=f"{kind}: {_short(text) or 'an empty reply'}")


def combine(readings: Sequence[Reading], scale: Scale) -> Reading:
    """Several askings of one item as one reading: the mean over those that could be read.

    Equal votes for two labels are the fault `split`: choosing one of them would be a guess.
    """
    read_ones = [reading for reading in readings if reading.fault is None]
    if not read_ones:
        return readings[0]
    if len(read_ones) == 1:
        return read_ones[0]
    if scale.numeric:
        return Reading(math.fsum(float(r.answer) for r in read_ones if r.answer is not None) / len(read_ones))
    shares = {label: math.fsum(r.shares[label] for r in read_ones) / len(read_ones) for label in scale.labels}
    highest = [label for label, p in shares.items() if math.isclose(p, max(shares.values()))]
    if len(highest) > 1:
        return Reading(fault=f"split: {' and '.join(highest)} equally often in {len(read_ones)} askings")
    measured = all(r.probs for r in read_ones)
    return Reading(best(shares), shares if measured else None, votes=None if measured else shares)


def replies_of(raw: str | None, item: str) -> list[Reply]:
    """The replies that a judgement of an API keeps in `raw`."""
    try:
        return [Reply.from_json(value) for value in json.loads(raw or "")]
    except (TypeError, ValueError, AttributeError):
        raise InputError(f"item '{item}' keeps no replies of an API; only runs of openai/… can be read again") from None


def _by_logprobs(reply: Reply, scale: Scale) -> Reading:
    if not reply.tops:
        return Reading(fault="no logprobs: the server sent none; use -M readout=text or json")
    first = _first_answer_token(reply.tops)
    if first is None:
        return Reading(fault=f"cut off: no answer after the reasoning; raise -M max_tokens ({_short(reply.text)})")
    mass = dict.fromkeys(scale.labels, 0.0)
    for token, logprob in first:
        label = _label_of_token(token, reply.labels)
        if label is not None:
            mass[label] += math.exp(logprob)
    total = math.fsum(mass.values())
    if total < FLOOR:
        return Reading(fault=f"unreadable: the options hold {total:.2%} of the first token ({_short(reply.text)})")
    probs = {label: share / total for label, share in mass.items()}
    return Reading(best(probs), probs)


def _first_answer_token(tops: Sequence[Top]) -> tuple[tuple[str, float], ...] | None:
    """What could have stood first after any reasoning and blanks; None if the reply ends before."""
    said, start = "", 0
    for place, (token, _) in enumerate(tops, 1):
        said += token
        if THOUGHT.fullmatch(said.rstrip()):
            start = place
    rest = tops[start:]
    if THINKING.match("".join(token for token, _ in rest)):
        return None
    return next((others for token, others in rest if token.strip()), None)


def _label_of_token(token: str, labels: Sequence[str]) -> str | None:
    """The label whose letter a token is, or whose word, and no other's, it begins."""
    bare = token.replace("▁", " ").replace("Ġ", " ").strip(" \n\t([{\"'`*.):]},")
    if len(bare) == 1:
        place = LETTERS.find(bare)
        return labels[place] if 0 <= place < len(labels) else None
    begun = [label for label in labels if bare and label.casefold().startswith(bare.casefold())]
    return begun[0] if len(begun) == 1 else None


def _json_answer(text: str) -> str | None:
    try:
        value = json.loads(FENCE.sub("", text))
        found = value["answer"]
    except (ValueError, TypeError, KeyError):
        return None
    return str(found) if isinstance(found, str | int | float) and not isinstance(found, bool) else None


def _answer(text: str, labels: Sequence[str], scale: Scale) -> Answer | None:
    """The one answer a text gives: all of it, its first line or sentence, or what it states as the answer.

    Two different answers are none.
    """
    lines = [line for line in text.splitlines() if line.strip()] or [""]
    sentence = re.split(r"(?<=[.:;,])\s|\s[-–—]\s", lines[0])[0]
    # A letter is taken with what follows on its line, which may name another label.
    places = [text, lines[0], *([sentence] if len(_bare(sentence)) > 1 or scale.numeric else [])]
    places += STATED.findall(text)
    found = {_number(p, scale) if scale.numeric else _label(p, labels) for p in places} - {None}
    return found.pop() if len(found) == 1 else None


def _label(text: str, labels: Sequence[str]) -> str | None:
    bare = _bare(text)
    by_word = {label.casefold(): label for label in labels}
    if bare.casefold() in by_word:
        return by_word[bare.casefold()]
    lettered = re.fullmatch(r"([A-T])(?:[.):]\s*(.*))?", bare, re.DOTALL)
    if lettered is None or LETTERS.index(lettered[1]) >= len(labels):
        return None
    label = labels[LETTERS.index(lettered[1])]
    rest = _bare(lettered[2] or "").casefold()
    return label if not rest or rest.startswith(label.casefold()) else None


def _number(text: str, scale: Scale) -> float | None:
    match = NUMBER.fullmatch(_bare(text))
    if match is None or (match[2] and scale != UNIT):
        return None
    value = float(match[1]) / (100 if match[2] else 1)
    return value if scale.accepts(value) else None


def _bare(text: str) -> str:
    return text.strip().strip("*_`\"'“”()[]{} ").rstrip(".!:;, ").strip("*_`\"'“”()[]{} ")


def _text(content: Any) -> str:
    """Content is a string, or a list of parts of which some are text."""
    if content is None or isinstance(content, str):
        return content or ""
    return "".join(part.get("text", "") for part in content if part.get("type") in (None, "text"))


def _tops(logprobs: Mapping[str, Any]) -> tuple[Top, ...] | None:
    """The likeliest tokens at each place, in the form of chat completions or of plain ones."""
    if logprobs.get("content"):
        return tuple(
            (str(at["token"]), tuple((str(o["token"]), float(o["logprob"])) for o in at.get("top_logprobs") or [at]))
            for at in logprobs["content"]
        )
    if logprobs.get("top_logprobs"):
        places = zip(logprobs["tokens"], logprobs["top_logprobs"], strict=True)
        return tuple((str(t), tuple((str(o), float(p)) for o, p in (others or {}).items())) for t, others in places)
    return None


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= 80 else flat[:79] + "…"
