"""Paradigm accuracy: the share of paradigms with all items right."""

from __future__ import annotations

import polars as pl

from grice.analysis.statistics.readings import gold_column, named
from grice.core.estimate import Estimate, mean
from grice.tables.table import Measure


def consistency(reading: str = "") -> Measure:
    """Measure the share of paradigms with every item right, e.g. `consistency:label`.

    Paradigms with an unanswered item do not count.
    """

    def compute(frame: pl.DataFrame) -> Estimate | None:
        right = pl.col("answer") == pl.col(gold_column(frame, reading))
        all_right = right.all(ignore_nulls=False).cast(pl.Float64)
        complete = pl.when(right.is_not_null().all()).then(all_right).alias("right")
        paradigms = frame.drop_nulls("group").group_by("group", maintain_order=True).agg(complete)
        return mean(paradigms["right"])

    return Measure(named("consistency", reading), compute)
