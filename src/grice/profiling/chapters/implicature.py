"""Scalar implicature: logical, pragmatic or neither, with the controls first (IMPPRES, Figures 2–4 and 8–13)."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

import polars as pl

from grice.analysis.accuracy import accuracy
from grice.analysis.share import share
from grice.core.estimate import Estimate
from grice.papers.imppres.printed import FIGURES
from grice.profiling.chapter import Chapter, Findings
from grice.profiling.phrases import (
    CONTROLS,
    estimate_of,
    interval,
    is_above,
    join_names,
    percent,
    round_percent,
    select,
)
from grice.profiling.rivals import describe_rivals
from grice.profiling.sheets import DIFFER, AnswerSheet, examples, filter_rows, numbers, plain_name, row_column
from grice.reporting.model import Figure, Mark, Number, Query

READINGS = ("logical", "pragmatic", "neither")
ADVERBS = {"logical": "logically", "pragmatic": "pragmatically", "neither": "by neither"}
CONDITIONS = ("W/not S", "not S/W", "W/S", "S/W", "not S/not W", "not W/not S")
CONTROL = {"tag.role": "control"}
TARGETS = {"tag.role": "target", DIFFER: "differ"}
# Our sets and what Figure 3 of IMPPRES calls them; its numerals are the mean of two of ours.
PRINTED = {
    "connectives": "connectives", "quantifiers": "determiners", "gradable adjective": "gradable adjectives",
    "gradable verb": "gradable verbs", "modals": "modals",
}  # fmt: skip
# Two of its numbers are ten times too high; the authors' counts give these.
CORRECTED = {"connectives, pragmatic": 0.0083, "gradable adjectives, pragmatic": 0.0022}
BERT = "BERT as printed in IMPPRES, Figure 3, on its own sentences"
WHAT = (
    "A weaker word suggests that the stronger one would not do: who says “some” is taken to mean “not all”. Logic alone does not give that. "
    "Each paradigm pairs a weaker (W) and a stronger (S) sentence and their negations; on its targets the logical and the pragmatic answer part."
)
GOOD = (
    "A logician answers neutral from “some” to “not all” and entailment from “all” to “some”; a listener who draws the implicature answers entailment to the first and "
    "contradiction to the second. Either is a coherent reading. The controls are contradictions under both, so a judge must get those right before its targets mean anything."
)

# What its data have at least.
NEEDS = ("gold.logical", "gold.pragmatic", "tag.role")


def _reads(sheet: AnswerSheet) -> bool:
    """Whether the data has pairs with a logical and a pragmatic answer."""
    return sheet.has(*NEEDS)


def _write(sheet: AnswerSheet) -> Findings:
    frame = sheet.frame.drop_nulls(["gold.logical", "gold.pragmatic"])
    rows = row_column(frame)
    controls = numbers(sheet, frame, rows, {"": accuracy("logical")}, where=CONTROL, reading="logical")
    targets = filter_rows(frame, TARGETS)
    shares = {name: share(name) for name in READINGS}
    by_row = numbers(sheet, targets, rows, shares, where=TARGETS)
    by_condition = _by_condition(sheet, targets)
    judge = sheet.judges[0]
    read = _readable(controls, judge)
    marks = _printed_marks(by_row)
    readings = _readings_figure(by_row, judge)
    figures = (
        _controls_figure(controls, judge),
        readings,
        *([_conditions_figure(by_condition, judge)] if by_condition else []),
        *([_matrix_figure(sheet, targets, rows)] if "tag.condition" in targets.columns else []),
    )
    warnings, headline = _sentences(sheet, targets, rows, controls, by_row, read)
    beside = _beside(sheet, targets, marks) if read else ""
    return Findings(
        figures, headline, examples(targets, ("logical", "pragmatic")), warnings, (beside,),
        overview=tuple(number for number in by_row if number.series != "neither"), marks=marks,
        overview_finding=readings.finding, overview_axis="targets answered by each reading",
    )  # fmt: skip


def _by_condition(sheet: AnswerSheet, targets: pl.DataFrame) -> list[Number]:
    if "tag.condition" not in targets.columns:
        return []
    there = [c for c in CONDITIONS if c in set(targets["tag.condition"].to_list())]
    shares = {name: share(name) for name in READINGS}
    return numbers(sheet, targets, "tag.condition", shares, where=TARGETS, only=there)


def _readable(controls: Sequence[Number], judge: str) -> list[str]:
    """The rows whose controls a judge gets right often enough for the targets to mean something."""
    return [n.row for n in select(controls, judge) if n.value >= CONTROLS]


def _sentences(
    sheet: AnswerSheet,
    targets: pl.DataFrame,
    rows: str,
    controls: Sequence[Number],
    by_row: Sequence[Number],
    read: Sequence[str],
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The warnings, and what may be said: of the rows whose controls hold and no others."""
    judge = sheet.judges[0]
    failed = [n for n in select(controls, judge) if n.row not in read]
    if not read:
        pooled = accuracy("logical")(filter_rows(sheet.first.drop_nulls("gold.logical"), CONTROL))
        return (
            f"Controls fail: {judge} gets {percent(pooled)} of the scalar control pairs right, and below {CONTROLS:.0%} in every set. "
            "They are contradictions under either reading, so its targets below mean nothing.",
        ), (
            f"Its reading of scalar terms cannot be told: it gets only {percent(pooled)} of their control pairs right.",
        )
    warnings: tuple[str, ...] = ()
    if failed:
        named = join_names(f"{n.row} ({n.value:.0%})" for n in failed)
        warnings = (f"Controls fail for {named}: their targets mean nothing and are left out of the sentences.",)
    kept = [name for name in targets[rows].drop_nulls().unique() if plain_name(name) in read]
    mine = targets.filter(pl.col(rows).is_in(kept), judge=judge)
    pooled_shares = {name: share(name)(mine) for name in READINGS}
    sentence = _sentence(pooled_shares, bool(failed))
    return warnings, (sentence + _exceptions(by_row, judge, read, pooled_shares),)


def _majority(shares: dict[str, Estimate | None]) -> str:
    return next((name for name in READINGS if is_above(shares[name], 0.5)), "")


def _sentence(shares: dict[str, Estimate | None], some: bool) -> str:
    start = {
        "logical": "It reads scalar terms logically",
        "pragmatic": "It reads scalar terms pragmatically",
        "neither": "It follows neither reading of scalar terms",
        "": "It settles on no reading of scalar terms",
    }[_majority(shares)]
    where = ", where its controls hold" if some else ""
    logical, pragmatic, neither = (interval(shares[name]) for name in READINGS)
    n = next((found.n for found in shares.values() if found), 0)
    return f"{start}{where}: {logical} of its answers are the logical one, {pragmatic} the pragmatic one, {neither} neither (n = {n:,})."


def _exceptions(by_row: Sequence[Number], judge: str, read: Sequence[str], pooled: dict[str, Estimate | None]) -> str:
    """Rows that clearly follow another reading than the whole."""
    overall = _majority(pooled)
    odd: dict[str, list[str]] = {}
    for row in read:
        found = _majority({name: estimate_of(by_row, judge, name, row) for name in READINGS})
        if found and found != overall:
            odd.setdefault(found, []).append(row)
    clauses = [
        f"{join_names(names)} {'are' if len(names) > 1 else 'is'} read {ADVERBS[reading]}"
        for reading, names in odd.items()
    ]
    return f" {'But' if overall else 'Still,'} {'; '.join(clauses)}." if clauses else ""


def _beside(sheet: AnswerSheet, targets: pl.DataFrame, marks: Sequence[Mark]) -> str:
    """Rivals on all targets, controls or not; then the paper's model, averaged over the scales that are here."""

    def describe(mine: pl.DataFrame) -> str:
        logical, pragmatic = share("logical")(mine), share("pragmatic")(mine)
        return f"{interval(logical)} logical, {interval(pragmatic)} pragmatic" if logical else "no items"

    means = {
        reading: fmean(mark.value for mark in marks if mark.series == reading)
        for reading in dict.fromkeys(mark.series for mark in marks)
    }
    shares = ", ".join(f"{round_percent(mean)} {reading}" for reading, mean in means.items())
    paper = [f"BERT in IMPPRES {shares} (its sentences, mean of {len(marks) // 2} scales, as printed)"] if means else []
    return describe_rivals(sheet, targets, describe, *paper)


def _printed_marks(by_row: Sequence[Number]) -> tuple[Mark, ...]:
    rows = {number.row for number in by_row}
    return tuple(
        Mark(row, reading, FIGURES["FIGURE_3"][f"{name}, {reading}", "BERT"], _printed_label(name, reading))
        for row, name in PRINTED.items()
        if row in rows
        for reading in ("logical", "pragmatic")
    )


def _printed_label(name: str, reading: str) -> str:
    slip = CORRECTED.get(f"{name}, {reading}")
    return f"{BERT}, {reading}" + (f" (corrected from the authors' counts: {slip})" if slip else "")


def _controls_figure(controls: Sequence[Number], judge: str) -> Figure:
    mine, good = select(controls, judge), len(_readable(controls, judge))
    return Figure(
        "controls", "Controls: contradictions under either reading", "dots", tuple(controls),
        f"{judge} gets at least {CONTROLS:.0%} of the controls right in {good} of {len(mine)} sets.",
        names="set", across="controls right", line=CONTROLS,
        note=f"Left of the dashed line ({CONTROLS:.0%}) the targets of a set are not read. IMPPRES Figure 2.",
    )  # fmt: skip


def _readings_figure(by_row: Sequence[Number], judge: str) -> Figure:
    most = [
        _majority({name: estimate_of(by_row, judge, name, row) for name in READINGS})
        for row in dict.fromkeys(n.row for n in by_row)
    ]
    counts = ", ".join(f"{most.count(name)} {name}" for name in READINGS)
    return Figure(
        "readings", "Logical, pragmatic or neither, by scale", "stack", tuple(by_row),
        f"Of {len(most)} sets, those with a clear majority for one reading are: {counts}.",
        names="set", across="answers to targets",
        note="Targets whose readings differ. IMPPRES Figure 3.",
    )  # fmt: skip


def _conditions_figure(by_condition: Sequence[Number], judge: str) -> Figure:
    mine = select(by_condition, judge, "pragmatic")
    best = max(mine, key=lambda n: n.value, default=by_condition[0])
    return Figure(
        "conditions", "The same by condition", "stack", tuple(by_condition),
        f"{judge} is most often pragmatic on {best.row}: {percent(best.estimate)}.",
        names="condition", across="answers to targets",
        note="W is the sentence with the weaker word, S that with the stronger; premise before the stroke, hypothesis after it.",
    )  # fmt: skip


def _strongest(cell: Number) -> str:
    if cell.estimate is None or cell.estimate.value <= 0:
        return "In no cell are pragmatic answers more frequent than logical ones."
    gap = f"{100 * cell.estimate.value:+.0f} points"
    return f"Most pragmatic on the scale “{cell.row}” in {cell.series}: {gap} (n = {cell.estimate.n:,})."


def _matrix_figure(sheet: AnswerSheet, targets: pl.DataFrame, rows: str) -> Figure:
    """Pragmatic minus logical share in each cell of set and condition, for the judge that is profiled."""
    judge = sheet.judges[0]
    mine = targets.filter(judge=judge)
    found = []
    for name in sorted(mine[rows].drop_nulls().unique().to_list()):
        for condition in CONDITIONS:
            cell = filter_rows(mine, {rows: name, "tag.condition": condition})
            logical, pragmatic = share("logical")(cell), share("pragmatic")(cell)
            query = Query(sheet.index, {**TARGETS, rows: name, "tag.condition": condition}, judge)
            gap = Estimate(pragmatic.value - logical.value, logical.n) if logical and pragmatic else None
            found.append(Number(plain_name(name), condition, judge, gap, query))
    strongest = max(found, key=lambda n: n.estimate.value if n.estimate else -2)
    return Figure(
        "cells", "Pragmatic minus logical, in points, by scale and condition", "matrix", tuple(found),
        _strongest(strongest),
        names="set", across="", domain=(-1.0, 1.0),
        note=f"{judge}. Orange: more pragmatic than logical answers; blue: the reverse. Empty: the readings agree there. IMPPRES Figures 4 and 8–13.",
    )  # fmt: skip


implicature = Chapter(
    "implicature", "Scalar implicature", WHAT, GOOD, _reads, _write, order=10, needs=NEEDS, also=("tag.condition",),
    colours={"logical": "blue", "pragmatic": "orange", "neither": "grey"},
)  # fmt: skip
