"""Overview chart of a page: every phenomenon on one axis of shares, with one verdict per row."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import polars as pl

from grice.analysis.statistics.baselines import AnswerScore, correctness, set_column
from grice.core.estimate import Estimate, mean
from grice.core.measure import Score
from grice.core.scale import NLI
from grice.profiling.gate import is_mixed, shuffled_marks, strata_of, sure_rows
from grice.profiling.phrases import select
from grice.profiling.sheets import AnswerSheet, numbers, plain_name
from grice.reporting.model import Chip, Figure, Mark, MarkKind, Number
from grice.tables.table import Measure

# Maximum rows of a chapter; longer lists are thinned out evenly.
MOST = 12
CONSTANT, INCONCLUSIVE, MIXED = "one answer throughout", "inconclusive", "mixed"
NOTE = (
    "Dots: shares of answers with 95% intervals; the group says which answers are counted. A chip"
    " names the answer given significantly more than half of the time (Holm, within the group);"
    " mixed: the interval lies within 15–85%. Faded rows are inconclusive: controls fail or"
    " no score is above its baselines."
)


@dataclass(frozen=True)
class FingerprintRows:
    """A chapter's rows of the overview chart, with marks and the verdict of each row.

    `counted` says which answers are counted, `by` is the column that the rows are values of.
    """

    counted: str
    numbers: tuple[Number, ...]
    marks: tuple[Mark, ...] = ()
    verdicts: Mapping[str, str] = field(default_factory=dict)
    by: str = ""


@dataclass(frozen=True)
class RowSpec:
    """What the overview chart shows of a chapter.

    The rows are the values of the column `by`, or those in `only`, in that order; `names` replaces
    some. Only items with the values of `where` are counted. The first of `scores` is drawn; the
    verdict of a row is the score that significantly more than half of its answers have.
    """

    by: str
    counted: str
    scores: Mapping[str, AnswerScore]
    where: Mapping[str, str] = field(default_factory=dict)
    only: Sequence[str] = ()
    names: Mapping[str, str] = field(default_factory=dict)
    reading: str = ""


def right_rows(by: str, gold: str, counted: str = "right answers", **rest: Any) -> RowSpec:
    """Return the rows of right answers by a gold reading, with the verdicts right and wrong."""
    right = correctness(f"gold.{gold}")
    scores: dict[str, AnswerScore] = {"right": right, "wrong": lambda answer: 1 - right(answer)}
    return RowSpec(by, counted, scores, reading=gold, **rest)


def fingerprint_rows(sheet: AnswerSheet, frame: pl.DataFrame, spec: RowSpec) -> FingerprintRows:
    """Return the rows of a chapter, all of whose answers are in `frame`.

    Without `only`, they are sorted by the profiled model's value.
    """
    by, title = spec.by or "row", "all items"
    if not spec.by:
        frame = frame.with_columns(pl.lit(title).alias(by))
    first_name, drawn = next(iter(spec.scores.items()))

    def compute(score: AnswerScore, rows: pl.DataFrame) -> Estimate | None:
        answered = rows.filter(pl.col("answer").is_not_null())
        return mean(answered.select(score(pl.col("answer")).alias("own"))["own"], answered["group"])

    measures = {
        name: Measure(
            "share", partial(compute, score), score=score if isinstance(score, Score) else None
        )
        for name, score in list(spec.scores.items())[:2]
    }
    shares = numbers(
        sheet, frame, spec.by, measures, where=spec.where, only=spec.only, reading=spec.reading
    )
    shares = [replace(number, row=number.row or title) for number in shares]
    drawn_numbers = [replace(number, series="") for number in shares if number.series == first_name]
    judge_rows = frame.filter(judge=sheet.judges[0])
    counts = pl.all_horizontal(pl.lit(True), *(pl.col(c) == v for c, v in spec.where.items()))
    twins = shuffled_marks(
        judge_rows, {"": drawn}, by, strata=strata_of(set_column(frame)), of=counts
    )
    own = judge_rows.filter(counts)
    verdicts = _mixed_rows(select(shares, sheet.judges[0]))
    sure = sure_rows(own, by, spec.scores)
    verdicts |= {plain_name(row): verdict for verdict, rows in sure.items() for row in rows}
    visible_rows = {number.row for number in drawn_numbers}
    marks = [mark for mark in (*twins, *_constants(own, by, drawn)) if mark.row in visible_rows]
    ordered = drawn_numbers if spec.only else _sorted(drawn_numbers, sheet.judges[0])

    def named(row: str) -> str:
        return spec.names.get(row, row)

    return FingerprintRows(
        spec.counted,
        tuple(replace(number, row=named(number.row)) for number in ordered),
        tuple(replace(mark, row=named(mark.row)) for mark in marks),
        {named(row): verdict for row, verdict in verdicts.items()},
        spec.by,
    )


def _mixed_rows(shares: Sequence[Number]) -> dict[str, str]:
    """Return the rows where neither answer prevails, with that verdict."""
    by_row: dict[str, list[Estimate | None]] = {}
    for number in shares:
        by_row.setdefault(number.row, []).append(number.estimate)
    return {row: MIXED for row, estimates in by_row.items() if is_mixed(*estimates)}


def _sorted(row_numbers: Sequence[Number], judge: str) -> list[Number]:
    """Sort rows from the model's highest value to its lowest; thin out too many evenly."""
    values = {
        number.row: number.value
        for number in row_numbers
        if number.judge == judge and number.estimate
    }
    rows = sorted(values, key=lambda row: (-values[row], row))
    step = max(len(rows) / MOST, 1.0)
    picked = [rows[int(position * step)] for position in range(min(MOST, len(rows)))]
    return sorted(
        (number for number in row_numbers if number.row in picked),
        key=lambda number: picked.index(number.row),
    )


def _constants(own: pl.DataFrame, by: str, score: AnswerScore) -> list[Mark]:
    """Return the score of the best constant answer in each row."""
    labels = {*own["answer"].drop_nulls().unique(), *NLI.labels}
    shares = {
        label: own.select(score(pl.lit(label)).alias("own"))["own"].mean() for label in labels
    }
    known = {label: share for label, share in shares.items() if isinstance(share, float)}
    if not known:
        return []
    best = max(sorted(known), key=lambda label: known[label])
    scored = own.select(pl.col(by).alias("row"), score(pl.lit(best)).alias("own")).drop_nulls()
    scored = scored.explode("row") if scored.schema["row"] == pl.List(pl.String) else scored
    means = scored.group_by("row", maintain_order=True).agg(pl.col("own").drop_nulls().mean())
    return [
        Mark(plain_name(name), "", share, f"{CONSTANT}: {best}", MarkKind.CONSTANT)
        for name, share in means.iter_rows()
    ]


def fingerprint(
    parts: Sequence[tuple[str, FingerprintRows, Mapping[str, str], Set[tuple[str, str]]]],
    judge: str,
) -> Figure | None:
    """Draw the rows of all chapters in one figure; None if there are none.

    Each part has its group, its rows, the reasons of closed claims and the gated rows.
    """
    all_numbers: list[Number] = []
    marks: list[Mark] = []
    chips: list[Chip] = []
    for group, rows, closed, gated in parts:
        alone = Figure("", "", "dots", rows.numbers, "").gate(closed, gated, judge)
        here = [replace(number, series=group) for number in alone.numbers if number.estimate]
        all_numbers += here
        marks += [replace(mark, series=group) for mark in rows.marks]
        shut = {number.row for number in alone.numbers if number.gated and number.judge == judge}
        for row in dict.fromkeys(number.row for number in here):
            verdict = INCONCLUSIVE if row in shut else rows.verdicts.get(row, INCONCLUSIVE)
            chips.append(Chip(row, group, verdict))
    if not all_numbers:
        return None
    counts = Counter(chip.verdict for chip in chips)
    verdict_counts = ", ".join(
        f"{n} {verdict}"
        for verdict, n in sorted(counts.items(), key=lambda pair: pair[0] == INCONCLUSIVE)
    )
    finding = f"Of {len(chips)} rows: {verdict_counts}."
    return Figure(
        "fingerprint",
        f"{judge} at a glance",
        "fingerprint",
        tuple(all_numbers),
        finding,
        names="phenomenon",
        across="share of answers",
        marks=tuple(marks),
        chips=tuple(chips),
        note=NOTE,
    )
