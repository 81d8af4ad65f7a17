"""Paired differences of the model and other models on the same items, all tests corrected."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import ceil
from statistics import fmean

import polars as pl

from grice.analysis.statistics.baselines import set_column
from grice.analysis.statistics.paired import compare, holm
from grice.profiling.gate import LEVEL
from grice.profiling.sheets import AnswerSheet, plain_name
from grice.reporting.model import EVIDENCE, Difference, Figure, Number, Query

READINGS = ("logical", "pragmatic", "label", "signature", "stated")


def differences(sheets: list[AnswerSheet]) -> tuple[Difference, ...]:
    """Compare with every other model by dataset, kind and reading; Holm's correction covers all."""
    rows = [row for sheet in sheets for rival in sheet.judges[1:] for row in _against(sheet, rival)]
    corrected = holm([row.p for row in rows])
    return tuple(replace(row, holm=p) for row, p in zip(rows, corrected, strict=True))


def _against(sheet: AnswerSheet, rival: str) -> list[Difference]:
    first = sheet.judges[0]
    frame = sheet.frame.filter(pl.col("judge").is_in([first, rival]))
    compared = []
    for reading in READINGS:
        column = f"gold.{reading}"
        if column not in frame.columns or frame[column].dtype != pl.String:
            continue
        rows = frame.filter(pl.col(column).is_not_null())
        for where, here in _strata(rows):
            judges = set(here["judge"].unique())
            for comparison in (
                compare(here, first, rival, reading=reading) if {first, rival} <= judges else ()
            ):
                name = plain_name(next(iter(where.values()), sheet.data.name))
                query = Query(sheet.index, {**where, "differ": rival}, first, reading)
                broad = "tag.kind" in where or not set(where) - {"tag.role"}
                counts = comparison.paradigms, comparison.only_a, comparison.only_b
                compared.append(
                    Difference(
                        name,
                        reading,
                        rival,
                        comparison.difference,
                        *counts,
                        comparison.p,
                        1.0,
                        query,
                        broad,
                    )
                )
    return compared


def _strata(rows: pl.DataFrame) -> list[tuple[dict[str, str], pl.DataFrame]]:
    """List the rows of each kind, then of each phenomenon.

    Where there are targets, only targets count, as in the sections.
    """
    if rows.is_empty():
        return []
    columns = [c for c in dict.fromkeys(("tag.kind", set_column(rows))) if c and c in rows.columns]
    cut = [
        ({column: str(value)}, sheet)
        for column in columns
        for (value,), sheet in sorted(
            rows.partition_by(column, as_dict=True).items(), key=lambda p: str(p[0])
        )
        if value is not None
    ]
    return [_targets(where, here) for where, here in cut or [({}, rows)]]


def _targets(where: dict[str, str], rows: pl.DataFrame) -> tuple[dict[str, str], pl.DataFrame]:
    targets = (
        rows.filter(pl.col("tag.role") == "target") if "tag.role" in rows.columns else rows.clear()
    )
    return (where, rows) if targets.is_empty() else ({**where, "tag.role": "target"}, targets)


def forest(rows: Sequence[Difference], judge: str) -> Figure | None:
    """Draw the differences of whole kinds, from the largest loss to the largest gain."""
    broad = [row for row in rows if row.broad]
    if not broad:
        return None
    means: dict[str, list[float]] = {}
    for row in broad:
        means.setdefault(_label(row), []).append(row.difference.value)
    order = sorted(means, key=lambda name: (-fmean(means[name]), name))
    numbers = [
        Number(
            _label(row),
            "",
            row.rival,
            row.difference,
            row.query,
            paradigms=row.paradigms,
            sure=row.holm < LEVEL,
        )
        for row in sorted(broad, key=lambda row: order.index(_label(row)))
    ]
    ends = [
        abs(end)
        for n in numbers
        if n.estimate
        for end in (n.estimate.low, n.estimate.high, n.value)
        if end is not None
    ]
    reach = min(1.0, ceil(10 * max(ends)) / 10)
    stand = sum(number.sure for number in numbers)
    return Figure(
        "forest",
        f"{judge} minus each rival",
        "forest",
        tuple(numbers),
        f"{stand} of {len(numbers)} differences are significant after correction.",
        names="stratum",
        across="difference in share of right answers",
        domain=(-reach, reach),
        rests_on=EVIDENCE,
        note=(
            f"Right of the line {judge} is right more often. Hollow: not significant after Holm's"
            " correction over all rows. At the end of a row: paradigms (p.)."
        ),
    )


def _label(row: Difference) -> str:
    return row.stratum if row.reading in ("label", "signature") else f"{row.stratum}, {row.reading}"
