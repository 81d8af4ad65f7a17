"""How often intervals hold the truth and tests raise false alarms with 8, 20 and 100 paradigms, on data whose truth is known.

python -m benchmarks.coverage [--trials 2000]            (some minutes)
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from scipy.special import betaincinv, ndtr

from grice.analysis.statistics.swaps import swap_interval, swap_test
from grice.core.estimate import Floats

COUNTS = (8, 20, 100)
# How much the items of a paradigm are alike: the correlation of two of them is 1 / (1 + LOOSE).
LOOSE = 4.0


@dataclass(frozen=True)
class Coverage:
    """The share of trials whose interval lay below the truth, and above it, and of those whose test rejected no difference."""

    below: float
    above: float
    alarms: float = float("nan")

    @property
    def coverage(self) -> float:
        """The share of trials whose interval holds the truth."""
        return 1 - self.below - self.above


def count_misses(truth: float, found: Iterable[tuple[float | None, float | None, float]]) -> Coverage:
    """Of the two ends and the p of each trial."""
    ends = np.array([(low, high, p) for low, high, p in found], dtype=np.float64)
    assert not np.isnan(ends[:, :2]).any()
    misses = (ends[:, 1] < truth - 1e-12).mean(), (ends[:, 0] > truth + 1e-12).mean(), (ends[:, 2] < 0.05).mean()
    return Coverage(*map(float, misses))


def draw_abilities(count: int, means: Iterable[float], draw: np.random.Generator) -> list[Floats]:
    """For each judge how likely it is right in each paradigm; half of a paradigm's difficulty is shared by the judges."""
    shared = draw.normal(size=count)
    places = [ndtr(np.sqrt(0.5) * (shared + draw.normal(size=count))) for _ in means]
    return [betaincinv(LOOSE * m, LOOSE * (1 - m), place) for place, m in zip(places, means, strict=True)]


def simulate_difference(count: int, means: tuple[float, float], *, trials: int) -> Coverage:
    """Two judges on paradigms of 6 to 14 items, compared as `grice compare` does."""
    draw = np.random.default_rng([count, 7])

    def trial() -> tuple[float | None, float | None, float]:
        sizes = draw.integers(6, 15, size=count)
        place = np.repeat(np.arange(count), sizes)
        one, two = ((draw.random(len(place)) < each[place]) for each in draw_abilities(count, means, draw))
        better = one.astype(np.float64) - two
        sums = np.bincount(place, better)
        p = swap_test(sums)
        low, high = swap_interval(sums, sizes.astype(np.float64), float(np.abs(better).sum()), p)
        assert low is not None and high is not None and -1 <= low <= better.mean() <= high <= 1
        assert (low > 0 or high < 0) == (p < 0.05), "interval and test never disagree"
        return low, high, p

    return count_misses(means[0] - means[1], (trial() for _ in range(trials)))
