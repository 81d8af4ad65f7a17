"""The first screen: questions with a pair of the data, how answers divide, and the finding."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from grice.core.estimate import Estimate
from grice.reporting.example import ExamplePair
from grice.reporting.figure import LEFT_OUT, Query

Status = Literal["verdict", "diagnosis", "inconclusive"]
BarKind = Literal["model", "people", "reference"]
RIGHT = "right"
# The words for the labels of NLI; a label of another scale stands for itself.
LABEL_WORDS = {"entailment": "follows", "neutral": "can’t tell", "contradiction": "contradicts"}


def label_word(label: str) -> str:
    """Return the word that stands for a label in bars and examples."""
    return LABEL_WORDS.get(label, label)


@dataclass(frozen=True)
class AnswerPart:
    """The share of one kind of answer: a label, a reading, or the right answer."""

    answer: str
    estimate: Estimate

    @property
    def word(self) -> str:
        """The word inside the bar."""
        return label_word(self.answer)


@dataclass(frozen=True)
class AnswerBar:
    """How the answers of one model, or of people, divide.

    Of people only one answer may be known; `note` then says what was measured, and by whom. A bar
    is `without_verdict` if the controls of its model fail.
    """

    name: str
    kind: BarKind
    parts: tuple[AnswerPart, ...]
    note: str = ""
    without_verdict: bool = False

    def part(self, answer: str) -> AnswerPart | None:
        """Return the part of an answer, if it is known."""
        return next((part for part in self.parts if part.answer == answer), None)


@dataclass(frozen=True)
class QuestionRow:
    """One row of the first screen.

    `decides` is the answer that decides the question: its share in the first bar is the number of
    the finding, and `finding` says what it is a share of. Models are compared by the share of
    `expected`. For an inconclusive row, `reason` says why, and `remedy` what would settle it.
    `baselines` are the scores without reading, by name; `lead` is the finding as a clause.
    """

    section: str
    topic: str
    question: str
    column: str
    status: Status
    chip: str
    finding: str
    decides: str
    expected: str
    bars: tuple[AnswerBar, ...]
    example: ExamplePair | None = None
    reason: str = ""
    remedy: str = ""
    baselines: tuple[tuple[str, float], ...] = ()
    query: Query = LEFT_OUT
    lead: str = ""

    @property
    def model(self) -> AnswerBar:
        """The bar of the model that the page is about."""
        return self.bars[0]

    @property
    def people(self) -> AnswerBar | None:
        """The bar of people, if published experiments have one."""
        return next((bar for bar in self.bars if bar.kind == "people"), None)

    @property
    def references(self) -> tuple[AnswerBar, ...]:
        """The bars of the other models, in their order."""
        return tuple(bar for bar in self.bars if bar.kind == "reference")

    @property
    def share(self) -> Estimate | None:
        """The share of the answer that decides, of the model that the page is about."""
        part = self.model.part(self.decides)
        return part.estimate if part else None

    def bar_of(self, model: str) -> AnswerBar | None:
        """Return the bar of a model, if it answered these items."""
        return next((bar for bar in self.bars if bar.name == model and bar.kind != "people"), None)


@dataclass(frozen=True)
class ScaleRow:
    """A finding that is one number on a line: a correlation with people, or a calibration error.

    `pair` has what a calibration error is the difference of: mean confidence and share right.
    """

    section: str
    topic: str
    question: str
    column: str
    status: Status
    chip: str
    finding: str
    unit: Literal["r", "points"]
    estimate: Estimate | None
    people: float | None = None
    pair: tuple[tuple[str, float], ...] = ()
    reason: str = ""


@dataclass(frozen=True)
class FirstScreen:
    """What the top of the page says: the answer in a sentence, how it was asked, and the rows."""

    lead: str = ""
    asked: str = ""
    rows: tuple[QuestionRow, ...] = ()
    scales: tuple[ScaleRow, ...] = ()

    @property
    def models(self) -> list[str]:
        """The models that have a bar in some row, in their order."""
        names = (bar.name for row in self.rows for bar in row.bars if bar.kind != "people")
        return list(dict.fromkeys(names))

    @property
    def widest(self) -> QuestionRow | None:
        """The question on which the models differ most."""

        def spread(row: QuestionRow) -> float:
            shares = [
                part.estimate.value
                for bar in (row.model, *row.references)
                if (part := bar.part(row.expected)) and not bar.without_verdict
            ]
            return max(shares) - min(shares) if shares else 0.0

        return max(self.rows, key=spread, default=None)

    def without_items(self) -> FirstScreen:
        """Return the rows without pairs and without addresses of items."""
        return replace(
            self, rows=tuple(replace(row, example=None, query=LEFT_OUT) for row in self.rows)
        )
