"""Two runs side by side: what `grice compare` does."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import polars as pl

from grice.analysis.accuracy import accuracy
from grice.analysis.statistics.paired import compare
from grice.analysis.statistics.readings import gold_column
from grice.verbs.table import joined

SURE = 0.05


def compare_runs(
    first: Path, second: Path, *, reading: str = "", by: str = "", items: int = 0
) -> dict[str, Any]:
    """The first run minus the second, overall and within each value of a tag, and items on which they differ."""
    data, frame = joined([first, second])
    a, b = frame["judge"].unique(maintain_order=True).to_list()
    whole = compare(frame, a, b, reading=reading)
    parts = compare(frame, a, b, reading=reading, by=by) if by else []
    right = {judge: accuracy(reading)(frame.filter(pl.col("judge") == judge)) for judge in (a, b)}
    return {
        "dataset": data.name,
        "reading": gold_column(frame, reading).partition(".")[2],
        "a": a,
        "b": b,
        "by": by,
        "accuracy": {judge: found.to_json() if found else None for judge, found in right.items()},
        "rows": [one.to_json() for one in (*whole, *parts)],
        "items": differing(frame, a, b, items),
    }


def gates(found: Mapping[str, Any], *, under: float | None = None, worse: float | None = None) -> list[str]:
    """Why a comparison should stop a release: the first run right too seldom, or surely worse than the second by too much.

    `worse` is tested overall and in each stratum: the loss must exceed it and stand after Holm's correction.
    """
    told = []
    first = found["accuracy"][found["a"]]
    if under is not None and (first is None or first["value"] < under):
        told.append(f"{found['a']} is right in {first['value'] if first else 0:.3f}, under {under:g}")
    for row in found["rows"] if worse is not None else ():
        loss = -row["difference"]["value"]
        if worse is not None and loss > worse and row["holm"] < SURE:
            where = f"{found['by']} {row['stratum']}" if row["stratum"] else "all items"
            told.append(
                f"{found['a']} is worse than {found['b']} by {loss:.3f} on {where} (p = {row['holm']:.2g} after correction), more than {worse:g}"
            )
    return told


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
