"""Two runs side by side: what `grice compare` does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl

from grice.analysis.accuracy import accuracy
from grice.analysis.statistics import paired
from grice.analysis.statistics.readings import gold_column
from grice.core.comparison import Comparison
from grice.core.run import Run
from grice.verbs.table import join_runs


def compare(
    first: Run | str | Path, second: Run | str | Path, *, reading: str = "", by: str = "", items: int = 0
) -> Comparison:
    """Compare two runs on the same items: the first minus the second, with intervals and tests.

    `reading` names the gold answers to compare against, `by` a tag within whose values to compare as well; `items`
    is how many of the items that the two answer differently to give along.

    >>> runs = grice.judge("quantifiers@7", ["baseline/overlap", "baseline/random"], into=None, limit=24)
    >>> found = grice.compare(*runs, reading="logical")
    >>> found.a, found.rows[0].difference.n
    ('baseline/overlap', 24)
    """
    data, frame = join_runs([first, second])
    a, b = frame["judge"].unique(maintain_order=True).to_list()
    whole = paired.compare(frame, a, b, reading=reading)
    parts = paired.compare(frame, a, b, reading=reading, by=by) if by else []
    return Comparison(
        dataset=data.name,
        reading=gold_column(frame, reading).partition(".")[2],
        a=a,
        b=b,
        by=by,
        accuracy={judge: accuracy(reading)(frame.filter(pl.col("judge") == judge)) for judge in (a, b)},
        rows=(*whole, *parts),
        items=tuple(_differing(frame, a, b, items)),
    )


def _differing(frame: pl.DataFrame, a: str, b: str, most: int) -> list[dict[str, Any]]:
    """Items that two judges answer differently, in the dataset's order."""
    other = frame.filter(pl.col("judge") == b).select("id", pl.col("answer").alias(b))
    mine = frame.filter(pl.col("judge") == a).rename({"answer": a})
    both = mine.join(other, on="id", how="inner", maintain_order="left")
    golds = [c for c in frame.columns if c.startswith("gold.")]
    return both.filter(pl.col(a) != pl.col(b)).head(most).select("id", "premise", "hypothesis", *golds, a, b).to_dicts()
