"""Soft veridicality signatures: how far the complement is taken to hold (Ross & Pavlick §4.3)."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from grice.analysis.statistics.readings import score_ends, score_of
from grice.core.dataset import column_of, select
from grice.core.estimate import Estimate, mean_of
from grice.tables.table import Measure


def signature(environment: str = "positive") -> Measure:
    """Measure the mean score in one environment, `signature:positive` or `signature:negative`.

    It needs the tag environment.
    """

    def compute(frame: pl.DataFrame) -> Estimate | None:
        rows = select(frame, {"environment": environment})
        return mean_of(rows, score_of(rows), ends=score_ends(rows))

    return Measure(f"signature:{environment}", compute)


def soft_signatures(frame: pl.DataFrame, by: str | Sequence[str] = "construction") -> pl.DataFrame:
    """Return mean scores by environment, and the sentences `n`, by judge and value of `by`."""
    keys = ["judge", *(column_of(frame, name) for name in ([by] if isinstance(by, str) else by))]
    means = [
        pl.col("score").filter(pl.col("tag.environment") == side).drop_nulls().mean().alias(side)
        for side in ("positive", "negative")
    ]
    parts = frame.with_columns(score_of(frame)).group_by(keys, maintain_order=True)
    return parts.agg(*means, pl.col("group").n_unique().alias("n")).sort(keys)
