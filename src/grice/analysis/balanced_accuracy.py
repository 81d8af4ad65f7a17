"""Accuracy in which every right answer weighs the same, however often it occurs."""

from __future__ import annotations

import polars as pl

from grice.analysis.statistics.blind import excess, right
from grice.analysis.statistics.readings import gold_column, named
from grice.core.estimate import Estimate
from grice.core.table import Measure


def balanced_accuracy(reading: str = "") -> Measure:
    """`balanced_accuracy:label`: the mean of the shares right among the items of each gold answer.

    One answer throughout gets 1/k of k gold answers, in whatever proportions they come. The
    interval is Student's, with paradigms as the units.
    """

    def compute(frame: pl.DataFrame) -> Estimate | None:
        gold = gold_column(frame, reading)
        judge_excess = excess(frame, right(gold), over=(), balance=gold)
        return judge_excess.score if judge_excess else None

    return Measure(named("balanced_accuracy", reading), compute)
