"""Several judges in one frame: one row per item, one column per judge."""

from __future__ import annotations

import numpy as np
import polars as pl

from grice.analysis.statistics.readings import score_of
from grice.core.errors import InputError
from grice.core.estimate import Floats


def side_by_side(frame: pl.DataFrame, column: str) -> pl.DataFrame:
    """Return `id`, `group`, then the judges by name; an unanswered item is null."""
    wide = frame.pivot("judge", index=["id", "group"], values=column, aggregate_function="first")
    judges = sorted(c for c in wide.columns if c not in ("id", "group"))
    if len(judges) < 2:
        raise InputError(
            f"agreement needs two judges or more, and there is one: {judges[0]}; join another run"
        )
    return wide.select("id", "group", *judges).sort("id")


def codes(frame: pl.DataFrame) -> tuple[Floats, pl.Series, list[str]]:
    """Return items × judges as label indices (−1 for none), their groups, and the labels."""
    wide = side_by_side(frame, "answer")
    labels = frame["answer"].drop_nulls().unique().sort().to_list()
    numbers = wide.select(
        pl.exclude("id", "group").replace_strict(
            {label: i for i, label in enumerate(labels)}, default=-1, return_dtype=pl.Int64
        )
    )
    return numbers.to_numpy().astype(np.float64), wide["group"], labels


def ratings(frame: pl.DataFrame) -> tuple[Floats, pl.Series]:
    """Return items × judges as numbers (NaN for none), and their groups."""
    wide = side_by_side(frame.with_columns(score_of(frame)), "score")
    table: Floats = wide.select(pl.exclude("id", "group")).fill_null(float("nan")).to_numpy()
    return table.astype(np.float64), wide["group"]
