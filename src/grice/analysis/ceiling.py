"""Noise ceiling: the highest expected correlation with human means."""

from __future__ import annotations

import polars as pl

from grice.analysis.statistics.likeness import noise_ceiling
from grice.analysis.statistics.readings import named
from grice.core.estimate import Estimate
from grice.tables.table import Measure


def ceiling(tag: str = "") -> Measure:
    """Measure the noise ceiling of the correlation with human means, e.g. `ceiling:people`.

    It is the square root of the reliability of these means, the same for every judge of the same
    items. Where the items have targets and controls, it is of the targets.
    """

    def compute(frame: pl.DataFrame) -> Estimate | None:
        answered = frame.filter(pl.col("answer").is_not_null() | pl.col("value").is_not_null())
        if answered.is_empty():
            return None
        return noise_ceiling(answered.unique("id", maintain_order=True), tag)

    return Measure(named("ceiling", tag), compute)
