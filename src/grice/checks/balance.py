"""Whether conditions take their values equally often, and whether they are filled at all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl

from grice.checks.findings import Finding, Severity, phenomenon_column, split_by
from grice.core.dataset import TAG

# More values than this are a lexicon, not a condition.
MANY_VALUES = 60
# Phenomena that a finding names.
NAMED = 4


def find_imbalance(frame: pl.DataFrame, declared: Sequence[str]) -> list[Finding]:
    """Conditions that take some values more often than others within a phenomenon.

    A declared condition must be even; another tag is noted only where one value is far commoner than the rest.
    What varies inside a group (target and control) belongs to the paradigm and is not counted.
    """
    phenomena = phenomenon_column(frame)
    found = []
    for column in (c for c in frame.columns if c.startswith(TAG) and c != phenomena):
        tag = column.removeprefix(TAG)
        uneven, units = [], 0
        for name, part in split_by(frame, phenomena):
            counts, varies = _counts(part, column)
            units += int(counts["len"].sum())
            if varies and tag not in declared:
                continue
            if 1 < counts.height <= MANY_VALUES and _uneven(counts["len"], exact=tag in declared):
                uneven.append((name + ": " if name else "") + _extremes(counts))
        if uneven:
            severity: Severity = "error" if tag in declared else "note"
            more = f" … and {len(uneven) - NAMED} more" if len(uneven) > NAMED else ""
            detail = f"{tag}: " + "; ".join(uneven[:NAMED]) + more
            found.append(Finding("balance", severity, len(uneven), units, detail))
    return found


def _counts(frame: pl.DataFrame, column: str) -> tuple[pl.DataFrame, bool]:
    """How often each value is taken: once a group where a group has one value, else once a row; and whether it varies there."""
    rows = frame.select("group", column).drop_nulls(column)
    if rows.schema[column] == pl.List(pl.String):
        rows = rows.explode(column)
    once = rows.unique()
    varies = bool(once.drop_nulls("group")["group"].is_duplicated().any())
    if rows["group"].null_count() == 0 and not varies:
        rows = once
    return rows.group_by(column).len().sort(["len", column], descending=[True, False]), varies


def _uneven(counts: pl.Series, *, exact: bool) -> bool:
    most, least, even = int(counts.max() or 0), int(counts.min() or 0), float(counts.mean() or 0)  # type: ignore[arg-type]
    return most - least > max(2, 0.05 * even) if exact else most > 1.5 * even and most - even > 5


def _extremes(counts: pl.DataFrame) -> str:
    first, last = counts.row(0), counts.row(-1)
    return f"'{first[0]}' {first[1]} and '{last[0]}' {last[1]} of {counts['len'].sum()}"


def find_unfilled(frame: pl.DataFrame, promised: Sequence[str]) -> list[Finding]:
    """Promised conditions that no item has a value for, and tags that have the same value in every item."""
    found = []
    absent = [tag for tag in promised if TAG + tag not in frame.columns or frame[TAG + tag].is_null().all()]
    if absent:
        detail = f"no item has a value for {', '.join(absent)}"
        found.append(Finding("slot never filled", "error", len(absent), len(promised), detail))
    tags = [c for c in frame.columns if c.startswith(TAG)]
    same = [c for c in tags if not frame[c].null_count() and frame[c].n_unique() == 1]
    fixed = [f"{c.removeprefix(TAG)} = {_text(frame[c][0])}" for c in same]
    if fixed:
        found.append(Finding("constant tag", "note", len(fixed), len(tags), "; ".join(fixed)))
    return found


def _text(value: Any) -> str:
    return ", ".join(value) if isinstance(value, pl.Series) else str(value)
