"""Shares of labels: a judge's, those of people, and the divergence of two distributions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from grice.analysis.statistics.readings import PROB
from grice.core.dataset import GOLD, SHARE
from grice.core.estimate import Floats

# The share of a label that nobody gives, where a divergence would be infinite.
FLOOR = 1e-9


def shared_labels(frame: pl.DataFrame) -> list[str]:
    """Return the labels for which the items have shares."""
    prefix = GOLD + SHARE
    return [c.removeprefix(prefix) for c in frame.columns if c.startswith(prefix)]


def share_pairs(frame: pl.DataFrame) -> pl.DataFrame:
    """Return one row per answered item and label: `judge, id, group, label, said, people`.

    Without probabilities the answered label has all of the share.
    """
    rows = frame.filter(pl.col("answer").is_not_null())

    def said(label: str) -> pl.Expr:
        is_given = (pl.col("answer") == label).cast(pl.Float64)
        return pl.coalesce(PROB + label, is_given) if PROB + label in frame.columns else is_given

    parts = [
        rows.select(
            "judge",
            "id",
            "group",
            pl.lit(label).alias("label"),
            said(label).alias("said"),
            pl.col(GOLD + SHARE + label).alias("people"),
        )
        for label in shared_labels(frame)
    ]
    return pl.concat(parts, rechunk=True).drop_nulls("people")


def share_distances(frame: pl.DataFrame, *, squared: bool = False) -> pl.DataFrame:
    """Return the distance per judge and item: `judge, id, group, distance`.

    It is the total variation distance, or the sum of squares.
    """
    difference = pl.col("said") - pl.col("people")
    far = difference**2 if squared else difference.abs() / 2
    items = share_pairs(frame).group_by("judge", "id", maintain_order=True)
    return items.agg(pl.col("group").first(), far.drop_nulls().sum().alias("distance"))


def answer_shares(rows: pl.DataFrame, labels: Sequence[str]) -> tuple[Floats, float]:
    """Return rows × labels and what is added to the sum of each label.

    Rows hold the probabilities, with nothing added. Without them they are 1 for the label given,
    and half an answer is added, so that a label never given is rare and not impossible.
    """
    probs = rows.select(PROB + label for label in labels)
    if not probs.select(pl.any_horizontal(pl.all().is_null()).any()).item():
        return probs.to_numpy().astype(np.float64), 0.0
    is_answer = [(rows["answer"] == label).to_numpy() for label in labels]
    return np.stack(is_answer, axis=1).astype(np.float64), 0.5


def divergence(sums: Floats, reference: Floats) -> Floats:
    """Return D(sums ‖ reference) of sums of answers, with labels in the last axis."""
    p = np.maximum(sums / sums.sum(axis=-1, keepdims=True), FLOOR)
    q = np.maximum(reference / reference.sum(axis=-1, keepdims=True), FLOOR)
    value: Floats = (p * np.log(p / q)).sum(axis=-1)
    return value
