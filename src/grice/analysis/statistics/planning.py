"""Power analysis: the minimum detectable difference, and the number of paradigms needed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from grice.analysis.statistics.resample import clusters
from grice.core.distributions import student_quantile

MOST = 10_000_000


@dataclass(frozen=True)
class Spread:
    """The variance of rows and the correlation within a paradigm, on which a test's power depends.

    `items` is the number of rows in a paradigm, `variance` that of a row, `icc` the correlation of
    two rows of one paradigm. For two judges a row is 1, 0 or −1 and its variance the share of items
    that one alone has right; for a share p against a fixed one it is p(1 − p).
    """

    items: float = 1.0
    variance: float = 0.5
    icc: float = 0.0

    @property
    def design_effect(self) -> float:
        """The number of rows of these paradigms that are worth one independent row."""
        return max(1 + (self.items - 1) * self.icc, 1e-9)

    @property
    def noise(self) -> float:
        """The variance of a paradigm's mean, with the variance of a row as the unit."""
        return self.design_effect / self.items


def smallest_difference(
    paradigms: int, spread: Spread, *, power: float = 0.8, level: float = 0.05
) -> float | None:
    """Return the minimum difference that a two-sided test at `level` detects with this power.

    None if it can detect none: with so few paradigms that no difference has a p below the level, or
    if even a difference of 1 is detected too rarely. For k claims that are corrected together take
    `level` / k.

    >>> round(smallest_difference(100, Spread(items=6, variance=0.3, icc=0.1)), 3)
    0.077
    """
    if 2.0 ** (1 - paradigms) >= level:
        return None
    far = student_quantile(paradigms - 1, 1 - level / 2) + student_quantile(paradigms - 1, power)
    squared = far * far * spread.noise / paradigms
    # d² = squared × variance, where the share of rows that differ is at least d.
    difference = max(squared, (squared * spread.variance) ** 0.5)
    return difference if difference < 1 else None


def paradigms_needed(
    difference: float, spread: Spread, *, power: float = 0.8, level: float = 0.05
) -> int | None:
    """Return the number of paradigms for which `smallest_difference` is at most this.

    None if ten million do not suffice.

    >>> paradigms_needed(0.05, Spread(items=6, variance=0.3, icc=0.1))
    238
    """
    low, high = 1, 2
    while not _is_detectable(high, difference, spread, power, level):
        low, high = high, 2 * high
        if low > MOST:
            return None
    while high - low > 1:
        middle = (low + high) // 2
        if _is_detectable(middle, difference, spread, power, level):
            high = middle
        else:
            low = middle
    return high


def _is_detectable(
    paradigms: int, difference: float, spread: Spread, power: float, level: float
) -> bool:
    smallest = smallest_difference(paradigms, spread, power=power, level=level)
    return smallest is not None and smallest <= difference


def measure_spread(rows: pl.Series, groups: pl.Series) -> Spread | None:
    """Return the spread of a column with these groups, without nulls; None below two paradigms.

    The variance is that about 0, which rows have if there is no difference; the correlation is the
    one-way analysis of variance's, at least the −1/(items − 1) that rows of a paradigm can have.
    """
    is_known = rows.is_not_null()
    values = rows.filter(is_known).to_numpy().astype(np.float64)
    cluster_index = clusters(groups.filter(is_known))
    sizes, sums = np.bincount(cluster_index).astype(np.float64), np.bincount(cluster_index, values)
    count, n = len(sizes), len(values)
    if count < 2:
        return None
    items, variance = n / count, float(values @ values) / n
    if n == count:
        return Spread(items, variance)
    # The mean size for which the correlation is unbiased if paradigms have unequal sizes.
    size = (n - float(sizes @ sizes) / n) / (count - 1)
    between = float(sizes @ (sums / sizes - values.mean()) ** 2) / (count - 1)
    within = (n * variance - float((sums**2 / sizes).sum())) / (n - count)
    total = between + (size - 1) * within
    icc = max((between - within) / total, -1 / (items - 1)) if total > 0 else 0.0
    return Spread(items, variance, icc)
