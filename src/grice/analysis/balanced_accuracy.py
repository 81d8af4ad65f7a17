"""Balanced accuracy: the mean of the accuracies per gold answer."""

from __future__ import annotations

import polars as pl

from grice.analysis.statistics.baselines import correctness, excess
from grice.analysis.statistics.readings import gold_column, named
from grice.core.estimate import Estimate
from grice.tables.table import Measure


def balanced_accuracy(reading: str = "") -> Measure:
    """Measure the mean of the accuracies per gold answer, e.g. `balanced_accuracy:label`.

    A constant label gets 1/k for k gold answers, in whatever proportions they come. The interval is
    Student's, with paradigms as the units.
    """

    def compute(frame: pl.DataFrame) -> Estimate | None:
        gold = gold_column(frame, reading)
        judge_excess = excess(frame, correctness(gold), over=(), balance=gold)
        return judge_excess.score if judge_excess else None

    return Measure(named("balanced_accuracy", reading), compute)
