"""Brier distance between a judge's distribution of labels and that of people."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import polars as pl

from grice.analysis.statistics.distances import (
    ITEM_DISTANCES,
    JudgedItem,
    distance_measure,
    item_distances,
)
from grice.analysis.statistics.raters import targets
from grice.analysis.statistics.readings import PROB
from grice.analysis.statistics.shares import share_distances, shared_labels
from grice.core.dataset import TAG
from grice.core.errors import InputError
from grice.core.estimate import Floats
from grice.core.ratings import PEOPLE, read_replies
from grice.tables.table import Measure


def brier(tag: str = "", of: str = "judge") -> Measure:
    """Measure the squared distance to people's shares of labels, e.g. `brier:votes`.

    It is the sum over labels of (judge's share − people's share)²: 0 for people's own shares,
    however many people answered (an estimate may be below by chance), at most 2. A judge's label
    has all of the share if there are no probabilities. Data whose gold is a distribution of labels
    need no tag; how many people it is of is not known there, so it is not corrected. Where the
    items have targets and controls, it is of the targets. The interval is over items (by group, and
    by word) and people. `brier:votes,others` is what the answers of ten other people would get. For
    the Brier score against a gold label see `calibration:brier`.
    """
    return distance_measure("brier", tag, of, distances)


def distances(frame: pl.DataFrame, tag: str = "") -> pl.DataFrame:
    """Return the distance of a judge's shares of labels to people's, by item."""
    frame = targets(frame)
    if not tag and TAG + PEOPLE not in frame.columns and shared_labels(frame):
        rows = share_distances(frame, squared=True).select("id", "group", "distance")
        empty = {name: kind for name, kind in ITEM_DISTANCES.items() if name not in rows.columns}
        return rows.with_columns(pl.lit(None, kind).alias(name) for name, kind in empty.items())
    return item_distances(
        frame, _judged_items(frame, tag), lambda a, b: (a != b).astype(np.float64)
    )


def _judged_items(frame: pl.DataFrame, tag: str) -> Iterator[JudgedItem]:
    """Yield the answered items; a judge's share of labels that nobody gave is one further label."""
    replies = read_replies(frame, tag)
    labels = replies["answer"].unique().sort().to_list()
    people = replies.group_by("id", maintain_order=True).agg(
        pl.col("answer").alias("votes"), "rater"
    )
    rows = frame.filter(pl.col("answer").is_not_null()).join(people, on="id", how="inner")
    rows = rows.sort("id").filter(pl.col("votes").list.len() >= 2)
    known = [*labels, *(c.removeprefix(PROB) for c in frame.columns if c.startswith(PROB))]
    if rows.height and not rows["answer"].is_in(known).any():
        raise InputError(
            f"the judge says '{rows['answer'][0]}', people say {', '.join(labels)}; ask it on their"
            " scale"
        )
    points = np.arange(len(labels) + 1)
    for row in rows.iter_rows(named=True):
        votes = np.array([labels.index(vote) for vote in row["votes"]])
        yield JudgedItem(row["id"], points, _shares(row, labels), votes, tuple(row["rater"]))


def _shares(row: dict[str, object], labels: list[str]) -> Floats:
    """Return the judge's share of each label that people gave, then the remaining share."""
    probs = [row.get(PROB + label) for label in labels]
    known = [float(str(p)) for p in probs if p is not None]
    if len(known) == len(labels):
        return np.array([*known, max(0.0, 1 - sum(known))])
    return np.array(
        [*(float(row["answer"] == label) for label in labels), float(row["answer"] not in labels)]
    )
