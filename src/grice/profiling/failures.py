"""Wrong answers grouped by phenomenon, gold label and answer, each with an example pair."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from grice.analysis.statistics.baselines import set_column
from grice.core.estimate import mean
from grice.profiling.sheets import AGREED, AnswerSheet, plain_name
from grice.reporting.model import ExamplePair, FailureGroup, Query

# Maximum groups of a section, most frequent first, and minimum wrong answers of a group.
MOST, FEWEST = 12, 2
EITHER, BOTH = "right", ("gold.logical", "gold.pragmatic")


def failures(sheet: AnswerSheet, needs: Sequence[str]) -> tuple[FailureGroup, ...]:
    """Return the groups of wrong answers of the profiled model on the rows that a chapter reads.

    Where the logical and the pragmatic answer differ, only an answer that is neither is wrong.
    """
    if AGREED not in sheet.frame.columns:
        return ()
    rows = sheet.first.drop_nulls([*(c for c in needs if c in sheet.frame.columns), "answer"])
    two = set(BOTH) <= set(rows.columns)
    parted = pl.concat_str(BOTH, separator=" or ") if two else pl.lit(None, pl.String)
    rows = rows.with_columns(pl.coalesce(AGREED, parted).alias(EITHER)).drop_nulls(EITHER)
    fits = (pl.col("answer") == pl.col(AGREED)).fill_null(False)
    fits |= (
        pl.any_horizontal(pl.col("answer") == pl.col(c) for c in BOTH).fill_null(False)
        & pl.col(AGREED).is_null()
        if two
        else pl.lit(False)
    )
    by = set_column(rows)
    rows = rows.with_columns(
        fits.alias("fits"), (pl.col(by) if by else pl.lit(sheet.data.name)).alias("set")
    )
    wrong = (
        rows.filter(~pl.col("fits"))
        .drop_nulls("set")
        .group_by("set", EITHER, "answer", maintain_order=True)
        .len()
    )
    wrong = wrong.filter(pl.col("len") >= FEWEST).sort(
        ["len", "set", EITHER, "answer"], descending=[True, False, False, False]
    )
    return tuple(_group(sheet, rows, by, group) for group in wrong.head(MOST).iter_rows(named=True))


def _group(
    sheet: AnswerSheet, rows: pl.DataFrame, by: str, group: Mapping[str, Any]
) -> FailureGroup:
    same = rows.filter((pl.col("set") == group["set"]) & (pl.col(EITHER) == group[EITHER]))
    is_answer = same["answer"] == group["answer"]
    rate = mean(is_answer.cast(pl.Float64), same["group"])
    assert rate is not None
    hits = same.filter(is_answer)
    example = (
        hits.sort("sure", descending=True, nulls_last=True, maintain_order=True)
        if "sure" in hits.columns
        else hits
    ).row(0, named=True)
    where = {by: group["set"]} if by else {}
    parts = group[EITHER].split(" or ") if example[AGREED] is None else []
    where |= dict(zip(BOTH, parts, strict=True)) if parts else {AGREED: group[EITHER]}
    query = Query(sheet.index, where, sheet.judges[0], given=group["answer"])
    return FailureGroup(
        plain_name(group["set"]),
        group[EITHER],
        group["answer"],
        hits.height,
        rate,
        _pair(example),
        _flip(rows, example),
        query,
    )


def _flip(rows: pl.DataFrame, example: Mapping[str, Any]) -> ExamplePair | None:
    """Return a correctly answered pair of the same paradigm with another answer, if there is one.

    Pairs that share a text with the example are preferred.
    """
    if example["group"] is None:
        return None
    near = (pl.col("hypothesis") == example["hypothesis"]) | (
        pl.col("premise") == example["premise"]
    )
    candidates = rows.filter(
        (pl.col("group") == example["group"])
        & pl.col("fits")
        & (pl.col("answer") != example["answer"])
    )
    candidates = candidates.with_columns(near.fill_null(False).alias("near")).sort(
        "near", descending=True, maintain_order=True
    )
    return _pair(candidates.row(0, named=True)) if candidates.height else None


def _pair(row: Mapping[str, Any]) -> ExamplePair:
    return ExamplePair(
        row["premise"], row["hypothesis"] or "", {"right": row[EITHER], "given": row["answer"]}
    )
