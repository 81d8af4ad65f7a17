"""Agreement with the people who answered the same items: distances, human likeness, differences.

The intervals are over items and people.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import erfc, sqrt
from typing import Any

import numpy as np
import polars as pl

from grice.analysis.statistics.correlation import moments, r_of
from grice.analysis.statistics.raters import beside_people, explainable, rater_variance, widen
from grice.analysis.statistics.resample import Z95, clusters, interval, sums_by_cluster
from grice.core.comparison import PairedDifference
from grice.core.dataset import column_of
from grice.core.estimate import Estimate, Floats, mean

# The distance of a judge's answer to people's answers to the same item.
Distance = Callable[[Sequence[Any]], float]
# `id, group, distance`, and for each reply its rater and the change of the distance without it.
ITEM_DISTANCES: dict[str, pl.DataType] = {
    "id": pl.String(),
    "group": pl.String(),
    "distance": pl.Float64(),
    "raters": pl.List(pl.String),
    "moved": pl.List(pl.Float64),
}


def item_distance(
    far: Distance, answers: Sequence[Any], raters: Sequence[str]
) -> tuple[float, list[str], list[float]]:
    """Return the distance of one item to all answers, their raters, and the jackknife terms."""
    k = len(answers)
    if k < 2 or not all(raters):
        return far(answers), [], []
    without = np.array([far([*answers[:i], *answers[i + 1 :]]) for i in range(k)])
    return far(answers), list(raters), (sqrt((k - 1) / k) * (without - without.mean())).tolist()


def mean_distance(rows: pl.DataFrame, *, least: float | None = None) -> Estimate | None:
    """Return the mean over items with an interval over items and, if identified, over people.

    `least` is the lowest distance where 1 is the highest.
    """
    estimate = mean(rows["distance"], rows["group"])
    if estimate is None:
        return None
    low, high = widen(
        estimate.value, (estimate.low, estimate.high), shared_variance(rows), least=least
    )
    return replace(estimate, low=low, high=high)


def shared_variance(rows: pl.DataFrame) -> float:
    """Return the variance of the mean added by people who answered several items.

    The variance of single replies is not included.
    """
    replies = rows.select("raters", "moved").explode("raters", "moved").drop_nulls()
    if replies.is_empty():
        return 0.0
    by_person = (
        replies.group_by("raters", maintain_order=True)
        .agg(pl.col("moved").drop_nulls().sum())["moved"]
        .to_numpy()
    )
    alone = replies["moved"].to_numpy()
    return max(0.0, float(by_person @ by_person - alone @ alone)) / rows.height**2


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
    rows = beside_people(frame, tag)
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
    distances: Callable[[pl.DataFrame, str], pl.DataFrame] | None = None,
    by: str = "",
) -> list[PairedDifference]:
    """Compare two judges on the items both answered, in human likeness or the mean of `distances`.

    The interval is over items (whole groups) and, if identified, people; p is that of the same
    error. `only_a` and `only_b` count the items on which one is nearer to people. A stratum without
    a number is left out.
    """
    parts: dict[str, pl.DataFrame] = {"": frame}
    if by:
        column = column_of(frame, by)
        frame = frame.explode(column) if frame.schema[column] == pl.List(pl.String) else frame
        named = frame.drop_nulls(column).partition_by(column, as_dict=True)
        parts = {
            str(name): part for (name,), part in sorted(named.items(), key=lambda p: str(p[0]))
        }
    differences = []
    for name, part in parts.items():
        rows_a, rows_b = (part.filter(pl.col("judge") == judge) for judge in (a, b))
        pairing = (
            _distances(rows_a, rows_b, tag, distances)
            if distances
            else _likenesses(rows_a, rows_b, tag)
        )
        if pairing is not None:
            differences.append(
                PairedDifference(
                    name,
                    a,
                    b,
                    pairing[0],
                    *pairing[1],
                    _chance(pairing[0]),
                    _chance(pairing[0]),
                    pairing[2],
                )
            )
    return differences


Pairing = tuple[Estimate, tuple[int, int], int]


def _distances(
    rows_a: pl.DataFrame,
    rows_b: pl.DataFrame,
    tag: str,
    distances: Callable[[pl.DataFrame, str], pl.DataFrame],
) -> Pairing | None:
    rows = distances(rows_a, tag).join(
        distances(rows_b, tag), on="id", suffix="_b", maintain_order="left"
    )
    apart = rows["distance"] - rows["distance_b"]
    both = rows.select(
        "id",
        "group",
        apart.alias("distance"),
        "raters",
        (pl.col("moved") - pl.col("moved_b")).alias("moved"),
    )
    estimate = mean_distance(both)
    return (
        (estimate, (int((apart < 0).sum()), int((apart > 0).sum())), _paradigms(rows))
        if estimate
        else None
    )


def _likenesses(rows_a: pl.DataFrame, rows_b: pl.DataFrame, tag: str) -> Pairing | None:
    rows = beside_people(rows_a, tag).join(
        beside_people(rows_b, tag).select("id", pl.col("said").alias("b")),
        on="id",
        maintain_order="left",
    )
    if rows.height < 3:
        return None
    columns = np.concatenate([_columns(rows, "said"), _columns(rows, "b")], axis=1)

    def apart(sums: Floats) -> Floats:
        value: Floats = _likeness(sums[..., :7]) - _likeness(sums[..., 7:])
        return value

    total = columns.sum(axis=0)
    value, top = float(apart(total)), float(_ceiling(total[:7]))
    if not np.isfinite(value):
        return None
    more = rater_variance(rows_a, rows, tag, against="b") / top**2
    ends = widen(value, interval(sums_by_cluster(columns, rows["group"]), apart), more)
    standard = {name: _standard(rows[name].to_numpy()) for name in ("said", "b", "mean")}
    off = [np.abs(standard[name] - standard["mean"]) for name in ("said", "b")]
    nearer = int((off[0] < off[1]).sum()), int((off[0] > off[1]).sum())
    return Estimate(value, rows.height, *ends), nearer, _paradigms(rows)


def _standard(values: Floats) -> Floats:
    scaled: Floats = (values - values.mean()) / values.std()
    return scaled


def _paradigms(rows: pl.DataFrame) -> int:
    return int(clusters(rows["group"]).max()) + 1 if rows.height else 0


def _chance(estimate: Estimate) -> float:
    """Return the two-sided p that agrees with the interval: it excludes 0 exactly where p < .05."""
    if estimate.low is None or estimate.high is None:
        return 1.0
    half = estimate.value - estimate.low if estimate.value > 0 else estimate.high - estimate.value
    return (
        erfc(Z95 * abs(estimate.value) / half / sqrt(2)) if half > 0 else float(estimate.value == 0)
    )
