"""Pearson's r from sums, with its interval."""

from __future__ import annotations

import math

import numpy as np
import polars as pl

from grice.analysis.statistics.crossed import (
    correlation_influence,
    correlation_interval,
    crossed_error,
)
from grice.analysis.statistics.resample import Z95, clusters
from grice.core.distributions import student_cdf
from grice.core.estimate import Estimate, Floats


def moments(x: Floats, y: Floats) -> Floats:
    """Return rows × (1, x, y, x², y², xy), centred for numerical precision."""
    x, y = x - x.mean(), y - y.mean()
    return np.stack([np.ones_like(x), x, y, x * x, y * y, x * y], axis=1)


def r_of(sums: Floats) -> Floats:
    """Return r from the six sums of `moments` in the last axis; NaN if either side is constant."""
    n, x, y, xx, yy, xy = np.moveaxis(sums, -1, 0)
    across, along = n * xx - x * x, n * yy - y * y
    flat = (across <= 1e-12 * n * n) | (along <= 1e-12 * n * n)
    with np.errstate(all="ignore"):
        r: Floats = np.where(flat, np.nan, (n * xy - x * y) / np.sqrt(across * along))
    return np.clip(r, -1.0, 1.0)


def correlate(x: Floats, y: Floats, groups: pl.Series) -> Estimate | None:
    """Return r of two columns; None for fewer than two rows or a constant column.

    The interval is Fisher's z for independent rows; if rows share a group, it is Student's t over
    groups on the same scale.
    """
    if len(x) < 2:
        return None
    rows = moments(x, y)
    r = float(r_of(rows.sum(axis=0)))
    if not math.isfinite(r):
        return None
    units = clusters(groups)
    if int(units.max()) + 1 == len(x):
        return Estimate(r, len(x), *fisher(r, len(x)))
    error = crossed_error(correlation_influence(x, y, r), [units])
    return Estimate(r, len(x), *correlation_interval(r, error))


def ranks(values: Floats) -> Floats:
    """Return ranks from 1, with the mean rank for ties."""
    shared: Floats = pl.Series(values).rank("average").to_numpy().astype(np.float64)
    return shared


def fisher(r: float, n: int) -> tuple[float | None, float | None]:
    """Return Fisher's z interval; it needs four rows."""
    if n < 4:
        return None, None
    if abs(r) == 1:
        return r, r
    z, half = math.atanh(r), Z95 / math.sqrt(n - 3)
    return math.tanh(z - half), math.tanh(z + half)


def chance_of(r: float, n: int) -> float:
    """Return the one-sided p of a correlation of n independent pairs.

    >>> round(chance_of(0.5, 20), 4)
    0.0124
    """
    if n < 3 or r <= 0:
        return 1.0
    return 0.0 if r >= 1 else 1 - student_cdf(n - 2, r * math.sqrt((n - 2) / (1 - r * r)))
