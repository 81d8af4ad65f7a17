"""Estimates with their n and their interval."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import lru_cache
from statistics import NormalDist
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from grice.core.distributions import student_quantile

Floats = npt.NDArray[np.float64]
Ends = tuple[float, float]
UNBOUNDED: Ends = (-math.inf, math.inf)
REPEATS = 1000
MANY_CLUSTERS = 2000


@dataclass(frozen=True)
class Estimate:
    """`value` from `n ≥ 1` rows, with a 95% interval where one can be computed.

    Without rows there is no estimate: None, never 0. `paradigms` is the number of groups of the
    rows, if counted; a row without a group is its own. `people` is the number of people whose
    answers the n items have, if the interval is over both.

    >>> grice.Estimate(0.75, 4, 0.30, 0.95).to_json()
    {'value': 0.75, 'n': 4, 'low': 0.3, 'high': 0.95}
    """

    value: float
    n: int
    low: float | None = None
    high: float | None = None
    paradigms: int | None = field(default=None, compare=False)
    people: int | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        if self.n < 1:
            raise ValueError("an estimate rests on at least one row; an empty group has none")

    def to_json(self) -> dict[str, Any]:
        """Return the fields as JSON values."""
        values = {"value": self.value, "n": self.n, "low": self.low, "high": self.high}
        return values if self.people is None else {**values, "people": self.people}


def mean(
    values: pl.Series, groups: pl.Series | None = None, *, ends: Ends | None = None
) -> Estimate | None:
    """Return the mean of a column, with an interval over paradigms where rows share a group.

    The interval is Wilson's for zeros and ones. For other rows between 0 and 1, or −1 and 1, it is
    Wilson's with the effective number of rows, so that it stays in that range; otherwise Student's.
    `ends` says the range of a row where it is another, as on a rating scale from −2 to 2.
    Nulls are ignored. A row without a group is its own group.
    """
    tied = groups if groups is not None else pl.Series([None] * len(values), dtype=pl.String)
    frame = pl.DataFrame({"value": values.cast(pl.Float64), "group": tied}).drop_nulls("value")
    if frame.is_empty():
        return None
    n, rows = frame.height, frame["value"].to_numpy()
    value = float(rows.sum() / n)
    binary = ends is None and bool(frame["value"].is_in([0.0, 1.0]).all())
    named = frame["group"].drop_nulls()
    if binary and named.n_unique() == len(named):
        return Estimate(value, n, *wilson(value, n), n)
    ranges = (ends,) if ends else ((0.0, 1.0), (-1.0, 1.0))
    within = next(((a, b) for a, b in ranges if a <= rows.min() and rows.max() <= b), UNBOUNDED)
    sums, sizes = _by_cluster(frame)
    known = binary or ends is not None
    interval = _cluster_interval(sums, sizes, value, within, known=known)
    return Estimate(value, n, *interval, len(sums))


def mean_of(frame: pl.DataFrame, value: pl.Expr, *, ends: Ends | None = None) -> Estimate | None:
    """Return the `mean` of an expression of joined judgements, in their paradigms."""
    rows = frame.select("group", value.cast(pl.Float64).alias("value"))
    return mean(rows["value"], rows["group"], ends=ends)


def wilson(share: float, n: int, level: float = 0.95) -> tuple[float, float]:
    """Return Wilson's score interval for a share of n independent rows."""
    return _score(share, n, NormalDist().inv_cdf(0.5 + level / 2))


def _score(share: float, n: float, z: float) -> tuple[float, float]:
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    # The ends are exact at 0 and 1; floating point may miss them by one bit.
    return (
        0.0 if share == 0 else max(0.0, middle - half),
        1.0 if share == 1 else min(1.0, middle + half),
    )


def bounded(
    value: float, error: float, z: float, *, least: float, most: float = 1.0
) -> tuple[float, float]:
    """Return the interval of a value between `least` and `most` with this error.

    It is Wilson's interval for the number of rows that would vary as much.
    """
    width = most - least
    share = (value - least) / width
    if not 0 < share < 1:
        return value, value
    low, high = _score(share, share * (1 - share) * (width / error) ** 2, z)
    return least + width * low, least + width * high


@lru_cache(maxsize=64)
def weights(clusters: int, *, seed: int = 0, repeats: int = REPEATS) -> npt.NDArray[np.float32]:
    """Return how often each cluster is drawn in each bootstrap repeat; cached by their number."""
    draw = np.random.default_rng([seed, clusters])
    drawn = draw.integers(clusters, size=(repeats, clusters), dtype=np.int32)
    drawn += np.arange(repeats, dtype=np.int32)[:, None] * clusters
    counts = np.bincount(drawn.ravel(), minlength=repeats * clusters)
    return counts.reshape(repeats, clusters).astype(np.float32)


def _by_cluster(frame: pl.DataFrame) -> Floats:
    """Return the sum and number of rows by cluster; a row without a group is its own."""
    # Without drop_nulls polars sums by thread, so that the last digit depends on how many there
    # are.
    sums = (pl.col("value").drop_nulls().sum(), pl.len().cast(pl.Float64).alias("size"))
    tied = frame.drop_nulls("group").group_by("group", maintain_order=True).agg(sums)
    alone = frame.filter(pl.col("group").is_null()).with_columns(pl.lit(1.0).alias("size"))
    both = [rows.select("value", "size") for rows in (tied, alone)]
    return pl.concat(both).to_numpy().T.astype(np.float64)


def all_agree(value: float, clusters: int, ends: Ends) -> Ends:
    """Return the interval of a value within `ends` on which every cluster agrees.

    Their variance would claim certainty. As many others as "none of so many" allows may still be
    unlike them, with all of their rows at one end; for a share of 0 or 1 it is Wilson's interval.
    """
    unlike = wilson(0.0, clusters)[1]
    return value + (ends[0] - value) * unlike, value + (ends[1] - value) * unlike


def _cluster_interval(
    sums: Floats, sizes: Floats, value: float, ends: Ends, *, known: bool
) -> tuple[float | None, float | None]:
    """Return the interval of a mean over clusters with these sums and numbers of rows.

    A row lies between the `ends`; `known` says that these are the ends of its scale, not a guess.

    The variance is that of paradigms, the quantile Student's for their number. For bounded rows it
    determines the effective number of rows of Wilson's interval, which stays within the bounds and
    covers 93–97% with 8, 20 and 100 paradigms (up to 98% of 8 near 0 and 1), where
    a bootstrap of 8 covers 88% (Dean and Pagano 2015; tests/core/test_estimate.py).
    """
    clusters = len(sums)
    if clusters < 2:
        return None, None
    residual = sums - value * sizes
    error = math.sqrt(float(residual @ residual) * clusters / (clusters - 1)) / float(sizes.sum())
    if error <= 1e-12 * abs(value):
        return all_agree(value, clusters, ends) if known and ends != UNBOUNDED else (value, value)
    t = student_quantile(clusters - 1, 0.975)
    if ends == UNBOUNDED:
        return value - t * error, value + t * error
    return bounded(value, error, t, least=ends[0], most=ends[1])
