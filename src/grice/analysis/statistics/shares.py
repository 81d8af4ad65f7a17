"""A judge's share of each label and that of people, if the gold is a distribution."""

from __future__ import annotations

import polars as pl

from grice.analysis.statistics.readings import PROB
from grice.core.dataset import GOLD, SHARE


def shared_labels(frame: pl.DataFrame) -> list[str]:
    """Return the labels for which the items have shares."""
    return [
        column.removeprefix(GOLD + SHARE)
        for column in frame.columns
        if column.startswith(GOLD + SHARE)
    ]


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
    total = (
        (difference**2).drop_nulls().sum() if squared else difference.abs().drop_nulls().sum() / 2
    )
    far = total.alias("distance")
    return (
        share_pairs(frame)
        .group_by("judge", "id", maintain_order=True)
        .agg(pl.col("group").first(), far)
    )
