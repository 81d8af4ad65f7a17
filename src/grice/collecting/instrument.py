"""Instruments: the fields asked of a pair, their widgets, and the parsing of replies."""

from __future__ import annotations

import json
import math
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import resources
from typing import Any, TypeGuard

from grice.collecting.campaign import Campaign, Wording
from grice.core.errors import InputError
from grice.core.scale import Answer, Scale
from grice.theory.slider import STEPS, probability, step

SKIPPED = "skipped"
NONSENSE = "does not make sense"
MAX_CHARACTERS = 500
MAX_MS = 10**9
# Ticks of the probability slider; a phone shows only those of the first row.
MARKS = (
    ((0.0, "0%"), (0.01, "1%"), (0.5, "50%"), (0.75, "75%"), (1.0, "100%")),
    ((0.0001, "0.01%"), (0.001, "0.1%"), (0.1, "10%"), (0.9, "90%")),
)


@dataclass(frozen=True)
class AnswerField:
    """Field to answer for a pair. `widget`: slider, range, points, choice or words.

    `words` explain labels or points, `suggestions` are offered for free text, `anchors` are words
    at equal distances below a slider. The field is not asked where the first one has an answer in
    `unless`.
    """

    ask: str
    widget: str
    name: str = "answer"
    scale: Scale | None = None
    words: Mapping[str, str] = field(default_factory=dict)
    suggestions: tuple[str, ...] = ()
    unless: tuple[str, ...] = ()
    anchors: tuple[str, ...] = ()

    @property
    def ends(self) -> tuple[float, float]:
        """Ends of a numeric scale."""
        return ends(self.scale)

    @property
    def points(self) -> list[float]:
        """Values of a scale with steps."""
        assert self.scale and self.scale.step, "a field of points has a scale with steps"
        low, high = self.ends
        count = round((high - low) / self.scale.step) + 1
        return [low + i * self.scale.step for i in range(count)]

    @property
    def ticks(self) -> list[tuple[float, str, bool]]:
        """Ticks of a slider: position in percent, text, and whether it fits on a phone."""
        if self.widget == "slider":
            return [
                (100 * step(p) / STEPS, text, row == 0)
                for row, marks in enumerate(MARKS)
                for p, text in marks
            ]
        low, high = self.ends
        texts = self.anchors or [f"{low + part / 4 * (high - low):g}" for part in range(5)]
        return [(100 * n / (len(texts) - 1), text, True) for n, text in enumerate(texts)]


def ends(scale: Scale | None) -> tuple[float, float]:
    """Return the ends of a numeric scale."""
    assert scale and scale.low is not None and scale.high is not None, "the scale has numbers"
    return scale.low, scale.high


@dataclass(frozen=True)
class Instrument:
    """Fields that a pair is asked with, and the settings of the instrument's paper.

    The first field is the answer of the run. `method` describes it in a methods paragraph; with
    `by_lists` the lists of a design say how often a pair is asked.
    """

    name: str
    fields: tuple[AnswerField, ...]
    redundancy: int
    per_page: int
    method: str
    together: str = "nothing"
    third_when: int = 0
    nonsense: bool = False
    discussion: bool = False
    by_lists: bool = False

    @property
    def scale(self) -> Scale:
        """Scale of the first field."""
        scale = self.fields[0].scale
        assert scale is not None, "the first field of an instrument has a scale"
        return scale


@dataclass(frozen=True)
class PersonReply:
    """Reply of a person to one pair: an answer with its raw step and further fields, or a fault."""

    answer: Answer | None = None
    raw: int | None = None
    fault: str | None = None
    fields: Mapping[str, Answer] = field(default_factory=dict)
    ms: int | None = None


@cache
def _shipped() -> Mapping[str, Mapping[str, Any]]:
    """Return the settings of each instrument, with its fields."""
    text = resources.files("grice.collecting").joinpath("instruments.toml").read_text("utf-8")
    return {
        name: {**settings, "fields": tuple(map(_field, settings.get("fields", ())))}
        for name, settings in tomllib.loads(text).items()
    }


def _field(values: Mapping[str, Any]) -> AnswerField:
    lists = {key: tuple(value) for key, value in values.items() if isinstance(value, list)}
    scale = Scale.from_json(values["scale"]) if "scale" in values else None
    return AnswerField(**{**values, **lists, "scale": scale})


def instrument_of(campaign: Campaign, scale: Scale) -> Instrument:
    """Return the campaign's instrument, with the campaign's own numbers where it gives any.

    `scale` follows the dataset.
    """
    settings, work = dict(_shipped()[campaign.instrument]), campaign.work
    for name in ("redundancy", "per_page", "together", "third_when"):
        own = getattr(work, name)
        settings |= {} if own is None else {name: own}
    first, *others = _fields(campaign, scale)
    first = replace(first, ask=campaign.wording.ask or first.ask)
    has_design = campaign.design is not None
    # Two people can discuss; a larger panel decides by majority.
    discussion = settings.get("discussion", False) and not has_design and work.discussion_turns > 0
    settings["discussion"] = discussion and settings["redundancy"] == 2
    settings["fields"] = (first, *others)
    return Instrument(campaign.instrument, by_lists=has_design, **settings)


def _fields(campaign: Campaign, scale: Scale) -> tuple[AnswerField, ...]:
    """Return the fields of a campaign's instrument, on the dataset's scale where it says so."""
    wording = campaign.wording
    fields: tuple[AnswerField, ...] = _shipped()[campaign.instrument]["fields"]
    match campaign.instrument:
        case "scale":
            return (widget_for(scale),)
        case "labels" if scale.labels:
            return (widget_for(scale),)
        case "pragmatic" if campaign.subtypes:
            own = campaign.subtypes
            return tuple(replace(f, suggestions=own) if f.suggestions else f for f in fields)
        case "rating":
            return (_rating(wording),)
        case "slider":
            between = Scale(low=wording.low, high=wording.high)
            return (AnswerField("How much?", "range", scale=between, anchors=wording.anchors),)
        case "choice":
            return (AnswerField("Which one?", "choice", scale=Scale(labels=wording.options)),)
    return fields


def _rating(wording: Wording) -> AnswerField:
    """Return n points in a row, with words at both ends or at each."""
    at = (1, wording.points) if len(wording.anchors) == 2 else range(1, wording.points + 1)
    words = {str(number): word for number, word in zip(at, wording.anchors, strict=False)}
    scale = Scale(low=1.0, high=float(wording.points), step=1.0)
    return AnswerField("How good is it?", "points", scale=scale, words=words)


def widget_for(scale: Scale) -> AnswerField:
    """Return the widget for a scale: words to choose, points in a row, or a slider."""
    for name in ("probability", "likert", "labels"):
        known: AnswerField = _shipped()[name]["fields"][0]
        if known.scale == scale:
            return known
    if scale.labels:
        return AnswerField("Which of these fits?", "choice", scale=scale)
    if scale.step:
        return AnswerField("Where on the scale?", "points", scale=scale)
    return AnswerField(f"Where between {scale.low:g} and {scale.high:g}?", "range", scale=scale)


def read_reply(instrument: Instrument, reply: Any) -> PersonReply:
    """Parse a pair's reply as the page sends it.

    It is `{"values": {...}}`, `{"skip": true}` or `{"nonsense": true}`.
    """
    if not isinstance(reply, dict):
        raise InputError("a reply is an object; send the page again")
    ms = _milliseconds(reply.get("ms"))
    if reply.get("skip") is True:
        return PersonReply(fault=SKIPPED, ms=ms)
    if reply.get("nonsense") is True and instrument.nonsense:
        return PersonReply(fault=NONSENSE, ms=ms)
    values = reply.get("values")
    if not isinstance(values, dict):
        raise InputError("the reply has no values; answer every pair or skip it")
    first, *others = instrument.fields
    answer, raw = _read(first, values.get(first.name))
    fields = {
        field.name: _read(field, values.get(field.name))[0]
        for field in others
        if answer not in field.unless
    }
    return PersonReply(answer, raw, None, fields, ms)


def _milliseconds(value: Any) -> int | None:
    """Return a reaction time as the browser measured it; a page without a clock sends none."""
    if value is None:
        return None
    if not is_integer(value, below=MAX_MS):
        raise InputError("a reaction time is a number of milliseconds; load the page again")
    return value


def check_draft(instrument: Instrument, draft: Any) -> None:
    """Refuse a draft that does not have the form of a reply; it may be incomplete."""
    if not isinstance(draft, dict) or not set(draft) <= {"values", "skip", "nonsense", "ms"}:
        raise InputError("a draft has the form of a reply; load the page again")
    _milliseconds(draft.get("ms"))
    values = draft.get("values", {})
    names = {field.name for field in instrument.fields}
    if not isinstance(values, dict) or not set(values) <= names:
        raise InputError("a draft names the fields of the page; load the page again")
    for entry in values.values():
        if isinstance(entry, str):
            clean_words(entry, "draft", needed=False)
        elif entry is not None and not isinstance(entry, int | float):
            raise InputError("a draft holds words and numbers; load the page again")


def is_integer(value: Any, *, below: int) -> TypeGuard[int]:
    """Return whether a value from a request is a whole number from 0, and not a Boolean."""
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < below


def _read(field: AnswerField, value: Any) -> tuple[Answer, int | None]:
    scale, shown_value = field.scale, repr(str(value)[:40])
    if field.widget in ("slider", "range"):
        if not is_integer(value, below=STEPS + 1):
            raise InputError(f"the slider has the steps 0 to {STEPS}, not {shown_value}; move it")
        if field.widget == "slider":
            return probability(value), value
        low, high = field.ends
        return low + value / STEPS * (high - low), value
    if field.widget == "points":
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if not is_number or value not in field.points:
            raise InputError(f"'{field.ask}' has no point {shown_value}; choose one of those shown")
        return float(value), None
    if field.widget == "choice":
        if scale is None or not scale.accepts(value):
            raise InputError(
                f"'{field.ask}' has no answer {shown_value}; choose one of those shown"
            )
        return str(value), None
    return clean_words(value, field.ask), None


def clean_words(value: Any, what: str, *, needed: bool = True) -> str:
    """Return free text that any database can hold: no NUL, no lone surrogates, not too long."""
    if not isinstance(value, str) or (needed and not value.strip()):
        raise InputError(f"'{what}' has no words; write some")
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        raise InputError(
            f"'{what}' contains an invalid character (a lone surrogate); enter it again"
        ) from None
    text = "".join(c for c in value if c.isprintable() or c in "\n\t").strip()
    if len(text) > MAX_CHARACTERS:
        raise InputError(f"'{what}' has {len(text)} characters; {MAX_CHARACTERS} are the most")
    return text


def read_json(body: bytes) -> Any:
    """Parse JSON from the network; refuse NaN and excessive depth with a plain message."""

    def refuse(word: str) -> float:
        raise InputError(f"{word} is not a number that can be kept")

    def finite(words: str) -> float:
        return float(words) if math.isfinite(float(words)) else refuse(words[:40])

    try:
        return json.loads(body.decode("utf-8"), parse_constant=refuse, parse_float=finite)
    except (UnicodeDecodeError, ValueError, RecursionError):
        raise InputError("the request is not JSON in UTF-8; load the page again") from None


def distance(scale: Scale, a: Answer, b: Answer) -> float:
    """Return how far two answers are apart: in shares of a numeric scale, 0 or 1 for labels."""
    if scale.numeric and isinstance(a, int | float) and isinstance(b, int | float):
        low, high = ends(scale)
        return math.fabs(a - b) / (high - low)
    return 0.0 if a == b else 1.0
