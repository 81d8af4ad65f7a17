"""Krippendorff's α: agreement of judges on labels or numbers, with missing answers."""

from __future__ import annotations

import numpy as np
import polars as pl

from grice.analysis.statistics.correlation import ranks
from grice.analysis.statistics.resample import estimate_sums
from grice.analysis.statistics.several import codes, ratings
from grice.core.errors import unknown
from grice.core.estimate import Estimate, Floats
from grice.tables.table import Measure

LEVELS = ("nominal", "ordinal", "interval")


def alpha(level: str = "nominal") -> Measure:
    """Measure Krippendorff's α on labels (`alpha:nominal`) or numbers.

    `alpha:ordinal` and `alpha:interval` read numbers. n counts items with two answers or more.
    """
    if level not in LEVELS:
        raise unknown("level of α", level, LEVELS)

    def compute(frame: pl.DataFrame) -> Estimate | None:
        if level == "nominal":
            table, groups, labels = codes(frame)
            columns = _nominal(table, len(labels))
            statistic = _nominal_alpha
        else:
            numbers, groups = ratings(frame)
            columns = _moments(_as_ranks(numbers) if level == "ordinal" else numbers)
            statistic = _interval_alpha
        paired = columns[:, 0] > 0
        if not paired.any():
            return None
        groups = groups.filter(pl.Series(paired))
        return estimate_sums(columns[paired], groups, statistic, least=-1.0)

    return Measure(f"alpha:{level}", compute, many=True)


def _nominal(table: Floats, labels: int) -> Floats:
    """Return items × (answers, disagreement, count of each label); 0 below two answers."""
    counts = (table[:, :, None] == np.arange(labels)).sum(axis=1).astype(np.float64)
    many = counts.sum(axis=1)
    counts[many < 2] = 0
    many = counts.sum(axis=1)
    within = (many**2 - (counts**2).sum(axis=1)) / np.maximum(many - 1, 1)
    return np.concatenate([many[:, None], within[:, None], counts], axis=1)


def _nominal_alpha(sums: Floats) -> Floats:
    n, within, counts = sums[..., 0], sums[..., 1], sums[..., 2:]
    overall = (n * n - (counts**2).sum(axis=-1)) / (n - 1)
    value: Floats = 1 - within / overall
    return value


def _as_ranks(numbers: Floats) -> Floats:
    """Return mean ranks among pairable answers: their differences are the ordinal distance."""
    pairable = np.isfinite(numbers) & (np.isfinite(numbers).sum(axis=1) >= 2)[:, None]
    ranked = np.full_like(numbers, np.nan)
    ranked[pairable] = ranks(numbers[pairable])
    return ranked


def _moments(numbers: Floats) -> Floats:
    """Return items × (answers, disagreement, sum, sum of squares); 0 below two answers."""
    is_rated = np.isfinite(numbers)
    is_rated &= (is_rated.sum(axis=1) >= 2)[:, None]
    centre = float(numbers[is_rated].mean()) if is_rated.any() else 0.0
    filled = np.where(is_rated, numbers - centre, 0.0)
    many = is_rated.sum(axis=1).astype(np.float64)
    total = filled.sum(axis=1)
    squares = (filled**2).sum(axis=1)
    within = 2 * (many * squares - total**2) / np.maximum(many - 1, 1)
    return np.stack([many, within, total, squares], axis=1)


def _interval_alpha(sums: Floats) -> Floats:
    n, within, total, squares = np.moveaxis(sums, -1, 0)
    overall = 2 * (n * squares - total**2) / (n - 1)
    value: Floats = 1 - within / overall
    return value
