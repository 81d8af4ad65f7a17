"""What a number is: its metric, its unit, and the score of an item if it is a mean over items."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import reduce
from operator import mul

import polars as pl


class Unit(StrEnum):
    """Unit of a value: how it is printed and on which axis it is drawn."""

    SHARE = "share"
    POINTS = "points"
    CORRELATION = "correlation"
    COUNT = "count"


class ScoreKind(StrEnum):
    """How the score of an answer is computed; web/src/score.ts has the same four."""

    RIGHT = "right"
    ANSWER = "answer"
    NEITHER = "neither"
    DIFFERENCE = "difference"


@dataclass(frozen=True)
class Score:
    """Score of one answer, as data, so that the page computes it as Python does.

    `args` are a gold column for `right`, a label for `answer`, gold columns for `neither`, and two
    gold columns for `difference` (right by the first minus right by the second). An item without
    one of these gold answers does not count.
    """

    kind: ScoreKind
    args: tuple[str, ...]

    def __call__(self, answer: pl.Expr) -> pl.Expr:
        """Return the score of an expression of answers; null where an item does not count."""
        if self.kind is ScoreKind.ANSWER:
            return (answer == self.args[0]).cast(pl.Float64)
        right = [(answer == pl.col(gold)).cast(pl.Float64) for gold in self.args]
        if self.kind is ScoreKind.RIGHT:
            return right[0]
        if self.kind is ScoreKind.DIFFERENCE:
            return right[0] - right[1]
        return reduce(mul, [1 - follows for follows in right])


@dataclass(frozen=True)
class Metric:
    """What a number is: the name of the measure with its reading, and the unit.

    `score` is that of an item if the number is a mean over items, and None otherwise.
    """

    name: str
    reading: str = ""
    unit: Unit = Unit.SHARE
    score: Score | None = None
