"""Figures of the chapter on scalar implicatures (IMPPRES, Figures 2–4 and 8–13)."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

import polars as pl

from grice.analysis.share import share
from grice.analysis.statistics.baselines import AnswerScore, correctness, difference
from grice.core.estimate import Estimate
from grice.core.measure import Metric, Unit
from grice.profiling.fingerprint import MOST, RowSpec
from grice.profiling.gate import FEWEST_ITEMS, RELIABLE, shuffled_marks, sure_rows
from grice.profiling.phrases import select
from grice.profiling.sheets import DIFFER, FAMILY, AnswerSheet, filter_rows, numbers, plain_name
from grice.reporting.formats import count, join_names, percent
from grice.reporting.model import EVIDENCE, Figure, Mark, Number, Query

READINGS = ("logical", "pragmatic", "neither")
CONDITIONS = ("W/not S", "not S/W", "W/S", "S/W", "not S/not W", "not W/not S")
CONTROL = {"tag.role": "control"}
TARGETS = {"tag.role": "target", DIFFER: "differ"}
IS_TARGET = (pl.col("tag.role") == "target") & (pl.col("gold.logical") != pl.col("gold.pragmatic"))


def follows_reading(answer: pl.Expr) -> pl.Expr:
    """Score 1 where the answer is that of either reading."""
    return ((answer == pl.col("gold.logical")) | (answer == pl.col("gold.pragmatic"))).cast(
        pl.Float64
    )


SCORES: dict[str, AnswerScore] = {
    "logical": correctness("gold.logical"),
    "pragmatic": correctness("gold.pragmatic"),
    "neither": lambda answer: 1 - follows_reading(answer),
}
# Names of our sets in Figure 3 of IMPPRES, whose numerals are the mean of two of ours.
PRINTED = {
    "connectives": "connectives",
    "quantifiers": "determiners",
    "gradable adjective": "gradable adjectives",
    "gradable verb": "gradable verbs",
    "modals": "modals",
}
# Right by the pragmatic reading minus right by the logical one.
PRAGMATIC_LEAN = Metric(
    "accuracy", "pragmatic", Unit.POINTS, difference("gold.pragmatic", "gold.logical")
)


def scale_rows(frame: pl.DataFrame, rows: str) -> RowSpec:
    """Return pragmatic answers by set, or by kind of scale if there are many sets."""
    many = FAMILY in frame.columns and bool(rows) and frame[rows].n_unique() > MOST
    scores = {name: SCORES[name] for name in ("pragmatic", "logical", "neither")}
    return RowSpec(FAMILY if many else rows, "pragmatic answers", scores, TARGETS)


def controls_figure(
    controls: Sequence[Number],
    judge: str,
    gated: frozenset[tuple[str, str]],
    baseline_marks: tuple[Mark, ...],
) -> Figure:
    """Draw the accuracy on controls by set, which decides what is counted below."""
    judge_numbers = select(controls, judge)
    good = sum((judge, number.row) not in gated for number in judge_numbers)
    return Figure(
        "controls",
        "Controls: the same answer under either reading",
        "dots",
        tuple(controls),
        (
            f"{judge} passes the controls in {good} of {count(len(judge_numbers), 'set')}."
            if judge_numbers
            else f"{judge} answered no control."
        ),
        names="set",
        across="controls right, each answer weighing the same",
        line=RELIABLE,
        marks=baseline_marks,
        rests_on=EVIDENCE,
        note=(
            f"A set whose controls are correct in less than {RELIABLE:.0%} (dashed), or not above"
            " the shuffled-answer baseline, is faded below and left out. IMPPRES Figure 2."
        ),
    )


def readings_figure(
    sheet: AnswerSheet,
    targets: pl.DataFrame,
    by_row: Sequence[Number],
    rows: str,
    gated: frozenset[tuple[str, str]],
    baseline_marks: tuple[Mark, ...],
) -> Figure:
    """Draw how the answers to targets divide into pragmatic, logical and neither, by set."""
    judge = sheet.judges[0]
    sets = dict.fromkeys(n.row for n in by_row)
    passing = [row for row in sets if (judge, row) not in gated]
    rows_by_reading = sure_rows(targets.filter(judge=judge), rows, SCORES) if rows else {}
    counts = ", ".join(
        f"{sum(plain_name(n) in passing for n in names)} {reading}"
        for reading, names in rows_by_reading.items()
    )
    finding = (
        f"{count(len(passing), 'set')} with controls that hold. Significantly more than half of the"
        f" answers follow one reading in: {counts}."
    )
    return Figure(
        "readings",
        "Logical, pragmatic or neither, by scale",
        "stack",
        tuple(by_row),
        (
            finding
            if counts and passing
            else "All targets together."
            if not counts
            else "No set has controls that hold."
        ),
        names="set",
        across="answers to targets",
        marks=baseline_marks,
        note="Targets whose readings differ. IMPPRES Figure 3.",
    )


def conditions_figure(
    sheet: AnswerSheet, targets: pl.DataFrame, judge_rows: pl.DataFrame, strata: Sequence[str]
) -> Figure:
    """Draw the answers by condition of the targets, as the paper's Figure 4 does."""
    conditions = [c for c in CONDITIONS if c in set(targets["tag.condition"].to_list())]
    shares = {name: share(name) for name in READINGS}
    by_condition = numbers(sheet, targets, "tag.condition", shares, where=TARGETS, only=conditions)
    sure = sure_rows(
        targets.filter(judge=sheet.judges[0]), "tag.condition", {"pragmatic": SCORES["pragmatic"]}
    )
    named = [
        n for n in select(by_condition, sheet.judges[0], "pragmatic") if n.row in sure["pragmatic"]
    ]
    text = join_names(f"{n.row} {percent(n.estimate)}" for n in named)
    return Figure(
        "conditions",
        "The same by condition",
        "stack",
        tuple(by_condition),
        (
            f"{sheet.judges[0]} is pragmatic significantly more than half of the time on {text}."
            if named
            else f"{sheet.judges[0]} is pragmatic significantly more than half of the time under no"
            " condition."
        ),
        names="condition",
        across="answers to targets",
        marks=shuffled_marks(judge_rows, SCORES, "tag.condition", strata=strata, of=IS_TARGET),
        note=(
            "W is the sentence with the weaker word, S that with the stronger; premise before the"
            " stroke, hypothesis after it."
        ),
    )


def matrix_figure(
    sheet: AnswerSheet, targets: pl.DataFrame, rows: str, baseline_marks: Sequence[Mark]
) -> Figure:
    """Draw the pragmatic minus the logical rate by set and condition for the profiled model."""
    judge = sheet.judges[0]
    judge_targets = targets.filter(judge=judge)
    cells = []
    for name in sorted(judge_targets[rows].drop_nulls().unique().to_list()) if rows else []:
        for condition in CONDITIONS:
            cell = filter_rows(judge_targets, {rows: name, "tag.condition": condition})
            logical, pragmatic = share("logical")(cell), share("pragmatic")(cell)
            query = Query(sheet.index, {**TARGETS, rows: name, "tag.condition": condition}, judge)
            gap = (
                Estimate(pragmatic.value - logical.value, logical.n)
                if logical and pragmatic
                else None
            )
            cells.append(
                Number(plain_name(name), condition, judge, gap, query, metric=PRAGMATIC_LEAN)
            )
    few = [n for n in cells if n.estimate and n.estimate.n < FEWEST_ITEMS]
    size = f" A cell of fewer than {FEWEST_ITEMS} answers is not conclusive." if few else ""
    blind = (
        {
            series: fmean(m.value for m in baseline_marks if m.series == series)
            for series in ("logical", "pragmatic")
        }
        if baseline_marks
        else {}
    )
    gap_text = (
        " Its own answers, shuffled, would give"
        f" {100 * (blind['pragmatic'] - blind['logical']):+.0f} points."
        if blind
        else ""
    )
    return Figure(
        "cells",
        "Pragmatic minus logical, in points, by scale and condition",
        "matrix",
        tuple(cells),
        f"How {judge} spreads over scales and conditions.{size}",
        names="set",
        across="",
        domain=(-1.0, 1.0),
        note=(
            f"{judge}. Light: more pragmatic than logical answers; dark: the reverse. Empty: the"
            f" readings agree there.{gap_text} IMPPRES Figures 4 and 8–13."
        ),
    )
