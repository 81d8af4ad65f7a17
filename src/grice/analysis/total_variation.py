"""Total variation distance between a judge's distribution of labels and that of people."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
import polars as pl

from grice.analysis.statistics.distances import (
    ITEM_DISTANCES,
    distance_measure,
    halves_distances,
    item_distances,
)
from grice.analysis.statistics.readings import PROB
from grice.analysis.statistics.shares import share_distances, shared_labels
from grice.core.dataset import TAG
from grice.core.errors import InputError
from grice.core.estimate import Floats
from grice.core.ratings import PEOPLE, read_replies
from grice.tables.table import Measure


def total_variation(tag: str = "", of: str = "judge") -> Measure:
    """Measure the total variation distance to people's labels, e.g. `total_variation:votes`.

    It is 0 if a judge gives each label the share of people who gave it, and 1 if it gives these
    labels no share. A judge's label has all of the share if there are no probabilities. Data whose
    gold is a distribution of labels need no tag. The interval is over items (by group) and people.
    `total_variation:votes,halves` is the distance between two halves of the people: what a judge as
    good as asking so many other people would get.
    """
    return distance_measure(
        "total_variation", tag, of, to_people=distances, between_halves=_between_halves, minimum=0.0
    )


def distances(frame: pl.DataFrame, tag: str = "") -> pl.DataFrame:
    """Return the `ITEM_DISTANCES` of a judge's shares of labels to people's."""
    if not tag and TAG + PEOPLE not in frame.columns and shared_labels(frame):
        nobody = [pl.lit([], ITEM_DISTANCES[name]).alias(name) for name in ("raters", "moved")]
        return share_distances(frame).select("id", "group", "distance", *nobody)
    rows, labels = _answered_items(frame, tag)
    return item_distances(
        (
            row["id"],
            row["group"],
            partial(_distance_to_votes, _judge_shares(row, labels), labels),
            row["votes"],
            row["rater"],
        )
        for row in rows.iter_rows(named=True)
    )


def _between_halves(frame: pl.DataFrame, tag: str) -> pl.DataFrame:
    rows, labels = _answered_items(frame, tag)

    def distance(first: list[str], second: list[str]) -> float:
        return _distance_to_votes(_shares(first, labels), labels, second)

    return halves_distances(rows["group"], rows["votes"].to_list(), distance)


def _answered_items(frame: pl.DataFrame, tag: str) -> tuple[pl.DataFrame, list[str]]:
    """Return the answered items with the votes of people, and the labels that people gave."""
    replies = read_replies(frame, tag)
    labels = replies["answer"].unique().sort().to_list()
    votes = pl.col("answer").alias("votes")
    people = replies.group_by("id", maintain_order=True).agg(votes, "rater")
    rows = frame.filter(pl.col("answer").is_not_null()).join(people, on="id", how="inner")
    rows = rows.sort("id").filter(pl.col("votes").list.len() >= 2)
    known = [*labels, *(c.removeprefix(PROB) for c in frame.columns if c.startswith(PROB))]
    if rows.height and not rows["answer"].is_in(known).any():
        raise InputError(
            f"the judge says '{rows['answer'][0]}', people say {', '.join(labels)}; ask it on their"
            " scale"
        )
    return rows, labels


def _judge_shares(row: dict[str, object], labels: list[str]) -> Floats:
    """Return the judge's share of each label that people gave, then the remaining share."""
    probs = [row.get(PROB + label) for label in labels]
    known = [float(str(p)) for p in probs if p is not None]
    if len(known) == len(labels):
        return np.array([*known, max(0.0, 1 - sum(known))])
    return np.array(
        [*(float(row["answer"] == label) for label in labels), float(row["answer"] not in labels)]
    )


def _shares(votes: Sequence[str], labels: Sequence[str]) -> Floats:
    return np.array([*(votes.count(label) / len(votes) for label in labels), 0.0])


def _distance_to_votes(shares: Floats, labels: Sequence[str], votes: Sequence[str]) -> float:
    return float(np.abs(shares - _shares(votes, labels)).sum() / 2)
