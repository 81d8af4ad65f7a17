"""Two runs side by side: what `grice compare` does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl

from grice.analysis._paired import compare
from grice.analysis._readings import gold_column
from grice.reading import joined


def compare_runs(
    first: Path, second: Path, *, reading: str = "", by: str = "", items: int = 0
) -> dict[str, Any]:
    """The first run minus the second, overall and within each value of a tag, and items on which they differ."""
    data, frame = joined([first, second])
    a, b = frame["judge"].unique(maintain_order=True).to_list()
    whole = compare(frame, a, b, reading=reading)
    parts = compare(frame, a, b, reading=reading, by=by) if by else []
    return {
        "dataset": data.name,
        "reading": gold_column(frame, reading).partition(".")[2],
        "a": a,
        "b": b,
        "by": by,
        "rows": [one.to_json() for one in (*whole, *parts)],
        "items": differing(frame, a, b, items),
    }


def differing(frame: pl.DataFrame, a: str, b: str, most: int) -> list[dict[str, Any]]:
    """Items that two judges answer differently, in the dataset's order."""
    other = frame.filter(pl.col("judge") == b).select("id", pl.col("answer").alias(b))
    both = (
        frame.filter(pl.col("judge") == a)
        .rename({"answer": a})
        .join(other, on="id", how="inner", maintain_order="left")
    )
    golds = [c for c in frame.columns if c.startswith("gold.")]
    return (
        both.filter(pl.col(a) != pl.col(b))
        .head(most)
        .select("id", "premise", "hypothesis", *golds, a, b)
        .to_dicts()
    )
