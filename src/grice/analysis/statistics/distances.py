"""Distance of a judge's distribution of answers to that of people, without bias by their number.

With a dissimilarity d of two answers, the distance of a judge's answers X to people's Y is
2 E d(X, Y) − E d(X, X′) − E d(Y, Y′). With |x − y| it is the energy distance, with 0 for the same
label and 1 for another it is Brier's. The last term is estimated from pairs of different people (a
U-statistic), so that the mean of the estimate does not depend on how many answered: a judge with
people's own distributions gets 0 on average, and single items may be below.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from grice.analysis.statistics.crossed import StandardError, crossed_error, item_factors
from grice.core.errors import unknown
from grice.core.estimate import Estimate, Floats
from grice.tables.table import Measure

KINDS = ("judge", "others")
# How many other people's answers are the yardstick.
OTHERS = 10
Dissimilarity = Callable[[Any, Any], Floats]
# The frame of distances for a judge's frame and the tag of people's replies.
Distances = Callable[[pl.DataFrame, str], pl.DataFrame]
# Columns of a distance: the item's, and for each reply its rater and what it moves the distance by.
ITEM_DISTANCES: dict[str, pl.DataType] = {
    "id": pl.String(),
    "distance": pl.Float64(),
    "others": pl.Float64(),
    "raters": pl.List(pl.String),
    "moved": pl.List(pl.Float64),
    "moved_others": pl.List(pl.Float64),
}


@dataclass(frozen=True)
class JudgedItem:
    """One item: a judge's shares of its points, people's answers, and who gave each."""

    id: str
    points: npt.NDArray[Any]
    shares: Floats
    answers: npt.NDArray[Any]
    raters: tuple[str, ...]


def distance_measure(name: str, tag: str, of: str, distances: Distances) -> Measure:
    """Make a measure of the mean distance to people, or for `of="others"` of ten other people."""
    if of not in KINDS:
        raise unknown("kind of distance", of, KINDS)

    def compute(frame: pl.DataFrame) -> Estimate | None:
        rows = distances(frame, tag)
        if of == "others":
            rows = rows.drop("distance", "moved")
            rows = rows.rename({"others": "distance", "moved_others": "moved"})
        result = mean_distance(rows.drop_nulls("distance"))
        return result[0] if result else None

    suffix = f":{tag or 'people'},others" if of == "others" else f":{tag}" if tag else ""
    return Measure(name + suffix, compute)


def item_distances(
    frame: pl.DataFrame, items: Iterable[JudgedItem], dissimilarity: Dissimilarity
) -> pl.DataFrame:
    """Return `ITEM_DISTANCES` with group and tags of each item."""
    records = [(item.id, *_item_distance(item, dissimilarity)) for item in items]
    rows = pl.DataFrame(records, schema=ITEM_DISTANCES, orient="row")
    about = frame.select("id", "group", pl.col("^tag\\.(predicate|verb|scale|word)$"))
    return rows.join(about, on="id", how="left", maintain_order="left")


def _item_distance(
    item: JudgedItem, dissimilarity: Dissimilarity
) -> tuple[float, float, list[str], list[float], list[float]]:
    """Return the distance of one item, that of other people, and what each reply moves them by."""
    k, shares = len(item.answers), item.shares / item.shares.sum()
    across = dissimilarity(item.points[:, None], item.answers[None, :]).T @ shares
    within = dissimilarity(item.answers[:, None], item.answers[None, :]).sum(axis=1) / (k - 1)
    own = float(shares @ dissimilarity(item.points[:, None], item.points[None, :]) @ shares)
    spread = float(within.mean())
    moved = 2 * (across - across.mean() - within + spread) / k
    moved_others = 2 * (within - spread) / k / OTHERS
    distance = 2 * float(across.mean()) - own - spread
    return distance, spread / OTHERS, list(item.raters), moved.tolist(), moved_others.tolist()


def mean_distance(rows: pl.DataFrame) -> tuple[Estimate, StandardError | None] | None:
    """Return the mean over items, with its error over items, their words, and people if known."""
    if rows.is_empty():
        return None
    distance = rows["distance"].to_numpy()
    value, n = float(distance.mean()), len(distance)
    long = rows.with_row_index("item").explode("raters", "moved")
    item = long["item"].to_numpy().astype(np.intp)
    moved = long["moved"].fill_null(0.0).to_numpy()
    influence = ((distance - value) / np.bincount(item, minlength=n))[item] / n + moved / n
    factors = [factor[item] for factor in item_factors(rows)]
    raters = long["raters"].fill_null("")
    if not (raters == "").any():
        factors.append(raters.rank("dense").to_numpy().astype(np.intp) - 1)
    error = crossed_error(influence, factors)
    return Estimate(value, n, *(error.around(value) if error else (None, None))), error
