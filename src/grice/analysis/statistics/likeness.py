"""Human likeness of one judge, and the difference of two judges in it or in a distance.

The intervals are over items, the words in them, and people.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl

from grice.analysis.statistics.correlation import moments, r_of
from grice.analysis.statistics.crossed import (
    StandardError,
    correlation_influence,
    correlation_interval,
    crossed_error,
)
from grice.analysis.statistics.distances import Distances, mean_distance
from grice.analysis.statistics.paired import strata
from grice.analysis.statistics.raters import RatedItems, mean_noise, rated_items
from grice.analysis.statistics.resample import clusters
from grice.core.estimate import Estimate, Floats
from grice.tables.comparison import PairedDifference


@dataclass(frozen=True)
class LikenessScore:
    """Correlation of a judge with human means, its noise ceiling, and `likeness`, their ratio."""

    likeness: Estimate
    ceiling: Estimate
    correlation: float

    def to_json(self) -> dict[str, Any]:
        """Return the estimates with n and intervals, by name."""
        return {
            **vars(self),
            "likeness": self.likeness.to_json(),
            "ceiling": self.ceiling.to_json(),
        }


@dataclass(frozen=True)
class _Reliability:
    """Reliability of human means: 1 − noise / variance, with the influences on it."""

    value: float
    noise: float
    of_items: Floats
    of_means: Floats

    @property
    def top(self) -> float:
        """The noise ceiling: the highest correlation to be expected with these means."""
        return float(np.sqrt(self.value))


def _reliability(rated: RatedItems) -> _Reliability | None:
    """Return the reliability of the means; None if they vary by no more than noise."""
    rows = rated.rows
    mean, noises, n = rows["mean"].to_numpy(), rows["noise"].to_numpy(), rows.height
    variance = float(mean.var(ddof=1)) if n > 2 else 0.0
    noise = mean_noise(rated) if variance else 0.0
    if variance <= 1e-15 or noise >= variance:
        return None
    beyond = mean - mean.mean()
    raw = float(noises.mean())
    relative = noises * (noise / raw) if raw else noises
    of_items = (-relative + noise * beyond**2 / variance) / variance / n
    of_means = noise / variance**2 * 2 * beyond / n
    return _Reliability(1 - noise / variance, noise / variance, of_items, of_means)


def ceiling_of(means: Floats, noise: Sequence[float]) -> float | None:
    """Return the noise ceiling of known means and the variances of their noise."""
    variance = float(means.var(ddof=1)) if len(means) > 2 else 0.0
    share = 1 - float(np.mean(noise)) / variance if variance else 0.0
    return share**0.5 if share > 0 else None


def noise_ceiling(frame: pl.DataFrame, tag: str = "") -> Estimate | None:
    """Return the noise ceiling of human means, with its interval over items and people.

    It is the square root of their reliability; the interval is Student's t on the logarithm of the
    share of noise.
    """
    rated = rated_items(frame, tag)
    reliability = _reliability(rated)
    return None if reliability is None else _ceiling(rated, reliability)


def _ceiling(rated: RatedItems, reliability: _Reliability) -> Estimate:
    n = rated.rows.height
    influence = rated.with_influence(reliability.of_items, reliability.of_means)
    error = crossed_error(influence, rated.factors())
    if error is None or reliability.noise <= 0:
        return Estimate(reliability.top, n)
    half = error.t * error.error / reliability.noise
    low, high = (
        float(np.sqrt(max(0.0, 1 - reliability.noise * np.exp(side)))) for side in (half, -half)
    )
    return Estimate(reliability.top, n, low, high)


def _likeness(
    rated: RatedItems, column: str, reliability: _Reliability
) -> tuple[float, Floats] | None:
    """Return a judge's correlation, and the influence of each reply on its likeness."""
    answers, mean = rated.rows[column].to_numpy(), rated.rows["mean"].to_numpy()
    r = float(r_of(moments(answers, mean).sum(axis=0)))
    if not np.isfinite(r):
        return None
    n, top = len(answers), reliability.top
    a, b = ((side - side.mean()) / side.std() for side in (answers, mean))
    by_top = r / top / (2 * reliability.value)
    of_items = correlation_influence(answers, mean, r) / top - by_top * reliability.of_items
    of_means = (a - r * b) / (mean.std() * n) / top - by_top * reliability.of_means
    return r, rated.with_influence(of_items, of_means)


def score_likeness(frame: pl.DataFrame, tag: str = "") -> LikenessScore | None:
    """Return the score of one judge; None for fewer than three rated items or if nothing varies."""
    answered = frame.filter(pl.col("answer").is_not_null() | pl.col("value").is_not_null())
    if answered.is_empty():
        return None
    rated = rated_items(answered, tag)
    reliability = _reliability(rated)
    scored = None if reliability is None else _likeness(rated, "said", reliability)
    if reliability is None or scored is None:
        return None
    r, influence = scored
    error = crossed_error(influence, rated.factors())
    ends = correlation_interval(r, error, reliability.top)
    return LikenessScore(
        Estimate(r / reliability.top, rated.rows.height, *ends), _ceiling(rated, reliability), r
    )


def compare_people(
    frame: pl.DataFrame,
    a: str,
    b: str,
    tag: str,
    *,
    distances: Distances | None = None,
    by: str = "",
) -> list[PairedDifference]:
    """Compare two judges on the items both answered, in human likeness or the mean of `distances`.

    The interval is over items (whole groups, and words crossed with them) and, if identified,
    people; p is that of the same error. `only_a` and `only_b` count the items on which one is
    nearer to people. A stratum without a number is left out.
    """
    differences = []
    for name, part in strata(frame, by).items():
        rows_a, rows_b = (part.filter(pl.col("judge") == judge) for judge in (a, b))
        if distances:
            pairing = _pair_distances(rows_a, rows_b, tag, distances)
        else:
            pairing = _pair_likenesses(rows_a, rows_b, tag)
        if pairing is not None:
            estimate, error, nearer, n_paradigms = pairing
            p = error.p_value(estimate.value) if error else 1.0
            differences.append(PairedDifference(name, a, b, estimate, *nearer, p, p, n_paradigms))
    return differences


# The difference and its error, on how many items each judge is nearer to people, and the paradigms.
Pairing = tuple[Estimate, StandardError | None, tuple[int, int], int]


def _pair_distances(
    rows_a: pl.DataFrame, rows_b: pl.DataFrame, tag: str, distances: Distances
) -> Pairing | None:
    rows = distances(rows_a, tag).join(
        distances(rows_b, tag).select("id", "distance", "moved"),
        on="id",
        suffix="_b",
        maintain_order="left",
    )
    difference = pl.col("distance") - pl.col("distance_b")
    moved = pl.col("moved") - pl.col("moved_b")
    both = rows.with_columns(difference.alias("distance"), moved.alias("moved"))
    result = mean_distance(both)
    if result is None:
        return None
    nearer = int((both["distance"] < 0).sum()), int((both["distance"] > 0).sum())
    return *result, nearer, _count_paradigms(rows)


def _pair_likenesses(rows_a: pl.DataFrame, rows_b: pl.DataFrame, tag: str) -> Pairing | None:
    replied = pl.col("answer").is_not_null() | pl.col("value").is_not_null()
    rows_a, rows_b = rows_a.filter(replied), rows_b.filter(replied)
    rows_a = rows_a.join(rows_b, on="id", how="semi")
    if rows_a.is_empty():
        return None
    rated = rated_items(rows_a, tag)
    second = rated_items(rows_b, tag).rows.select("id", pl.col("said").alias("b"))
    rated = replace(rated, rows=rated.rows.join(second, on="id", maintain_order="left"))
    reliability = _reliability(rated)
    if reliability is None:
        return None
    scores = [_likeness(rated, column, reliability) for column in ("said", "b")]
    if scores[0] is None or scores[1] is None:
        return None
    value = (scores[0][0] - scores[1][0]) / reliability.top
    error = crossed_error(scores[0][1] - scores[1][1], rated.factors())
    columns = {name: rated.rows[name].to_numpy() for name in ("said", "b", "mean")}
    standard = {name: (values - values.mean()) / values.std() for name, values in columns.items()}
    errors_a, errors_b = (np.abs(standard[name] - standard["mean"]) for name in ("said", "b"))
    nearer = int((errors_a < errors_b).sum()), int((errors_a > errors_b).sum())
    ends = error.around(value) if error else (None, None)
    estimate = Estimate(value, rated.rows.height, *ends)
    return estimate, error, nearer, _count_paradigms(rated.rows)


def _count_paradigms(rows: pl.DataFrame) -> int:
    return int(clusters(rows["group"]).max()) + 1 if rows.height else 0
