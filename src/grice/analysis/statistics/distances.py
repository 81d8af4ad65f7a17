"""Mean distance of a judge's answers to people's answers, and of two halves of the people."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from math import sqrt
from typing import Any

import numpy as np
import polars as pl

from grice.analysis.statistics.raters import halves, widen
from grice.core.errors import unknown
from grice.core.estimate import Estimate, mean
from grice.tables.table import Measure

KINDS = ("judge", "halves")
# The distance of a judge's answer to people's answers to the same item.
Distance = Callable[[Sequence[Any]], float]
# An item: id, group, distance of the judge's answer, people's answers, and who gave each.
JudgedItem = tuple[str, str | None, Distance, Sequence[Any], Sequence[str]]
# The frame of distances for a judge's frame and the tag of people's replies.
Distances = Callable[[pl.DataFrame, str], pl.DataFrame]
# `id, group, distance`, and for each reply its rater and the change of the distance without it.
ITEM_DISTANCES: dict[str, pl.DataType] = {
    "id": pl.String(),
    "group": pl.String(),
    "distance": pl.Float64(),
    "raters": pl.List(pl.String),
    "moved": pl.List(pl.Float64),
}


def distance_measure(
    name: str,
    tag: str,
    of: str,
    *,
    to_people: Distances,
    between_halves: Distances,
    minimum: float | None = None,
) -> Measure:
    """Make a measure of the mean distance to people, or for `of="halves"` of their two halves.

    `minimum` is the lowest distance where 1 is the highest.
    """
    if of not in KINDS:
        raise unknown("kind of distance", of, KINDS)

    def compute(frame: pl.DataFrame) -> Estimate | None:
        if of == "judge":
            return mean_distance(to_people(frame, tag), minimum=minimum)
        rows = between_halves(frame, tag)
        return mean(rows["distance"], rows["group"])

    suffix = f":{tag or 'people'},halves" if of == "halves" else f":{tag}" if tag else ""
    return Measure(name + suffix, compute)


def item_distances(items: Iterable[JudgedItem]) -> pl.DataFrame:
    """Return one row of `ITEM_DISTANCES` per item."""
    records = [
        (item, group, *_item_distance(distance, answers, raters))
        for item, group, distance, answers, raters in items
    ]
    return pl.DataFrame(records, schema=ITEM_DISTANCES, orient="row")


def halves_distances(
    groups: pl.Series, answers: Iterable[Sequence[Any]], distance: Callable[[Any, Any], float]
) -> pl.DataFrame:
    """Return `group, distance`: the mean distance of two random halves of each item's answers."""
    means = [
        float(np.mean([distance(first, second) for first, second in halves(replies)]))
        for replies in answers
    ]
    return pl.DataFrame({"group": groups, "distance": pl.Series(means, dtype=pl.Float64)})


def _item_distance(
    distance: Distance, answers: Sequence[Any], raters: Sequence[str]
) -> tuple[float, list[str], list[float]]:
    """Return the distance of one item to all answers, their raters, and the jackknife terms."""
    k = len(answers)
    if k < 2 or not all(raters):
        return distance(answers), [], []
    without = np.array([distance([*answers[:i], *answers[i + 1 :]]) for i in range(k)])
    terms = sqrt((k - 1) / k) * (without - without.mean())
    return distance(answers), list(raters), terms.tolist()


def mean_distance(rows: pl.DataFrame, *, minimum: float | None = None) -> Estimate | None:
    """Return the mean over items with an interval over items and, if identified, over people."""
    estimate = mean(rows["distance"], rows["group"])
    if estimate is None:
        return None
    ends = (estimate.low, estimate.high)
    low, high = widen(estimate.value, ends, shared_variance(rows), least=minimum)
    return replace(estimate, low=low, high=high)


def shared_variance(rows: pl.DataFrame) -> float:
    """Return the variance of the mean added by people who answered several items.

    The variance of single replies is not included.
    """
    replies = rows.select("raters", "moved").explode("raters", "moved").drop_nulls()
    if replies.is_empty():
        return 0.0
    persons = replies.group_by("raters", maintain_order=True)
    by_person = persons.agg(pl.col("moved").drop_nulls().sum())["moved"].to_numpy()
    by_reply = replies["moved"].to_numpy()
    return max(0.0, float(by_person @ by_person - by_reply @ by_reply)) / rows.height**2
