"""Noise ceiling: the highest expected correlation with human means."""

from __future__ import annotations

import numpy as np
import polars as pl

from grice.analysis.statistics.raters import explainable, people_means
from grice.analysis.statistics.readings import named
from grice.analysis.statistics.resample import interval, sums_by_cluster
from grice.core.estimate import Estimate
from grice.tables.table import Measure


def ceiling(tag: str = "") -> Measure:
    """Measure the noise ceiling of the correlation with human means, e.g. `ceiling:people`.

    It is the square root of the reliability of these means, the same for every judge of the same
    items.
    """

    def compute(frame: pl.DataFrame) -> Estimate | None:
        answered = frame.filter(pl.col("answer").is_not_null() | pl.col("value").is_not_null())
        if answered.is_empty():
            return None
        rows = people_means(answered.unique("id", maintain_order=True), tag)
        if rows.height < 3:
            return None
        centred = rows["mean"].to_numpy() - float(rows["mean"].to_numpy().mean())
        columns = np.stack(
            [np.ones(rows.height), centred, centred**2, rows["noise"].to_numpy()], axis=1
        )
        correlation = float(explainable(columns.sum(axis=0)))
        if not np.isfinite(correlation):
            return None
        return Estimate(
            correlation,
            rows.height,
            *interval(sums_by_cluster(columns, rows["group"]), explainable, least=0.0),
        )

    return Measure(named("ceiling", tag), compute)
