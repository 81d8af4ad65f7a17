"""Overview chart of a page: every phenomenon on one axis of shares, with one verdict per row."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import partial

import polars as pl

from grice.analysis.statistics.baselines import AnswerScore, correctness
from grice.core.estimate import Estimate, mean
from grice.core.measure import Score
from grice.core.scale import NLI
from grice.profiling.gate import is_mixed, shuffled_marks, sure_rows
from grice.profiling.phrases import select
from grice.profiling.sheets import AnswerSheet, filter_rows, numbers, plain_name
from grice.reporting.model import Chip, Figure, Mark, MarkKind, Number, ProfileSection
from grice.tables.table import Measure

# Maximum rows of a chapter; longer lists are thinned out evenly.
MOST = 12
CONSTANT, INCONCLUSIVE, MIXED = "one answer throughout", "inconclusive", "mixed"
NOTE = (
    "Dots: shares of answers with 95% intervals; the group says which answers are counted. A chip"
    " names the answer given significantly more than half of the time (Holm, within the group);"
    " mixed: the interval lies within 15–85%. Faded rows are inconclusive: controls fail or"
    " nothing is better than without reading."
)


@dataclass(frozen=True)
class FingerprintRows:
    """A chapter's rows of the overview chart, with marks and the verdict of each row."""

    counted: str
    numbers: tuple[Number, ...]
    marks: tuple[Mark, ...] = ()
    verdicts: Mapping[str, str] = field(default_factory=dict)


def right_or_wrong(gold: str) -> dict[str, AnswerScore]:
    """Return the scores of a gold column, keyed by the verdicts right and wrong."""
    return {"right": correctness(gold), "wrong": lambda answer: 1 - correctness(gold)(answer)}


def fingerprint_rows(
    sheet: AnswerSheet,
    frame: pl.DataFrame,
    by: str,
    counted: str,
    scores: Mapping[str, AnswerScore],
    *,
    where: Mapping[str, str],
    strata: Sequence[str],
    of: pl.Expr | None = None,
    only: Sequence[str] | None = None,
    names: Mapping[str, str] | None = None,
    reading: str = "",
    title: str = "",
) -> FingerprintRows:
    """Return the rows of a column `by`, with the verdict of each.

    The first of `scores` is drawn; the verdict is the score that significantly more than half of
    the answers have.

    `frame` has all rows of the chapter; the shuffled-answer baseline permutes answers within
    `strata`. `where` and `of` select those that count. `only` gives the rows and their order;
    without it, rows are sorted by the profiled model's value.
    """
    first_name, drawn = next(iter(scores.items()))

    def compute(score: AnswerScore, rows: pl.DataFrame) -> Estimate | None:
        answered = rows.filter(pl.col("answer").is_not_null())
        return mean(answered.select(score(pl.col("answer")).alias("own"))["own"], answered["group"])

    counted_rows = filter_rows(frame, where) if of is None else filter_rows(frame.filter(of), where)
    measures = {
        name: Measure(
            "share", partial(compute, score), score=score if isinstance(score, Score) else None
        )
        for name, score in list(scores.items())[:2]
    }
    shares = numbers(
        sheet, counted_rows, by, measures, where=where, only=only, reading=reading, title=title
    )
    drawn_numbers = [replace(number, series="") for number in shares if number.series == first_name]
    judge_rows = frame.filter(judge=sheet.judges[0])
    counts = (
        pl.all_horizontal(pl.col(column) == value for column, value in where.items())
        if where
        else pl.lit(True)
    )
    counts = counts if of is None else counts & of
    twins = shuffled_marks(judge_rows, {"": drawn}, by, strata=strata, of=counts, title=title)
    own = judge_rows.filter(counts)
    own = own if by else own.with_columns(pl.lit(title).alias("row"))
    verdicts = _mixed_rows(select(shares, sheet.judges[0]))
    sure = sure_rows(own, by or "row", scores)
    verdicts |= {plain_name(row): verdict for verdict, rows in sure.items() for row in rows}
    visible_rows = {number.row for number in drawn_numbers}
    marks = [
        mark for mark in (*twins, *_constants(own, by, drawn, title)) if mark.row in visible_rows
    ]
    ordered = list(drawn_numbers) if only else _sorted(drawn_numbers, sheet.judges[0])
    return _named(FingerprintRows(counted, tuple(ordered), tuple(marks), verdicts), names or {})


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


def _constants(own: pl.DataFrame, by: str, score: AnswerScore, title: str) -> list[Mark]:
    """Return the score of the best constant answer in each row."""
    labels = own["answer"].drop_nulls().unique().sort().to_list() if by or title else []
    shares = {
        label: own.select(score(pl.lit(label)).alias("own"))["own"].mean()
        for label in {*labels, *NLI.labels}
    }
    known = {label: share for label, share in shares.items() if isinstance(share, float)}
    if not known:
        return []
    best = max(sorted(known), key=lambda label: known[label])
    row = pl.col(by) if by else pl.lit(title)
    scored = own.select(row.alias("row"), score(pl.lit(best)).alias("own")).drop_nulls()
    scored = scored.explode("row") if scored.schema["row"] == pl.List(pl.String) else scored
    means = scored.group_by("row", maintain_order=True).agg(pl.col("own").drop_nulls().mean())
    return [
        Mark(plain_name(name), "", share, f"{CONSTANT}: {best}", MarkKind.CONSTANT)
        for name, share in means.iter_rows()
    ]


def _named(rows: FingerprintRows, names: Mapping[str, str]) -> FingerprintRows:
    return replace(
        rows,
        numbers=tuple(
            replace(number, row=names.get(number.row, number.row)) for number in rows.numbers
        ),
        marks=tuple(replace(mark, row=names.get(mark.row, mark.row)) for mark in rows.marks),
        verdicts={names.get(row, row): verdict for row, verdict in rows.verdicts.items()},
    )


def fingerprint(
    parts: Sequence[
        tuple[
            ProfileSection, FingerprintRows, Mapping[str, str], Set[tuple[str, str]], Sequence[Mark]
        ]
    ],
    judge: str,
) -> Figure | None:
    """Draw the rows of all chapters in one figure; None if there are none.

    Each part has its section, its rows, the reasons of closed claims, the gated rows and the marks
    of its overview, of which those of people are drawn.
    """
    all_numbers: list[Number] = []
    marks: list[Mark] = []
    chips: list[Chip] = []
    for section, rows, closed, gated, others in parts:
        group = f"{section.title}: {rows.counted}"
        alone = Figure("", "", "dots", rows.numbers, "").gate(closed, gated, judge)
        all_numbers += [
            replace(number, series=group) for number in alone.numbers if number.estimate
        ]
        marks += [replace(mark, series=group) for mark in rows.marks]
        here = {number.row for number in rows.numbers}
        marks += [
            replace(mark, series=group)
            for mark in others
            if mark.kind is MarkKind.PEOPLE and mark.row in here
        ]
        shut = {number.row for number in alone.numbers if number.gated and number.judge == judge}
        for row in dict.fromkeys(number.row for number in all_numbers if number.series == group):
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
