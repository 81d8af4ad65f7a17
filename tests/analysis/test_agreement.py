from __future__ import annotations

from collections import Counter
from itertools import permutations

import numpy as np
import polars as pl
import pytest

from grice.analysis.alpha import alpha
from grice.analysis.instability import instability
from grice.analysis.kappa import kappa
from grice.core.errors import InputError
from tests.analysis.frames import LABELS, drawn, frame

E, N, C = LABELS


def brute_alpha(units: list[list[float]], level: str) -> float:
    """Krippendorff's definition, pair by pair."""
    units = [u for u in units if len(u) > 1]
    everything = sorted(v for u in units for v in u)
    count = Counter(everything)

    def distance(a: float, b: float) -> float:
        if level == "nominal":
            return float(a != b)
        if level == "interval":
            return (a - b) ** 2
        low, high = min(a, b), max(a, b)
        between = sum(n for v, n in count.items() if low <= v <= high)
        return (between - (count[a] + count[b]) / 2) ** 2

    within = sum(distance(a, b) / (len(u) - 1) for u in units for a, b in permutations(u, 2)) / len(
        everything
    )
    overall = sum(distance(a, b) for a, b in permutations(everything, 2)) / (
        len(everything) * (len(everything) - 1)
    )
    return 1 - within / overall


@pytest.mark.parametrize("level", ["ordinal", "interval"])
def test_alpha_of_numbers_is_the_pair_by_pair_definition(level: str) -> None:
    draw = np.random.default_rng(5)
    table = np.clip(
        draw.integers(-2, 3, size=(15, 1)) + draw.integers(-1, 2, size=(15, 3)), -2, 2
    ).astype(float)
    table[draw.random((15, 3)) < 0.2] = np.nan
    frames = [
        drawn(15, judge=j).with_columns(
            pl.Series("value", table[:, i], nan_to_null=True),
            pl.lit(None, dtype=pl.String).alias("answer"),
            *(pl.lit(None, dtype=pl.Float64).alias(f"p.{label}") for label in LABELS),
        )
        for i, j in enumerate("abc")
    ]
    found = alpha(level)(pl.concat(frames))
    units = [[v for v in row if np.isfinite(v)] for row in table]
    assert found is not None
    assert found.value == pytest.approx(brute_alpha(units, level))
    assert found.n == sum(len(u) > 1 for u in units)


def test_alpha_of_labels_is_the_pair_by_pair_definition_with_missing_answers() -> None:
    first: list[str | None] = [E, E, N, C, None, E]
    second: list[str | None] = [E, N, N, C, E, None]
    third: list[str | None] = [E, E, N, N, E, None]
    rows = pl.concat([frame(a, judge=j) for j, a in (("a", first), ("b", second), ("c", third))])
    units = [
        [float(LABELS.index(v)) for v in unit if v]
        for unit in zip(first, second, third, strict=True)
    ]
    found = alpha("nominal")(rows)
    assert found is not None and found.n == 5
    assert found.value == pytest.approx(brute_alpha(units, "nominal"))


def test_kappa_of_two_judges_is_cohens() -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    one, two = drawn(60, judge="one"), drawn(60, judge="two")
    found = kappa()(pl.concat([one, two]))
    assert found is not None and found.n == 60
    assert found.value == pytest.approx(
        metrics.cohen_kappa_score(one["answer"].to_list(), two["answer"].to_list())
    )


def test_one_judge_alone_cannot_agree() -> None:
    with pytest.raises(InputError, match="two judges"):
        kappa()(frame([E, N]))


def test_instability_splits_the_variance_of_accuracy_over_seeds() -> None:
    seeds = pl.concat([drawn(50, judge=f"seed{i}") for i in range(5)])
    table = np.stack(
        [(part["answer"] == part["gold.label"]).to_numpy() for part in seeds.partition_by("judge")],
        axis=1,
    ).astype(float)
    total, independent, covariance = (
        instability(p, "label")(seeds) for p in ("total", "independent", "covariance")
    )
    assert total is not None and independent is not None and covariance is not None
    assert total.value == pytest.approx(np.std(table.mean(axis=0), ddof=1))
    matrix = np.cov(table, ddof=1)
    assert independent.value == pytest.approx(np.sqrt(np.trace(matrix)) / 50)
    assert covariance.value == pytest.approx((matrix.sum() - np.trace(matrix)) / 50**2)


def test_seeds_that_never_differ_are_perfectly_stable() -> None:
    rows = pl.concat([frame([E, N], [E, E], judge=j) for j in "ab"])
    found = instability("total")(rows)
    assert found is not None and found.value == 0.0
