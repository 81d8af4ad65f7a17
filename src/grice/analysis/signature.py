"""Soft veridicality signatures: how far the complement is taken to hold in each environment (Ross &
Pavlick §4.3).
"""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from grice.analysis.statistics.readings import score_of
from grice.core.dataset import column_of, select
from grice.core.estimate import Estimate, mean
from grice.core.table import Measure


def signature(environment: str = "positive") -> Measure:
    """`signature:positive` and `signature:negative` are the two halves; needs the tag environment."""

    def compute(frame: pl.DataFrame) -> Estimate | None:
        rows = select(frame, {"environment": environment})
        return mean(rows.select(score_of(rows))["score"], rows["group"])

    return Measure(f"signature:{environment}", compute)


def soft_signatures(frame: pl.DataFrame, by: str | Sequence[str] = "construction") -> pl.DataFrame:
    """`positive` and `negative` mean scores and the number of sentences `n`, for each judge and
    value of `by`.
    """
    keys = ["judge", *(column_of(frame, name) for name in ([by] if isinstance(by, str) else by))]
    return (
        frame.with_columns(score_of(frame))
        .group_by(keys, maintain_order=True)
        .agg(
            *(
                pl.col("score")
                .filter(pl.col("tag.environment") == side)
                .drop_nulls()
                .mean()
                .alias(side)
                for side in ("positive", "negative")
            ),
            pl.col("group").n_unique().alias("n"),
        )
        .sort(keys)
    )
