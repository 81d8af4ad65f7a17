"""How far a judge's distribution of labels lies from people's: half the sum of the differences of their shares."""

from __future__ import annotations

import numpy as np
import polars as pl

from grice.analysis.statistics.raters import halves
from grice.analysis.statistics.readings import PROB
from grice.core.errors import InputError, unknown
from grice.core.estimate import Estimate, Floats, mean
from grice.core.ratings import read_replies
from grice.core.table import Measure

KINDS = ("judge", "halves")


def total_variation(tag: str = "", of: str = "judge") -> Measure:
    """`total_variation:votes`: 0 where a judge gives each label the share of people who gave it, 1 where it gives them none.

    Without probabilities a judge's label has all of the share. `total_variation:votes,halves` is the difference
    between two halves of the people: what a judge as good as asking so many other people would get.
    """
    if of not in KINDS:
        raise unknown("kind of distance", of, KINDS)

    def compute(frame: pl.DataFrame) -> Estimate | None:
        replies = read_replies(frame, tag)
        labels = replies["answer"].unique().sort().to_list()
        people = replies.group_by("id", maintain_order=True).agg(pl.col("answer").alias("votes"))
        rows = frame.filter(pl.col("answer").is_not_null()).join(people, on="id", how="inner").sort("id")
        rows = rows.filter(pl.col("votes").list.len() >= 2)
        if rows.is_empty():
            return None
        if (
            not rows["answer"]
            .is_in([*labels, *(c.removeprefix(PROB) for c in frame.columns if c.startswith(PROB))])
            .any()
        ):
            raise InputError(
                f"the judge says '{rows['answer'][0]}', people say {', '.join(labels)}; ask it on their scale"
            )
        votes = rows["votes"].to_list()
        if of == "halves":
            found = [_between_halves(one, labels) for one in votes]
        else:
            said = [_given(row, labels) for row in rows.iter_rows(named=True)]
            found = [_difference(one, _shares(other, labels)) for one, other in zip(said, votes, strict=True)]
        return mean(pl.Series(found, dtype=pl.Float64), rows["group"])

    return Measure(
        "total_variation" + (f":{tag or 'people'},halves" if of == "halves" else f":{tag}" if tag else ""), compute
    )


def _given(row: dict[str, object], labels: list[str]) -> Floats:
    """The judge's share of each label that people gave, the rest of it last."""
    probs = [row.get(PROB + label) for label in labels]
    known = [float(str(p)) for p in probs if p is not None]
    if len(known) == len(labels):
        return np.array([*known, max(0.0, 1 - sum(known))])
    return np.array([*(float(row["answer"] == label) for label in labels), float(row["answer"] not in labels)])


def _between_halves(votes: list[str], labels: list[str]) -> float:
    parts = [(_shares(one, labels), _shares(other, labels)) for one, other in halves(votes)]
    return float(np.mean([_difference(*both) for both in parts]))


def _shares(votes: list[str], labels: list[str]) -> Floats:
    return np.array([*(votes.count(label) / len(votes) for label in labels), 0.0])


def _difference(one: Floats, other: Floats) -> float:
    return float(np.abs(one - other).sum() / 2)
