"""Cluster bootstrap intervals for smooth functions of sums, as one matrix product."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import polars as pl

from grice.core.estimate import MANY_CLUSTERS, Estimate, Floats, bounded, weights, wilson

Statistic = Callable[[Floats], Floats]
Z95 = 1.959964


def clusters(groups: pl.Series) -> npt.NDArray[np.intp]:
    """Return a number for each row's cluster; a row without a group is its own."""
    alone = pl.format("\x00{}", pl.int_range(pl.len()))
    named = pl.DataFrame({"group": groups.cast(pl.String)}).select(pl.coalesce("group", alone))
    return named.to_series().rank("dense").to_numpy().astype(np.intp) - 1


def sums_by_cluster(columns: Floats, groups: pl.Series) -> Floats:
    """Sum rows × quantities to clusters × quantities."""
    row_clusters = clusters(groups)
    count = int(row_clusters.max()) + 1
    if count == len(row_clusters):
        return columns
    return np.stack(
        [np.bincount(row_clusters, column, minlength=count) for column in columns.T], axis=1
    )


def interval(
    sums: Floats, statistic: Statistic, *, seed: int = 0, least: float | None = None
) -> tuple[float | None, float | None]:
    """Return the 95% interval of `statistic(total of sums)`, which maps (…, quantities) to (…).

    It has percentiles of 1,000 draws of clusters; above some thousands of clusters it is
    linearised, which is then the same. None if fewer than two clusters, or most draws, leave it
    undefined. `least` is the lowest value of a statistic whose highest is 1: its interval stays
    between them.
    """
    if len(sums) < 2:
        return None, None
    if len(sums) > MANY_CLUSTERS:
        return _linearised(sums, statistic, least)
    drawn = weights(len(sums), seed=seed).astype(np.float64) @ sums
    with np.errstate(all="ignore"):
        values = statistic(drawn)
    finite = values[np.isfinite(values)]
    if len(finite) < len(values) // 2:
        return None, None
    low, high = np.quantile(finite, (0.025, 0.975))
    return float(low), float(high)


def share_interval(sums: Floats, statistic: Statistic) -> tuple[float | None, float | None]:
    """Return the interval of an average of rates as `interval` does.

    If every row is right or every row wrong, it is Wilson's with clusters as the units.
    """
    with np.errstate(all="ignore"):
        value = float(statistic(sums.sum(axis=0)))
    return wilson(value, len(sums)) if value in (0.0, 1.0) else interval(sums, statistic, least=0.0)


def estimate_sums(
    columns: Floats,
    groups: pl.Series,
    statistic: Statistic,
    *,
    n: int | None = None,
    least: float | None = None,
) -> Estimate | None:
    """Return `statistic` of the summed rows with its interval; None where it is undefined.

    `n` is the number of rows that count, if not all do.
    """
    with np.errstate(all="ignore"):
        value = float(statistic(columns.sum(axis=0)))
    if n == 0 or not math.isfinite(value):
        return None
    ends = interval(sums_by_cluster(columns, groups), statistic, least=least)
    return Estimate(value, len(columns) if n is None else n, *ends)


def _linearised(
    sums: Floats, statistic: Statistic, least: float | None
) -> tuple[float | None, float | None]:
    total = sums.sum(axis=0)
    step = 1e-6 * np.maximum(np.abs(total), 1.0)
    with np.errstate(all="ignore"):
        value = float(statistic(total))
        slope = (statistic(total + np.diag(step)) - statistic(total - np.diag(step))) / (2 * step)
    if not (math.isfinite(value) and np.isfinite(slope).all()):
        return None, None
    moved = (sums - sums.mean(axis=0)) @ slope
    error = math.sqrt(float(moved @ moved) * len(sums) / (len(sums) - 1))
    if least is None or not error:
        return value - Z95 * error, value + Z95 * error
    return bounded(value, error, Z95, least=least)
