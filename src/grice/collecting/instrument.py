"""Instruments: the fields asked of a pair, their widgets, and the parsing of replies."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeGuard

from grice.collecting.campaign import Campaign, Wording
from grice.core.errors import InputError
from grice.core.scale import LIKERT5, NLI, UNIT, Answer, Scale
from grice.theory.slider import STEPS, probability, step

SKIPPED = "skipped"
NONSENSE = "does not make sense"
MOST_WORDS = 500
MOST_MS = 10**9
# IMPPRES §4, question 1: the relation, in which direction, negated or not.
RELATIONS = Scale(labels=("presupposition", "implicature", "neither"))
DIRECTIONS = Scale(labels=("P to H", "H to P"))
YES_NO = Scale(labels=("yes", "no"))
SUBTYPES = (
    "existence",
    "uniqueness",
    "cleft",
    "only",
    "possessed definite",
    "change of state",
    "factive",
    "question",
    "some, all",
    "connective",
    "modal",
    "numeral",
    "gradable adjective",
    "gradable verb",
    "conversational",
)


# Ticks of the probability slider; a phone shows only the first of them.
MARKS = {
    0.0: "0%",
    0.01: "1%",
    0.5: "50%",
    0.75: "75%",
    1.0: "100%",
    0.0001: "0.01%",
    0.001: "0.1%",
    0.1: "10%",
    0.9: "90%",
}
FEW_MARKS = 5


@dataclass(frozen=True)
class AnswerField:
    """Field to answer for a pair. `widget`: slider, range, points, choice or words."""

    name: str
    ask: str
    widget: str
    scale: Scale | None = None
    words: Mapping[str, str] = field(default_factory=dict)
    suggestions: tuple[str, ...] = ()
    # Not asked where the first field has one of these answers.
    unless: tuple[str, ...] = ()
    # Words at equal distances below a slider.
    anchors: tuple[str, ...] = ()

    @property
    def points(self) -> list[float]:
        """Values of a scale with steps."""
        assert (
            self.scale
            and self.scale.low is not None
            and self.scale.high is not None
            and self.scale.step
        )
        count = round((self.scale.high - self.scale.low) / self.scale.step) + 1
        return [self.scale.low + i * self.scale.step for i in range(count)]

    @property
    def ticks(self) -> list[tuple[float, str, bool]]:
        """Ticks of a slider: position in percent, text, and whether it fits on a phone."""
        if self.widget == "slider":
            return [
                (100 * step(p) / STEPS, text, i < FEW_MARKS)
                for i, (p, text) in enumerate(MARKS.items())
            ]
        if self.anchors:
            step_width = 100.0 / (len(self.anchors) - 1)
            return [(step_width * n, text, True) for n, text in enumerate(self.anchors)]
        assert self.scale and self.scale.low is not None and self.scale.high is not None
        low, width = self.scale.low, self.scale.high - self.scale.low
        return [(25.0 * part, f"{low + part / 4 * width:g}", True) for part in range(5)]


@dataclass(frozen=True)
class Instrument:
    """Fields that a pair is asked with, and the settings of the instrument's paper.

    The first field is the answer of the run.
    """

    name: str
    fields: tuple[AnswerField, ...]
    redundancy: int
    per_page: int
    together: str = "nothing"
    third_when: int = 0
    nonsense: bool = False
    discussion: bool = False
    # A design's lists say how often a pair is asked.
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


LIKERT_WORDS = {
    "-2": "definitely not true",
    "-1": "probably not true",
    "0": "could be either",
    "1": "probably true",
    "2": "definitely true",
}


def instrument_of(campaign: Campaign, scale: Scale) -> Instrument:
    """Return the campaign's instrument, with the campaign's own numbers where it gives any.

    `scale` follows the dataset.
    """
    default = _instrument(campaign, scale)
    work = campaign.work
    first = default.fields[0]
    fields = (replace(first, ask=campaign.wording.ask or first.ask), *default.fields[1:])
    return replace(
        default,
        fields=fields,
        redundancy=work.redundancy or default.redundancy,
        per_page=work.per_page or default.per_page,
        together=work.together or default.together,
        third_when=default.third_when if work.third_when is None else work.third_when,
        # Two people can discuss; a larger panel decides by majority.
        by_lists=campaign.design is not None,
        discussion=default.discussion
        and campaign.design is None
        and (work.redundancy or default.redundancy) == 2
        and work.discussion_turns > 0,
    )


def _instrument(campaign: Campaign, scale: Scale) -> Instrument:
    if campaign.instrument == "probability":
        answer_field = widget_for(UNIT)
        return Instrument(
            "probability",
            (answer_field,),
            redundancy=2,
            per_page=5,
            together="premise",
            third_when=2000,
        )
    if campaign.instrument == "likert":
        question = "How true is the second sentence, given the first?"
        answer_field = AnswerField("answer", question, "points", LIKERT5, LIKERT_WORDS)
        return Instrument("likert", (answer_field,), redundancy=3, per_page=6, nonsense=True)
    if campaign.instrument == "labels":
        answer_field = widget_for(NLI if scale.numeric else scale)
        return Instrument("labels", (answer_field,), redundancy=2, per_page=5, discussion=True)
    if campaign.instrument == "pragmatic":
        return Instrument(
            "pragmatic", _pragmatic(campaign.subtypes or SUBTYPES), redundancy=3, per_page=1
        )
    if campaign.instrument in WORDED:
        answer_field = WORDED[campaign.instrument](campaign.wording)
        return Instrument(campaign.instrument, (answer_field,), redundancy=10, per_page=1)
    return Instrument("scale", (widget_for(scale),), redundancy=2, per_page=5)


def _rating(wording: Wording) -> AnswerField:
    """Return n points in a row, with words at both ends or at each."""
    numbers = range(1, wording.points + 1)
    anchors = wording.anchors
    at = (1, wording.points) if len(anchors) == 2 else numbers
    words = {str(number): word for number, word in zip(at, anchors, strict=False)}
    if words:
        words = {str(number): words.get(str(number), "") for number in numbers}
    scale = Scale(low=1.0, high=float(wording.points), step=1.0)
    return AnswerField("answer", "How good is it?", "points", scale, words)


def _slider(wording: Wording) -> AnswerField:
    """Return a linear slider."""
    scale = Scale(low=wording.low, high=wording.high)
    return AnswerField("answer", "How much?", "range", scale, anchors=wording.anchors)


def _choice(wording: Wording) -> AnswerField:
    """Return a forced choice, whose options everybody sees in an order of their own."""
    return AnswerField("answer", "Which one?", "choice", Scale(labels=wording.options))


WORDED = {"rating": _rating, "slider": _slider, "choice": _choice}


def widget_for(scale: Scale) -> AnswerField:
    """Return the widget for a scale: words to choose, points in a row, or a slider."""
    if scale == UNIT:
        return AnswerField("answer", "How likely is it that this is true?", "slider", UNIT)
    if scale.labels == NLI.labels:
        label_texts = {
            "entailment": "it must be true",
            "neutral": "it may be true or not",
            "contradiction": "it cannot be true",
        }
        return AnswerField(
            "answer",
            "Given the first sentence, what holds of the second?",
            "choice",
            scale,
            label_texts,
        )
    if scale.labels:
        return AnswerField("answer", "Which of these fits?", "choice", scale)
    if scale.step:
        return AnswerField(
            "answer",
            "Where on the scale?",
            "points",
            scale,
            LIKERT_WORDS if scale == LIKERT5 else {},
        )
    return AnswerField("answer", f"Where between {scale.low:g} and {scale.high:g}?", "range", scale)


def _pragmatic(subtypes: tuple[str, ...]) -> tuple[AnswerField, ...]:
    none = ("neither",)
    return (
        AnswerField(
            "relation",
            "Are P and H related by a presupposition or an implicature?",
            "choice",
            RELATIONS,
        ),
        AnswerField("direction", "In which direction?", "choice", DIRECTIONS, unless=none),
        AnswerField("negated", "Is it the negation that follows?", "choice", YES_NO, unless=none),
        AnswerField(
            "subtype", "What subtype of inference?", "words", suggestions=subtypes, unless=none
        ),
        AnswerField(
            "embedded",
            "Is the trigger embedded under an operator that cancels entailment?",
            "choice",
            YES_NO,
            unless=none,
        ),
    )


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
    if not is_integer(value, below=MOST_MS):
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
        assert scale and scale.low is not None and scale.high is not None
        return scale.low + value / STEPS * (scale.high - scale.low), value
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
    if len(text) > MOST_WORDS:
        raise InputError(f"'{what}' has {len(text)} characters; {MOST_WORDS} are the most")
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
        assert scale.low is not None and scale.high is not None
        return math.fabs(a - b) / (scale.high - scale.low)
    return 0.0 if a == b else 1.0
