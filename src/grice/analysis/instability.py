"""Variation of accuracy over seeds and its sources (Zhou et al. 2020, as in ConjNLI §6.5)."""

from __future__ import annotations

import math

import numpy as np
import polars as pl

from grice.analysis.statistics.readings import gold_column
from grice.analysis.statistics.several import side_by_side
from grice.core.distributions import student_quantile
from grice.core.errors import unknown
from grice.core.estimate import Estimate, Floats
from grice.tables.table import Measure

PARTS = ("total", "independent", "covariance")


def instability(part: str = "total", reading: str = "") -> Measure:
    """Measure how much accuracy varies over judges that differ in their seed.

    `total` is the standard deviation of accuracy over seeds, `independent` what it would be if
    items varied independently, `covariance` the difference of the two variances: items that flip
    together.

    All in points of accuracy between 0 and 1; variances divide by seeds − 1. The interval leaves
    out one seed at a time.
    """
    if part not in PARTS:
        raise unknown("part of instability", part, PARTS)

    def compute(frame: pl.DataFrame) -> Estimate | None:
        right = (pl.col("answer") == pl.col(gold_column(frame, reading))).cast(pl.Float64)
        wide = side_by_side(frame.with_columns(right.alias("right")), "right")
        wide = wide.drop("id", "group").drop_nulls()
        if wide.is_empty():
            return None
        table = wide.to_numpy().astype(np.float64)
        return Estimate(_part(table, part), len(table), *_by_seed(table, part))

    return Measure(f"instability:{part}", compute, many=True)


def _part(table: Floats, part: str) -> float:
    total = float(table.mean(axis=0).var(ddof=1))
    independent = float(table.var(axis=1, ddof=1).sum()) / len(table) ** 2
    return {
        "total": math.sqrt(total),
        "independent": math.sqrt(independent),
        "covariance": total - independent,
    }[part]


def _by_seed(table: Floats, part: str) -> tuple[float | None, float | None]:
    """Return a leave-one-seed-out jackknife interval, which suits as few as ten seeds."""
    seeds = table.shape[1]
    if seeds < 3:
        return None, None
    left = np.array([_part(np.delete(table, j, axis=1), part) for j in range(seeds)])
    spread = float(np.sqrt((seeds - 1) / seeds * ((left - left.mean()) ** 2).sum()))
    half = student_quantile(seeds - 1, 0.975) * spread
    value = _part(table, part)
    return (max(0.0, value - half) if part != "covariance" else value - half), value + half
