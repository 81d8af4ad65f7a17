"""Pearson's r between a judge's answers and a numeric gold."""

from __future__ import annotations

import polars as pl

from grice.analysis.statistics.correlation import correlate
from grice.analysis.statistics.readings import named, number_pairs
from grice.core.estimate import Estimate
from grice.tables.table import Measure


def pearson(reading: str = "") -> Measure:
    """Measure Pearson's r with a numeric gold, e.g. `pearson:human`.

    For a judge of labels the number is P(entailment) − P(contradiction).
    """

    def compute(frame: pl.DataFrame) -> Estimate | None:
        pairs = number_pairs(frame, reading)
        return correlate(pairs["said"].to_numpy(), pairs["gold"].to_numpy(), pairs["group"])

    return Measure(named("pearson", reading), compute)
