"""Wasserstein distance between a judge's distribution on the scale and that of people."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
import polars as pl

from grice.analysis.statistics.distances import distance_measure, halves_distances, item_distances
from grice.analysis.statistics.raters import label_value
from grice.analysis.statistics.readings import PROB
from grice.core.errors import InputError
from grice.core.estimate import Floats
from grice.core.ratings import read_replies
from grice.tables.table import Measure


def wasserstein(tag: str = "", of: str = "judge") -> Measure:
    """Measure the mean Wasserstein distance to people's answers, e.g. `wasserstein:people`.

    It is in points of their scale. The judge's distribution is its probabilities over labels that
    are points (`1` … `7`, `0` … `100`, `yes`, `no`), else its one number. The interval is over
    items (by group) and people. `wasserstein:people,halves` is the distance between two halves of
    the people: what a judge as good as asking so many other people would get.
    """
    return distance_measure(
        "wasserstein", tag, of, to_people=distances, between_halves=_between_halves
    )


def distances(frame: pl.DataFrame, tag: str = "") -> pl.DataFrame:
    """Return the `ITEM_DISTANCES` of a judge's distribution to people's."""
    return item_distances(
        (item, group, partial(distance, points, shares), values, raters)
        for item, group, points, shares, values, raters in _answered_items(frame, tag).iter_rows()
    )


def _between_halves(frame: pl.DataFrame, tag: str) -> pl.DataFrame:
    rows = _answered_items(frame, tag)
    return halves_distances(
        rows["group"], rows["value"].to_list(), lambda first, second: distance(first, None, second)
    )


def _answered_items(frame: pl.DataFrame, tag: str) -> pl.DataFrame:
    replies = read_replies(frame, tag).drop_nulls("value")
    people = replies.group_by("id", maintain_order=True).agg("value", "rater")
    rows = _judge_distributions(frame).join(people, on="id", how="inner")
    rows = rows.filter(pl.col("value").list.len() >= 2).sort("id")
    return rows.select("id", "group", "points", "shares", "value", "rater")


def distance(
    points: Sequence[float], shares: Sequence[float] | None, values: Sequence[float]
) -> float:
    """Return ∫ |F − G| for a distribution of shares on points and people's values.

    Without shares the points have equal weight.

    >>> distance([0.0, 1.0], [0.5, 0.5], [0.0, 0.0, 1.0, 1.0])
    0.0
    >>> distance([0.0], [1.0], [1.0, 3.0])
    2.0
    """
    weights = np.ones(len(points)) if shares is None else np.asarray(shares)
    edges = np.unique(np.asarray([*points, *values], dtype=np.float64))
    judge_cdf = _cdf(np.asarray(points), weights / np.sum(weights), edges)
    people_cdf = _cdf(np.asarray(values), np.full(len(values), 1 / len(values)), edges)
    return float(np.sum(np.abs(judge_cdf - people_cdf)[:-1] * np.diff(edges)))


def _cdf(points: Floats, weights: Floats, edges: Floats) -> Floats:
    order = np.argsort(points)
    total = np.concatenate([[0.0], np.cumsum(weights[order])])
    below: Floats = total[np.searchsorted(points[order], edges, side="right")]
    return below


def _judge_distributions(frame: pl.DataFrame) -> pl.DataFrame:
    labels = [c.removeprefix(PROB) for c in frame.columns if c.startswith(PROB)]
    points = {label: value for label in labels if (value := label_value(label)) is not None}
    rows: list[tuple[str, str | None, list[float], list[float]]] = []
    for row in frame.iter_rows(named=True):
        probs = {
            value: row[PROB + label]
            for label, value in points.items()
            if row[PROB + label] is not None
        }
        single = row["value"] if row["value"] is not None else label_value(row["answer"] or "")
        if row["value"] is None and probs:
            rows.append((row["id"], row["group"], list(probs), list(probs.values())))
        elif single is not None:
            rows.append((row["id"], row["group"], [float(single)], [1.0]))
        elif row["answer"] is not None:
            raise InputError(
                f"'{row['answer']}' is no point of people's scale; ask the judge what people were"
                " asked (asked/…)"
            )
    kinds: dict[str, pl.DataType] = {
        "id": pl.String(),
        "group": pl.String(),
        "points": pl.List(pl.Float64),
        "shares": pl.List(pl.Float64),
    }
    return pl.DataFrame(rows, schema=kinds, orient="row")
