"""Student's t and the fair coin beside scipy's."""

from __future__ import annotations

import pytest
from scipy import special, stats

from grice.core.distributions import fair_coin_cdf, student_cdf, student_quantile


@pytest.mark.parametrize("df", [1, 2, 3, 9, 30, 199, 5_000, 100_000])
@pytest.mark.parametrize("share", [0.025, 0.4, 0.5, 0.9, 0.975, 0.9995])
def test_the_quantile_of_t_is_scipys(df: int, share: float) -> None:
    assert student_quantile(df, share) == pytest.approx(float(special.stdtrit(df, share)), rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("value", [-40.0, -2.0, 0.0, 0.3, 5.0])
def test_the_distribution_of_t_is_scipys(value: float) -> None:
    for df in (1, 7, 250):
        assert student_cdf(df, value) == pytest.approx(float(stats.t.cdf(value, df)), rel=1e-9)


@pytest.mark.parametrize(("heads", "throws"), [(0, 1), (0, 40), (3, 9), (50, 100), (8_000, 17_100), (10, 10)])
def test_the_fair_coin_is_scipys_and_exact(heads: int, throws: int) -> None:
    assert fair_coin_cdf(heads, throws) == pytest.approx(float(special.bdtr(heads, throws, 0.5)), rel=1e-9)
