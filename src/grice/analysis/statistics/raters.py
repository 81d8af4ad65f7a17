"""Human means and their noise, and the judge's number."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from grice.analysis.statistics.crossed import Units, item_factors
from grice.analysis.statistics.readings import PROB, score_of
from grice.core.dataset import TAG
from grice.core.errors import InputError
from grice.core.estimate import Floats
from grice.core.ratings import POINTS, read_replies

ROLE, TARGET = TAG + "role", "target"


def label_value(label: str) -> float | None:
    """Return the number of a label on a scale of points, or None: `7`, `yes`."""
    try:
        return POINTS[label] if label in POINTS else float(label)
    except ValueError:
        return None


def graded(frame: pl.DataFrame) -> pl.Expr:
    """Return an answer as a number: the mean over labels that are points, else its score."""
    labels = [c.removeprefix(PROB) for c in frame.columns if c.startswith(PROB)]
    points = {label: value for label in labels if (value := label_value(label)) is not None}
    if not points:
        return score_of(frame)
    weighed = [pl.col(PROB + label) * value for label, value in points.items()]
    has_probabilities = pl.any_horizontal(pl.col(PROB + label).is_not_null() for label in points)
    expected = pl.when(has_probabilities).then(pl.sum_horizontal(weighed))
    label_values = pl.col("answer").replace_strict(points, default=None, return_dtype=pl.Float64)
    return pl.coalesce(expected, label_values, score_of(frame)).alias("score")


def targets(frame: pl.DataFrame) -> pl.DataFrame:
    """Return the target items of data that have controls beside them; controls alone stay."""
    if ROLE not in frame.columns or not (frame[ROLE] == TARGET).any():
        return frame
    return frame.filter(pl.col(ROLE) == TARGET)


@dataclass(frozen=True)
class RatedItems:
    """Items that two people or more answered with numbers, and each of their replies.

    `rows` has the items with `mean`, `noise` and the judge's number `said`. `item` is the row that
    a reply belongs to, `rater` who gave it. Where people are known by name, what they give too
    much or too little of throughout is no noise of the items' means if they all answered all.
    """

    rows: pl.DataFrame
    item: Units
    rater: Units
    value: Floats
    are_known: bool

    @property
    def counts(self) -> Floats:
        """The number of replies of each item."""
        return np.bincount(self.item, minlength=self.rows.height).astype(np.float64)

    @property
    def deviations(self) -> Floats:
        """The difference of each reply from the mean of its item."""
        deviations: Floats = self.value - self.rows["mean"].to_numpy()[self.item]
        return deviations

    def factors(self) -> list[Units]:
        """Return the crossed factors of the replies: items, their words, and people if known."""
        factors = [factor[self.item] for factor in item_factors(self.rows)]
        return [*factors, self.rater] if self.are_known else factors

    def with_influence(self, of_items: Floats, of_means: Floats) -> Floats:
        """Return the influence of replies from those of items, and of a change of their means."""
        shares: Floats = (of_items + 0.0)[self.item] + of_means[self.item] * self.deviations
        return shares / self.counts[self.item]


def rated_items(frame: pl.DataFrame, tag: str) -> RatedItems:
    """Return the target items that people answered with numbers, with the judge's own where any."""
    frame = targets(frame)
    replies = read_replies(frame, tag).drop_nulls("value")
    if replies.is_empty():
        raise InputError(
            f"people's replies '{tag or 'people'}' are labels, not numbers; use -m brier"
        )
    counts = replies.group_by("id").agg(pl.len().alias("n")).filter(pl.col("n") >= 2)
    words = pl.col("^tag\\.(predicate|verb|scale|word)$")
    rows = frame.select("id", "group", words, graded(frame).alias("said"))
    rows = rows.join(counts, on="id", how="semi").sort("id").with_row_index("item")
    replies = (
        replies.join(rows.select("id", "item"), on="id", how="inner")
        .sort("item", "rater", maintain_order=True)
        .with_columns(pl.col("rater").rank("dense").alias("person"))
    )
    item = replies["item"].to_numpy().astype(np.intp)
    person = replies["person"].to_numpy().astype(np.intp) - 1
    are_known = not replies.is_empty() and not (replies["rater"] == "").any()
    value = replies["value"].to_numpy().astype(np.float64)
    means = replies.group_by("item", maintain_order=True).agg(
        pl.col("value").mean().alias("mean"), (pl.col("value").var() / pl.len()).alias("noise")
    )
    rows = rows.with_columns(means["mean"], means["noise"])
    return RatedItems(rows, item, person, value, are_known)


def mean_noise(rated: RatedItems) -> float:
    """Return the mean variance that the draw of people adds to the items' means.

    Where people are known, it is without the part of their own level that they add to every mean
    alike: that cancels where everybody answers everything.
    """
    noise = float(rated.rows["noise"].to_numpy().mean())
    items = rated.rows.height
    if not rated.are_known or items < 3:
        return noise
    inverse = 1 / rated.counts
    persons = int(rated.rater.max()) + 1
    by_person = np.bincount(rated.rater, inverse[rated.item], minlength=persons)
    between = (inverse.sum() - float(by_person @ by_person) / items) / (items - 1)
    return noise - _person_variance(rated, inverse) * float(inverse.mean() - between)


def _person_variance(rated: RatedItems, inverse: Floats) -> float:
    """Return the variance of people's own levels, from the products of their deviations.

    Deviations of one person on items i and j have the covariance σ²(1 − 1/kᵢ − 1/kⱼ + nᵢⱼ/kᵢkⱼ),
    where nᵢⱼ people answered both.
    """
    persons, deviations = int(rated.rater.max()) + 1, rated.deviations
    sums = np.bincount(rated.rater, deviations, minlength=persons)
    answered = np.bincount(rated.rater, minlength=persons).astype(np.float64)
    shares = np.bincount(rated.rater, inverse[rated.item], minlength=persons)
    incidence = np.zeros((rated.rows.height, persons), dtype=np.float32)
    incidence[rated.item, rated.rater] = 1.0
    common = incidence @ incidence.T
    common *= common * np.outer(inverse, inverse).astype(np.float32)
    np.fill_diagonal(common, 0.0)
    weight = float((answered * (answered - 1) - 2 * (answered - 1) * shares).sum())
    weight += float(common.sum(dtype=np.float64))
    if weight <= 0:
        return 0.0
    return max(0.0, float(sums @ sums - deviations @ deviations) / weight)
