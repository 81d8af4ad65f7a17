"""Intervals hold the truth as often as they promise; the long version is benchmarks/coverage.py."""

from __future__ import annotations

import pytest
from benchmarks.coverage import (
    Coverage,
    simulate_calibration,
    simulate_power,
    simulate_projection,
    simulate_share,
)

TRIALS = 200


def assert_covers(found: Coverage, most: float = 0.97) -> None:
    """93–97% (or as said), give or take what 200 trials can be off by."""
    assert 0.93 - 0.03 <= found.coverage <= most + 0.03


@pytest.mark.slow
@pytest.mark.parametrize("count", [8, 20, 100])
def test_shares_and_projection_are_covered(count: int) -> None:
    assert_covers(simulate_share(count, 0.8, trials=TRIALS))
    assert_covers(simulate_projection(count, 0.7, trials=TRIALS))


@pytest.mark.slow
@pytest.mark.parametrize("count", [8, 20, 100])
@pytest.mark.parametrize("slope", [1.0, 0.6])
def test_calibration_is_covered_for_a_judge_that_is_calibrated_and_one_that_is_too_sure(
    count: int, slope: float
) -> None:
    """A percentile bootstrap of a calibrated judge's gap never held the truth, which is 0."""
    assert_covers(simulate_calibration("ece", count, slope, trials=TRIALS), 0.98)
    assert_covers(simulate_calibration("brier", count, slope, trials=TRIALS))


@pytest.mark.slow
def test_a_difference_is_found_as_often_as_by_a_logistic_model() -> None:
    ours, theirs = simulate_power(20, (0.8, 0.65), trials=40)
    assert 0.3 < theirs < 0.95 and abs(ours - theirs) <= 0.1
