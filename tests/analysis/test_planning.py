"""What is planned is what happens: the smallest difference is found as often as was asked."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from scipy import stats

from grice.analysis.statistics.planning import (
    Spread,
    measure_spread,
    paradigms_needed,
    smallest_difference,
)
from grice.analysis.statistics.swaps import swap_test
from grice.core.estimate import Floats


def drawn(count: int, items: int, means: tuple[float, float], draw: np.random.Generator) -> Floats:
    """Paradigms × items of two judges' difference, whose difficulty the judges share in part."""
    shared = draw.normal(size=count)
    right = []
    for mean in means:
        ability = stats.norm.cdf(np.sqrt(0.5) * (shared + draw.normal(size=count)))
        right.append(
            draw.random((count, items)) < stats.beta.ppf(ability, 4 * mean, 4 * (1 - mean))[:, None]
        )
    difference: Floats = right[0].astype(float) - right[1]
    return difference


def measured(rows: Floats) -> Spread:
    groups = np.repeat(np.arange(len(rows)), rows.shape[1]).astype(str)
    found = measure_spread(pl.Series(rows.ravel()), pl.Series(groups))
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("count", "items", "mean"), [(8, 12, 0.6), (20, 6, 0.7), (100, 6, 0.9), (300, 1, 0.8)]
)
def test_the_smallest_difference_is_found_four_times_in_five(
    count: int, items: int, mean: float
) -> None:
    draw, trials = np.random.default_rng([count, 11]), 600
    pilot = measured(drawn(5000, items, (mean, mean), draw))
    least = smallest_difference(count, pilot)
    assert least is not None and paradigms_needed(least, pilot) == count
    found = [
        swap_test(drawn(count, items, (mean + least / 2, mean - least / 2), draw).sum(axis=1))
        < 0.05
        for _ in range(trials)
    ]
    assert 0.74 <= np.mean(found) <= 0.86


def test_a_pilot_gives_back_the_correlation_it_was_made_with() -> None:
    draw = np.random.default_rng(3)
    own = draw.random((4000, 1)) < 0.5
    rows = np.where(
        draw.random((4000, 5)) < np.sqrt(0.3), own, draw.random((4000, 5)) < 0.5
    ).astype(float)
    found = measured(2 * rows - 1)
    assert found.icc == pytest.approx(0.3, abs=0.02) and found.variance == 1 and found.items == 5
    assert found.design_effect == pytest.approx(2.2, abs=0.1)
    assert measured(np.array([[1.0], [0.0], [1.0]])) == Spread(1, 2 / 3, 0)
    assert measured(np.array([[1.0, -1.0], [-1.0, 1.0], [1.0, -1.0]])).icc == -1
    assert measured(np.zeros((4, 3))) == Spread(3, 0, 0)
    assert measure_spread(pl.Series([1.0, 0.0]), pl.Series(["g", "g"])) is None


def test_more_paradigms_show_less_and_too_few_show_nothing() -> None:
    spread = Spread(items=6, variance=0.3, icc=0.2)
    each = [smallest_difference(count, spread) for count in (6, 20, 100, 1000)]
    assert each == sorted((x for x in each if x is not None), reverse=True)
    assert smallest_difference(5, spread) is None, "five paradigms have no p under 0.05"
    assert smallest_difference(6, spread, level=0.05 / 20) is None, (
        "nor have six one under 0.05 / 20"
    )
    assert smallest_difference(6, Spread(items=1, variance=1.0)) is None, (
        "a difference over 1 cannot be"
    )
    assert paradigms_needed(0.2, spread) == 22 and paradigms_needed(0.0, spread) is None


def test_rows_that_differ_are_no_fewer_than_the_difference() -> None:
    """Two judges that never differed in a pilot could still differ by what so many paradigms would
    not show.
    """
    found = smallest_difference(100, Spread(variance=0.0))
    assert found is not None and 0.05 < found < 0.1
