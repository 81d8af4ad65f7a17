from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl
import pytest
from scipy import stats
from tests.hand import bootstrap

from grice.core.estimate import Estimate, mean, weights, wilson


def column(values: Sequence[float | None]) -> pl.Series:
    return pl.Series(values, dtype=pl.Float64)


def test_no_rows_give_no_estimate() -> None:
    assert mean(column([])) is None
    assert mean(column([None, None])) is None
    with pytest.raises(ValueError, match="at least one row"):
        Estimate(0.0, 0)


@pytest.mark.parametrize(("right", "n"), [(0, 5), (5, 5), (7, 10), (412, 900)])
def test_shares_of_independent_rows_have_wilsons_interval(right: int, n: int) -> None:
    found = mean(column([1.0] * right + [0.0] * (n - right)))
    theirs = stats.binomtest(right, n).proportion_ci(method="wilson")
    assert found is not None
    assert (found.low, found.high) == pytest.approx((theirs.low, theirs.high), abs=1e-9)


def test_means_of_independent_rows_have_the_t_interval() -> None:
    values = [1.0, 4.0, 3.5, 8.0]
    found = mean(column(values))
    theirs = stats.t.interval(0.95, 3, loc=np.mean(values), scale=stats.sem(values))
    assert found is not None
    assert (found.low, found.high) == pytest.approx(theirs)
    assert mean(column([0.3])) == Estimate(0.3, 1, None, None)


def test_rows_of_a_group_are_drawn_together() -> None:
    values, groups = column([1.0] * 50 + [0.0] * 50), pl.Series([f"g{i // 10}" for i in range(100)])
    alone, together = mean(values), mean(values, groups)
    assert alone and together and alone.low is not None and together.low is not None
    assert together.low < alone.low, "ten clusters tell less than a hundred rows"
    assert mean(values, groups) == together, "the same rows give the same interval"


@pytest.mark.parametrize("point", [-2.0, -1.0, 0.0, 1.0, 2.0])
def test_equal_ratings_have_an_interval_on_their_own_scale(point: float) -> None:
    ratings = mean(column([point] * 30), ends=(-2.0, 2.0))
    unlike = wilson(0.0, 30)[1]
    assert ratings is not None and ratings.low is not None and ratings.high is not None
    assert (ratings.low, ratings.high) == pytest.approx(
        (point - (point + 2) * unlike, point + (2 - point) * unlike)
    )
    one_apart = mean(column([point] * 29 + [0.5]), ends=(-2.0, 2.0))
    assert one_apart is not None and one_apart.low is not None and one_apart.high is not None
    assert -2 <= one_apart.low < one_apart.value < one_apart.high <= 2


def test_clusters_that_all_agree_do_not_claim_certainty() -> None:
    found = mean(column([1.0] * 20), pl.Series([f"g{i // 2}" for i in range(20)]))
    assert found is not None
    assert (found.low, found.high) == pytest.approx(wilson(1.0, 10))
    groups = pl.Series([f"g{i // 2}" for i in range(20)])
    half = mean(column([1.0, 0.0] * 10), groups)
    unlike = wilson(0.0, 10)[1]
    assert half is not None and (half.low, half.high) == pytest.approx(
        (0.5 - 0.5 * unlike, 0.5 + 0.5 * unlike)
    )
    numbers = mean(column([0.3, 0.5] * 10), groups)
    assert numbers is not None and numbers.low == numbers.high, (
        "numbers without ends tell nothing of the unseen"
    )


def test_means_of_clustered_numbers_stay_where_numbers_can_be() -> None:
    draw = np.random.default_rng(0)
    groups = pl.Series([f"g{i // 4}" for i in range(32)])
    for least, values in ((0.0, draw.beta(0.1, 4, 32)), (-1.0, 1 - 2 * draw.beta(0.1, 4, 32))):
        found = mean(pl.Series(values), groups)
        assert found and found.low is not None and found.high is not None
        assert least <= found.low < found.value < found.high <= 1
    wide = mean(pl.Series(100 * draw.random(32)), groups)
    assert (
        wide
        and wide.low
        and wide.high
        and wide.value - wide.low == pytest.approx(wide.high - wide.value)
    )


@pytest.mark.parametrize("least", [0.0, -1.0])
def test_means_of_independent_probabilities_and_differences_stay_where_they_can_be(
    least: float,
) -> None:
    draw = np.random.default_rng(0)
    values = 1 - (1 - least) * draw.beta(0.1, 4, 32)
    found = mean(pl.Series(values))
    half = stats.t.ppf(0.975, 31) * stats.sem(values)
    assert found and found.low is not None and found.high is not None
    assert found.value + half > 1, "Student's interval would be beyond 1"
    assert least <= found.low < found.value < found.high <= 1


def test_the_interval_of_independent_probabilities_covers_the_truth() -> None:
    draw, hits, trials = np.random.default_rng(1), 0, 1000
    for _ in range(trials):
        found = mean(pl.Series(draw.beta(3, 0.5, 30)))
        assert found and found.low is not None and found.high is not None
        hits += found.low <= 3 / 3.5 <= found.high
    assert 0.93 <= hits / trials <= 0.97


def test_the_mean_counts_only_known_values() -> None:
    found = mean(column([1.0, 0.0, None]))
    assert found is not None
    assert (found.value, found.n) == (0.5, 2)


def test_the_bootstrap_of_any_statistic_agrees_with_that_of_the_mean() -> None:
    values = np.array([1.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 1.0] * 10)
    groups = pl.Series([f"g{i // 4}" for i in range(80)])
    low, high = bootstrap(lambda rows: float(values[rows].mean()), groups, seed=1)
    quick = mean(pl.Series(values), groups)
    assert low and high and quick and quick.low and quick.high
    assert (low, high) == pytest.approx((quick.low, quick.high), abs=0.02)


def test_bootstrap_weights_draw_as_many_clusters_as_there_are() -> None:
    assert (weights(7).sum(axis=1) == 7).all()


@pytest.mark.slow
@pytest.mark.parametrize("clusters", [8, 20, 100])
@pytest.mark.parametrize(
    ("size", "shape"), [(6, (4, 2)), (19, (2, 2)), (12, (6, 2)), (12, (18, 2))]
)
def test_intervals_of_clustered_rows_cover_the_truth(
    clusters: int, size: int, shape: tuple[int, int]
) -> None:
    draw, hits, trials = np.random.default_rng([clusters, 3]), 0, 1500
    truth = shape[0] / sum(shape)
    groups = pl.Series(np.repeat(np.arange(clusters), size).astype(str))
    for _ in range(trials):
        rows = draw.random((clusters, size)) < draw.beta(*shape, clusters)[:, None]
        found = mean(pl.Series(rows.ravel().astype(float)), groups)
        assert found and found.low is not None and found.high is not None
        hits += found.low <= truth <= found.high
    assert 0.93 <= hits / trials <= 0.97
