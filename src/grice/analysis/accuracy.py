"""Accuracy: the share of answers that equal the gold answer of a reading."""

from __future__ import annotations

import polars as pl

from grice.analysis.statistics.baselines import correctness
from grice.analysis.statistics.readings import gold_column, named
from grice.core.dataset import GOLD
from grice.core.estimate import Estimate, mean_of
from grice.tables.table import Measure


def accuracy(reading: str = "") -> Measure:
    """Measure the share of answers that equal the gold answer, e.g. `accuracy:pragmatic`.

    With one reading in the data the name may be left out. Unanswered items and items without that
    gold are outside n. Rows of one paradigm are resampled together.
    """

    def compute(frame: pl.DataFrame) -> Estimate | None:
        return mean_of(frame, pl.col("answer") == pl.col(gold_column(frame, reading)))

    score = correctness(GOLD + reading) if reading else None
    return Measure(named("accuracy", reading), compute, score=score)
