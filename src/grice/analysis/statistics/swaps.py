"""The test that swaps two judges paradigm by paradigm, and the interval of their difference that it implies."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
import numpy.typing as npt
import polars as pl

from grice.analysis.statistics.resample import clusters
from grice.core.distributions import student_quantile
from grice.core.estimate import Estimate, Floats, wilson

LEVEL, Z2 = 0.05, 1.959964**2
# Up to so many paradigms all halves are taken; from so few on a test can reject at all (2 ** -5 > LEVEL / 2).
LISTED, FEWEST = 12, 6
# What was not seen counts as a tenth of a paradigm. See `swap_interval`.
UNSEEN = 0.1
CELLS = 1 << 15


def mean_difference(values: pl.Series, groups: pl.Series) -> Estimate | None:
    """The mean of rows between −1 and 1, with the interval of `swap_interval`; nulls do not count."""
    rows = values.is_not_null()
    kept = values.filter(rows).to_numpy().astype(np.float64)
    if not len(kept):
        return None
    return difference(kept, clusters(groups.filter(rows)))[0]


def difference(better: Floats, place: npt.NDArray[np.intp]) -> tuple[Estimate, float, int]:
    """The mean of rows between −1 and 1 that stand in these clusters, its p, and the number of clusters."""
    sums, sizes = (np.bincount(place, each).astype(np.float64) for each in (better, np.ones_like(better)))
    p = swap_test(sums)
    return Estimate(float(better.mean()), len(better), *swap_interval(sums, sizes, p)), p, len(sums)


def swap_test(sums: Floats) -> float:
    """How likely so large a total is if the sign of each paradigm's sum is a toss: two-sided, without drawing.

    The distribution of whole sums is the product of one binomial for each size, so p has no floor but 2 in 2 ** (number
    of paradigms that differ). A total as large as the one found counts half (Lancaster's mid-p): counted in full,
    eight paradigms of eight items give 2% false alarms where 5% are meant, and no interval that agrees with such
    a test has the right width (Fagerland, Lydersen and Laake 2013 on McNemar's test, which this is for rows that stand alone).
    Sums that are not whole are cut to 1/32,768 of their total, downwards and with ties in full, so that p is at most too large.
    """
    sizes, least = np.abs(sums[sums != 0]), min(float(sums[sums > 0].sum()), -float(sums[sums < 0].sum()))
    if not len(sizes):
        return 1.0
    whole = bool((sizes == np.rint(sizes)).all())
    if not whole:
        unit = float(sizes.sum()) / CELLS
        sizes, least = np.floor(sizes / unit), math.ceil(least / unit)
    top, chances = int(least), np.ones(1)
    for size, count in zip(*np.unique(sizes, return_counts=True), strict=True):
        if size:
            kernel = np.zeros(min(int(size * count), top) + 1)
            kernel[:: int(size)] = _tosses(int(count))[: (len(kernel) - 1) // int(size) + 1]
            chances = np.convolve(chances, kernel)[: top + 1]
    tied = chances[top] / 2 if whole and len(chances) > top else 0.0
    return float(min(1.0, max(2 * (chances.sum() - tied), 2.0 ** (1 - len(sizes)))))


def _tosses(count: int) -> Floats:
    """The chance of each number of heads in so many tosses."""
    logs = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, count + 1)))])
    chances: Floats = np.exp(logs[-1] - logs - logs[::-1] - count * math.log(2))
    return chances


def swap_interval(sums: Floats, sizes: Floats, p: float) -> tuple[float | None, float | None]:
    """The differences that `swap_test` does not reject, for paradigms with these sums and numbers of rows.

    A difference d is rejected if the sums less d × size are unlike tosses, so the ends are percentiles of the
    difference in random halves of the paradigms (Hartigan 1969). They stay within [−1, 1], are mirrored when the
    judges change places, and leave 0 out just where `p`, the test's own, is under 0.05. All halves are taken of up to 12
    paradigms; of more, their normal approximation; under 6, where the test cannot reject, Student's t on the paradigms,
    with 0 left in. Near ±1 and 0 the paradigms seen are more alike than those to come: a tenth of a paradigm is added to
    each end, with the difference that is farthest beyond it on its side of 0, and 0 itself does not move.
    Covers 93–97% with 8, 20 and 100 paradigms for judges in the middle, where a bootstrap of 8 covers 88–89%. Nearer the
    ends it is less even: 97–98% of 8 paradigms with judges at 0.9 and 0.8 or 0.98 and 0.9, and 91% of 20 with 0.98 and
    0.03, where a bootstrap covers 85% (tests/analysis/test_swaps.py).
    """
    if len(sums) < 2:
        return None, None
    if not sums.any():
        end = wilson(0.0, len(sums))[1]
        return -end, end
    return _low(sums, sizes, p), 0.0 - _low(-sums, sizes, p)


def _low(sums: Floats, sizes: Floats, p: float) -> float:
    extra = UNSEEN * float(sizes.mean())
    sizes = np.append(sizes, extra)
    low = _end(np.append(sums, 0.0), sizes, len(sums))
    if low > 0 or (p < LEVEL and sums.sum() > 0):
        return min(low, 0.0) if p >= LEVEL else low if low > 0 else _above_zero(sums, sizes)
    return max(-1.0, min(low, _end(np.append(sums, -extra), sizes, len(sums))))


def _end(sums: Floats, sizes: Floats, paradigms: int) -> float:
    """The lower end: the percentile of halves, or where the squared total is `far` times the sum of squares."""
    if FEWEST <= paradigms <= LISTED:
        halves = _halves(len(sums))
        place = math.ceil(LEVEL / 2 * (len(halves) + 1) - 0.5) - 1
        return float(np.partition((halves @ sums) / (halves @ sizes), place)[place])
    t2 = student_quantile(paradigms - 1, 1 - LEVEL / 2) ** 2 if paradigms < FEWEST else 0.0
    far = paradigms * t2 / (paradigms - 1 + t2) if t2 else Z2
    total, rows = float(sums.sum()), float(sizes.sum())
    a, b = rows * rows - far * float(sizes @ sizes), total * rows - far * float(sums @ sizes)
    if a <= 0:
        return -1.0
    return (b - math.sqrt(max(0.0, b * b - a * (total * total - far * float(sums @ sums))))) / a


def _above_zero(sums: Floats, sizes: Floats) -> float:
    """The lower end where the test rejects 0 by a hair: the smallest half above 0, or just inside of the value."""
    if len(sums) <= LISTED:
        halves = _halves(len(sizes))
        found = (halves @ np.append(sums, 0.0)) / (halves @ sizes)
        return float(found[found > 0].min())
    return 1e-3 * float(sums.sum() / sizes.sum())


@lru_cache(maxsize=8)
def _halves(count: int) -> Floats:
    """All choices of one or more of so many, as rows of zeros and ones."""
    return ((np.arange(1, 2**count)[:, None] >> np.arange(count)) & 1).astype(np.float64)
