"""Student's t beside scipy's."""

from __future__ import annotations

import pytest
from scipy import special, stats

from grice.core.distributions import student_cdf, student_quantile


@pytest.mark.parametrize("df", [1, 2, 3, 9, 30, 199, 5_000, 100_000])
@pytest.mark.parametrize("share", [0.025, 0.4, 0.5, 0.9, 0.975, 0.9995])
def test_the_quantile_of_t_is_scipys(df: int, share: float) -> None:
    assert student_quantile(df, share) == pytest.approx(
        float(special.stdtrit(df, share)), rel=1e-9, abs=1e-9
    )


@pytest.mark.parametrize("value", [-40.0, -2.0, 0.0, 0.3, 5.0])
def test_the_distribution_of_t_is_scipys(value: float) -> None:
    for df in (1, 7, 250):
        assert student_cdf(df, value) == pytest.approx(float(stats.t.cdf(value, df)), rel=1e-9)
