"""Checks of conditions: balance of their values, and conditions without values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from grice.checks.findings import Finding, Severity, phenomenon_column, split_by
from grice.core.dataset import GOLD, TAG

# More values than this are a lexicon, not a condition.
MANY_VALUES = 60
# Phenomena that a finding names.
NAMED = 4


# The conditions that each phenomenon promises to balance; the name is empty where the data has no
# phenomena.
DeclaredConditions = Mapping[str, Sequence[str]]


def find_imbalance(frame: pl.DataFrame, declared: DeclaredConditions) -> list[Finding]:
    """Find conditions that take some values more often than others within a phenomenon.

    A condition that the phenomenon declares must be balanced; another tag is noted only where one
    value is far more frequent than the rest. Conditions that vary inside a group (target and
    control) belong to the paradigm and are not counted.
    """
    phenomena = phenomenon_column(frame)
    findings = []
    for column in (c for c in frame.columns if c.startswith(TAG) and c != phenomena):
        tag = column.removeprefix(TAG)
        uneven: dict[Severity, list[str]] = {"error": [], "note": []}
        units = 0
        for name, part in split_by(frame, phenomena):
            counts, varies = _counts(part, column)
            units += int(counts["len"].sum())
            exact = tag in declared.get(name, ())
            if varies and not exact:
                continue
            if 1 < counts.height <= MANY_VALUES and _uneven(counts["len"], exact=exact):
                uneven["error" if exact else "note"].append(
                    (name + ": " if name else "") + _extremes(counts)
                )
        for severity, named in uneven.items():
            if named:
                detail = f"{tag}: {_join(named)}"
                findings.append(Finding("balance", severity, len(named), units, detail))
    return findings


# An answer that is right for more of the controls than this lets a judge pass who always gives it.
MOST_CONTROLS = 0.5


def find_uneven_controls(frame: pl.DataFrame, declared: DeclaredConditions) -> list[Finding]:
    """Find phenomena whose controls lack a gold label, or have one for most of them.

    Such controls do not distinguish reading from a constant answer. It is a note on our phenomena,
    which have the controls of the papers, and a warning on other data.
    """
    if TAG + "role" not in frame.columns:
        return []
    controls = frame.filter(pl.col(TAG + "role") == "control")
    labels = [c for c in frame.columns if c.startswith(GOLD) and frame.schema[c] == pl.String]
    uneven: dict[Severity, list[str]] = {"note": [], "warning": []}
    for name, part in split_by(controls, phenomenon_column(frame)):
        for column in labels:
            counts = part[column].drop_nulls().value_counts(name="len")
            answers = counts.sort(["len", column], descending=[True, False])
            total = int(answers["len"].sum())
            missing = answers.height < frame[column].drop_nulls().n_unique()
            if not total or (not missing and answers["len"][0] <= MOST_CONTROLS * total):
                continue
            majority = f"{answers[column][0]} is right for {answers['len'][0]} of {total}"
            reading = column.removeprefix(GOLD)
            uneven["note" if name in declared else "warning"].append(
                f"{name or 'all'} ({reading}): {majority}"
            )
    return [
        Finding("controls", severity, len(named), controls.height, _join(named))
        for severity, named in uneven.items()
        if named
    ]


def _join(named: Sequence[str]) -> str:
    more = f" … and {len(named) - NAMED} more" if len(named) > NAMED else ""
    return "; ".join(named[:NAMED]) + more


def _counts(frame: pl.DataFrame, column: str) -> tuple[pl.DataFrame, bool]:
    """Count the values of a column, once per group if groups are constant, else once per row.

    The second value returned says whether the column varies within groups.
    """
    rows = frame.select("group", column).drop_nulls(column)
    if rows.schema[column] == pl.List(pl.String):
        rows = rows.explode(column)
    once = rows.unique(maintain_order=True)
    varies = bool(once.drop_nulls("group")["group"].is_duplicated().any())
    if rows["group"].null_count() == 0 and not varies:
        rows = once
    return (
        rows.group_by(column, maintain_order=True)
        .len()
        .sort(["len", column], descending=[True, False]),
        varies,
    )


def _uneven(counts: pl.Series, *, exact: bool) -> bool:
    high, low, average = int(counts.max() or 0), int(counts.min() or 0), float(counts.mean() or 0)  # type: ignore[arg-type]
    return (
        high - low > max(2, 0.05 * average)
        if exact
        else high > 1.5 * average and high - average > 5
    )


def _extremes(counts: pl.DataFrame) -> str:
    first, last = counts.row(0), counts.row(-1)
    return f"'{first[0]}' {first[1]} and '{last[0]}' {last[1]} of {counts['len'].sum()}"


def find_unfilled(frame: pl.DataFrame, promised: DeclaredConditions) -> list[Finding]:
    """Find promised conditions without a value, and tags with one value in every item."""
    findings = []
    absent = [
        f"{tag} ({name})" if name else tag
        for name, part in split_by(frame, phenomenon_column(frame))
        for tag in promised.get(name, ())
        if TAG + tag not in part.columns or part[TAG + tag].is_null().all()
    ]
    if absent:
        detail = f"no item has a value for {', '.join(absent)}"
        n = sum(map(len, promised.values()))
        findings.append(Finding("slot never filled", "error", len(absent), n, detail))
    tags = [c for c in frame.columns if c.startswith(TAG)]
    same = [c for c in tags if not frame[c].null_count() and frame[c].n_unique() == 1]
    fixed = [f"{c.removeprefix(TAG)} = {_text(frame[c][0])}" for c in same]
    if fixed:
        findings.append(Finding("constant tag", "note", len(fixed), len(tags), "; ".join(fixed)))
    return findings


def _text(value: Any) -> str:
    return ", ".join(value) if isinstance(value, pl.Series) else str(value)
