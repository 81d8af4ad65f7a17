"""Human likeness of one judge, and the difference of two judges in it or in a distance.

The intervals are over items and people.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import erfc, sqrt
from typing import Any

import numpy as np
import polars as pl

from grice.analysis.statistics.correlation import moments, r_of
from grice.analysis.statistics.distances import Distances, mean_distance
from grice.analysis.statistics.paired import strata
from grice.analysis.statistics.raters import explainable, join_people, rater_variance, widen
from grice.analysis.statistics.resample import Z95, clusters, interval, sums_by_cluster
from grice.core.estimate import Estimate, Floats
from grice.tables.comparison import PairedDifference


@dataclass(frozen=True)
class LikenessScore:
    """How human one judge is: its correlation with human means and their noise ceiling.

    `likeness` is the ratio of the two.
    """

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


def score_likeness(frame: pl.DataFrame, tag: str = "") -> LikenessScore | None:
    """Return the score of one judge; None for fewer than three rated items or if nothing varies."""
    rows = join_people(frame, tag)
    if rows.height < 3:
        return None
    columns = _columns(rows, "said")
    ratio, top = (float(statistic(columns.sum(axis=0))) for statistic in (_likeness, _ceiling))
    if not np.isfinite(ratio):
        return None
    sums = sums_by_cluster(columns, rows["group"])
    more = rater_variance(frame, rows, tag) / top**2
    likeness = Estimate(ratio, rows.height, *widen(ratio, interval(sums, _likeness), more))
    return LikenessScore(
        likeness, Estimate(top, rows.height, *interval(sums, _ceiling, least=0.0)), ratio * top
    )


def _columns(rows: pl.DataFrame, column: str) -> Floats:
    """Return the moments of the judge's numbers with human means, and the noise of these means."""
    pairs = moments(rows[column].to_numpy(), rows["mean"].to_numpy())
    return np.concatenate([pairs, rows["noise"].to_numpy()[:, None]], axis=1)


def _ceiling(sums: Floats) -> Floats:
    return explainable(sums[..., [0, 2, 4, 6]])


def _likeness(sums: Floats) -> Floats:
    value: Floats = r_of(sums[..., :6]) / _ceiling(sums)
    return value


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

    The interval is over items (whole groups) and, if identified, people; p is that of the same
    error. `only_a` and `only_b` count the items on which one is nearer to people. A stratum without
    a number is left out.
    """
    differences = []
    for name, part in strata(frame, by).items():
        rows_a, rows_b = (part.filter(pl.col("judge") == judge) for judge in (a, b))
        pairing = (
            _pair_distances(rows_a, rows_b, tag, distances)
            if distances
            else _pair_likenesses(rows_a, rows_b, tag)
        )
        if pairing is not None:
            estimate, nearer, n_paradigms = pairing
            p = _p_value(estimate)
            differences.append(PairedDifference(name, a, b, estimate, *nearer, p, p, n_paradigms))
    return differences


# The difference, on how many items each judge is nearer to people, and the paradigms.
Pairing = tuple[Estimate, tuple[int, int], int]


def _pair_distances(
    rows_a: pl.DataFrame, rows_b: pl.DataFrame, tag: str, distances: Distances
) -> Pairing | None:
    rows = distances(rows_a, tag).join(
        distances(rows_b, tag), on="id", suffix="_b", maintain_order="left"
    )
    difference = pl.col("distance") - pl.col("distance_b")
    moved = pl.col("moved") - pl.col("moved_b")
    both = rows.select("id", "group", difference.alias("distance"), "raters", moved.alias("moved"))
    estimate = mean_distance(both)
    if estimate is None:
        return None
    nearer = int((both["distance"] < 0).sum()), int((both["distance"] > 0).sum())
    return estimate, nearer, _count_paradigms(rows)


def _pair_likenesses(rows_a: pl.DataFrame, rows_b: pl.DataFrame, tag: str) -> Pairing | None:
    rows = join_people(rows_a, tag).join(
        join_people(rows_b, tag).select("id", pl.col("said").alias("b")),
        on="id",
        maintain_order="left",
    )
    if rows.height < 3:
        return None
    columns = np.concatenate([_columns(rows, "said"), _columns(rows, "b")], axis=1)

    def difference(sums: Floats) -> Floats:
        value: Floats = _likeness(sums[..., :7]) - _likeness(sums[..., 7:])
        return value

    total = columns.sum(axis=0)
    value, top = float(difference(total)), float(_ceiling(total[:7]))
    if not np.isfinite(value):
        return None
    more = rater_variance(rows_a, rows, tag, against="b") / top**2
    ends = widen(value, interval(sums_by_cluster(columns, rows["group"]), difference), more)
    standard = {name: _standardize(rows[name].to_numpy()) for name in ("said", "b", "mean")}
    errors_a, errors_b = (np.abs(standard[name] - standard["mean"]) for name in ("said", "b"))
    nearer = int((errors_a < errors_b).sum()), int((errors_a > errors_b).sum())
    return Estimate(value, rows.height, *ends), nearer, _count_paradigms(rows)


def _standardize(values: Floats) -> Floats:
    scaled: Floats = (values - values.mean()) / values.std()
    return scaled


def _count_paradigms(rows: pl.DataFrame) -> int:
    return int(clusters(rows["group"]).max()) + 1 if rows.height else 0


def _p_value(estimate: Estimate) -> float:
    """Return the two-sided p that agrees with the interval: it excludes 0 exactly where p < .05."""
    if estimate.low is None or estimate.high is None:
        return 1.0
    half = estimate.value - estimate.low if estimate.value > 0 else estimate.high - estimate.value
    return (
        erfc(Z95 * abs(estimate.value) / half / sqrt(2)) if half > 0 else float(estimate.value == 0)
    )
