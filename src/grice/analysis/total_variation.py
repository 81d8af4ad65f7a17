"""Total variation distance between a judge's distribution of labels and that of people."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from grice.analysis.statistics.likeness import ITEM_DISTANCES, item_distance, mean_distance
from grice.analysis.statistics.raters import halves
from grice.analysis.statistics.readings import PROB
from grice.analysis.statistics.shares import share_distances, shared_labels
from grice.core.dataset import TAG
from grice.core.errors import InputError, unknown
from grice.core.estimate import Estimate, Floats, mean
from grice.core.ratings import PEOPLE, read_replies
from grice.core.table import Measure

KINDS = ("judge", "halves")


def total_variation(tag: str = "", of: str = "judge") -> Measure:
    """Measure the total variation distance to people's labels, e.g. `total_variation:votes`.

    It is 0 if a judge gives each label the share of people who gave it, and 1 if it gives these
    labels no share. A judge's label has all of the share if there are no probabilities. Data whose
    gold is a distribution of labels need no tag. The interval is over items (by group) and people.
    `total_variation:votes,halves` is the distance between two halves of the people: what a judge as
    good as asking so many other people would get.
    """
    if of not in KINDS:
        raise unknown("kind of distance", of, KINDS)

    def compute(frame: pl.DataFrame) -> Estimate | None:
        if of == "judge":
            return mean_distance(distances(frame, tag), least=0.0)
        rows, labels = _beside(frame, tag)
        half_distances = [_between_halves(votes, labels) for votes in rows["votes"].to_list()]
        return mean(pl.Series(half_distances, dtype=pl.Float64), rows["group"])

    return Measure(
        "total_variation"
        + (f":{tag or 'people'},halves" if of == "halves" else f":{tag}" if tag else ""),
        compute,
    )


def distances(frame: pl.DataFrame, tag: str = "") -> pl.DataFrame:
    """Return for each item the distance of a judge's shares of labels to people's.

    The columns are `likeness.ITEM_DISTANCES`.
    """
    if not tag and TAG + PEOPLE not in frame.columns and shared_labels(frame):
        nobody = [pl.lit([], ITEM_DISTANCES[name]).alias(name) for name in ("raters", "moved")]
        return share_distances(frame).select("id", "group", "distance", *nobody)
    rows, labels = _beside(frame, tag)
    records = []
    for row in rows.iter_rows(named=True):
        said = _given(row, labels)

        def far(votes: Sequence[str], said: Floats = said) -> float:
            return _difference(said, _shares(list(votes), labels))

        records.append((row["id"], row["group"], *item_distance(far, row["votes"], row["rater"])))
    return pl.DataFrame(records, schema=ITEM_DISTANCES, orient="row")


def _beside(frame: pl.DataFrame, tag: str) -> tuple[pl.DataFrame, list[str]]:
    """Return the answered items with the votes of people, and the labels that people gave."""
    replies = read_replies(frame, tag)
    labels = replies["answer"].unique().sort().to_list()
    people = replies.group_by("id", maintain_order=True).agg(
        pl.col("answer").alias("votes"), "rater"
    )
    rows = (
        frame.filter(pl.col("answer").is_not_null()).join(people, on="id", how="inner").sort("id")
    )
    rows = rows.filter(pl.col("votes").list.len() >= 2)
    known = [*labels, *(c.removeprefix(PROB) for c in frame.columns if c.startswith(PROB))]
    if rows.height and not rows["answer"].is_in(known).any():
        raise InputError(
            f"the judge says '{rows['answer'][0]}', people say {', '.join(labels)}; ask it on their"
            " scale"
        )
    return rows, labels


def _given(row: dict[str, object], labels: list[str]) -> Floats:
    """Return the judge's share of each label that people gave, then the remaining share."""
    probs = [row.get(PROB + label) for label in labels]
    known = [float(str(p)) for p in probs if p is not None]
    if len(known) == len(labels):
        return np.array([*known, max(0.0, 1 - sum(known))])
    return np.array(
        [*(float(row["answer"] == label) for label in labels), float(row["answer"] not in labels)]
    )


def _between_halves(votes: list[str], labels: list[str]) -> float:
    parts = [(_shares(first, labels), _shares(second, labels)) for first, second in halves(votes)]
    return float(np.mean([_difference(*both) for both in parts]))


def _shares(votes: list[str], labels: list[str]) -> Floats:
    return np.array([*(votes.count(label) / len(votes) for label in labels), 0.0])


def _difference(first: Floats, second: Floats) -> float:
    return float(np.abs(first - second).sum() / 2)
