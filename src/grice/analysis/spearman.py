"""Spearman's ρ between a judge's answers and a numeric gold."""

from __future__ import annotations

import polars as pl

from grice.analysis.statistics.correlation import correlate, ranks
from grice.analysis.statistics.readings import named, number_pairs
from grice.core.estimate import Estimate
from grice.tables.table import Measure


def spearman(reading: str = "") -> Measure:
    """Measure Spearman's ρ with a numeric gold, e.g. `spearman:human`.

    The interval treats the ranks as fixed numbers.
    """

    def compute(frame: pl.DataFrame) -> Estimate | None:
        pairs = number_pairs(frame, reading)
        if pairs.is_empty():
            return None
        return correlate(
            ranks(pairs["said"].to_numpy()), ranks(pairs["gold"].to_numpy()), pairs["group"]
        )

    return Measure(named("spearman", reading), compute)
