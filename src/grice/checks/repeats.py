"""Pairs that occur more than once, with the same answer or with another."""

from __future__ import annotations

import polars as pl

from grice.checks.findings import EXAMPLES, Finding
from grice.core.dataset import GOLD


def find_repeats(frame: pl.DataFrame) -> list[Finding]:
    """Find pairs of texts that occur more than once, with one gold answer or with two."""
    text = ["premise", "hypothesis"]
    twice = frame.filter(pl.struct(text).is_duplicated())
    if twice.is_empty():
        return []
    golds = [c for c in frame.columns if c.startswith(GOLD)]
    pairs = twice.group_by(text, maintain_order=True).agg(
        pl.col("id"), *(pl.col(gold).drop_nulls().n_unique().alias(gold) for gold in golds)
    )
    clash = pairs.filter(pl.max_horizontal(golds) > 1) if golds else pairs.clear()
    same = pairs.join(clash, on=text, how="anti", nulls_equal=True, maintain_order="left")
    kinds = (
        ("two gold answers", clash, "the same pair of texts has different answers"),
        ("repeated pair", same, "the same pair of texts stands more than once"),
    )
    return [
        Finding(check, "error", rows.height, frame.height, detail, _ids(rows))
        for check, rows, detail in kinds
        if not rows.is_empty()
    ]


def _ids(pairs: pl.DataFrame) -> tuple[str, ...]:
    return tuple(pairs["id"].head(EXAMPLES).explode().to_list())
