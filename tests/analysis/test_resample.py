from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from grice.analysis.statistics.correlation import moments, r_of
from grice.analysis.statistics.resample import clusters, interval, sums_by_cluster
from tests.hand import bootstrap


def test_rows_without_a_group_are_their_own_cluster() -> None:
    found = clusters(pl.Series(["a", None, "a", None], dtype=pl.String))
    assert found[0] == found[2] and len(set(found.tolist())) == 3


def test_the_matrix_bootstrap_agrees_with_the_plain_one() -> None:
    draw = np.random.default_rng(1)
    base = np.repeat(draw.normal(size=60), 3)
    x, y = base + draw.normal(size=180), base + draw.normal(size=180)
    groups = pl.Series([f"g{i // 3}" for i in range(180)])
    fast = interval(sums_by_cluster(moments(x, y), groups), r_of)
    plain = bootstrap(lambda rows: float(np.corrcoef(x[rows], y[rows])[0, 1]), groups)
    assert fast == pytest.approx(plain, abs=0.02)


def test_the_linearised_interval_of_many_clusters_agrees_with_fishers() -> None:
    draw = np.random.default_rng(2)
    x = draw.normal(size=5000)
    y = x + draw.normal(size=5000)
    low, high = interval(moments(x, y), r_of)
    z, half = np.arctanh(np.corrcoef(x, y)[0, 1]), 1.96 / np.sqrt(4997)
    assert (low, high) == pytest.approx((np.tanh(z - half), np.tanh(z + half)), abs=0.003)


def test_one_cluster_has_no_interval() -> None:
    assert interval(np.ones((1, 6)), r_of) == (None, None)
