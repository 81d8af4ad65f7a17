"""Charts of data without a chapter: accuracy by every tag, confusion matrix, answer frequencies."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import polars as pl

from grice.analysis.accuracy import accuracy
from grice.analysis.entailed import entailed
from grice.analysis.statistics.baselines import correctness
from grice.core.dataset import TAG
from grice.core.estimate import mean
from grice.profiling.gate import shuffled_marks
from grice.profiling.phrases import select
from grice.profiling.sheets import AGREED, AnswerSheet, numbers
from grice.reporting.formats import count, percent, round_percent
from grice.reporting.model import Figure, Number, Query
from grice.storage.run import Run

# Maximum values of a tag that is drawn, and maximum tags: those whose accuracy varies most.
MOST_VALUES, MOST_TAGS, MOST_LABELS, BINS = 40, 12, 12, 10


def tag_figures(sheet: AnswerSheet) -> tuple[Figure, ...]:
    """Draw accuracy by each tag of the data; the tag whose values differ most comes first."""
    rows = sheet.frame.drop_nulls(AGREED)
    spread_by_tag = {
        column: _telling(sheet.first, column)
        for column in sheet.data.frame.columns
        if column.startswith(TAG)
    }
    known = sorted(
        (column for column, much in spread_by_tag.items() if much is not None),
        key=lambda c: (-(spread_by_tag[c] or 0.0), c),
    )
    figures = [_by_tag(sheet, rows, column) for column in known[:MOST_TAGS]]
    often = Counter(figure.id for figure in figures)
    return tuple(
        replace(figure, id=f"{figure.id}-{i}") if often[figure.id] > 1 else figure
        for i, figure in enumerate(figures, 1)
    )


def _telling(first: pl.DataFrame, column: str) -> float | None:
    """Return the variance of accuracy between values of a tag, minus that expected by chance.

    None for a tag with a single value, too many values, or values that are not text.
    """
    rows = first.drop_nulls([AGREED, column, "answer"]).select(
        pl.col(column), (pl.col("answer") == pl.col(AGREED)).cast(pl.Float64).alias("right")
    )
    rows = rows.explode(column) if rows.schema[column] == pl.List(pl.String) else rows
    by = rows.group_by(column, maintain_order=True).agg(
        pl.len(), pl.col("right").drop_nulls().mean()
    )
    if rows.schema[column] != pl.String or not 2 <= by.height <= MOST_VALUES:
        return None
    size, share = by["len"].to_numpy(), by["right"].to_numpy()
    overall = float(np.average(share, weights=size))
    between = float(np.average((share - overall) ** 2, weights=size))
    return between - (by.height - 1) / rows.height * overall * (1 - overall)


def _by_tag(sheet: AnswerSheet, rows: pl.DataFrame, column: str) -> Figure:
    name = column.removeprefix(TAG)
    by_value = numbers(
        sheet, rows.drop_nulls(column), column, {"": accuracy("agreed")}, reading="agreed"
    )
    judge_numbers = sorted(select(by_value, sheet.judges[0]), key=lambda number: -number.value)
    order = [number.row for number in judge_numbers]
    by_value = sorted(
        by_value, key=lambda number: order.index(number.row) if number.row in order else len(order)
    )
    ends = (
        f"from {round_percent(judge_numbers[-1].value)} to {round_percent(judge_numbers[0].value)}"
        f" over {count(len(judge_numbers), 'value')}"
        if judge_numbers
        else "no answers"
    )
    return Figure(
        "by-" + re.sub(r"\W+", "-", name),
        f"Right by {name}",
        "dots",
        tuple(by_value),
        f"{sheet.judges[0]}: {ends}.",
        names=name,
        across="right",
        marks=shuffled_marks(
            sheet.first.drop_nulls([AGREED, column]), {"": correctness(AGREED)}, column
        ),
    )


def confusion_figure(sheet: AnswerSheet) -> tuple[Figure, ...]:
    """Draw the confusion matrix; of very many labels, the most frequent."""
    often = [
        label for label, _ in Counter(sheet.first[AGREED].drop_nulls()).most_common(MOST_LABELS)
    ]
    labels = [label for label in sheet.data.scale.labels if label in often]
    if len(labels) < 2:
        return ()
    measures = {label: entailed(label) for label in labels}
    rows = sheet.first.drop_nulls(AGREED)
    cells = numbers(sheet, rows, AGREED, measures, reading="agreed", only=labels)
    worst = min(
        (n for n in cells if n.estimate and n.row == n.series), key=lambda n: n.value, default=None
    )
    finding = (
        f"{sheet.judges[0]} is least often right where the answer is {worst.row}:"
        f" {percent(worst.estimate)}."
        if worst
        else "No answers."
    )
    return (
        Figure(
            "confusion",
            "Answers given, by right answer",
            "matrix",
            tuple(cells),
            finding,
            names="right answer",
            across="answer given, % of the row",
            note=(f"{sheet.judges[0]}.{_rest(sheet, labels)}"),
        ),
    )


def _rest(sheet: AnswerSheet, labels: Sequence[str]) -> str:
    more = len(sheet.data.scale.labels) - len(labels)
    return f" {count(more, 'rarer label')} left out." if more else ""


def answers_figure(sheet: AnswerSheet) -> Figure:
    """Draw how often each answer is given: labels as bars, numbers by tenths of their scale."""
    shares = [
        number
        for run in sheet.runs
        for number in (_tenths if run.scale.numeric else _labels)(sheet, run)
    ]
    numeric = sheet.runs[0].scale.numeric
    return Figure(
        "answers",
        "What it answers",
        "dots" if numeric else "stack",
        tuple(shares),
        f"{sheet.judges[0]} {_most(shares, sheet.judges[0])}.",
        names="answer" if numeric else "judge",
        across="share of answers",
    )


def _labels(sheet: AnswerSheet, run: Run) -> list[Number]:
    rows = sheet.frame.filter(judge=run.judge)
    query = Query(sheet.index, {}, run.judge)
    return [
        Number("all items", label, run.judge, entailed(label)(rows), query)
        for label in run.scale.labels
    ]


def _tenths(sheet: AnswerSheet, run: Run) -> list[Number]:
    rows = sheet.frame.filter(judge=run.judge).drop_nulls("value")
    low, high = run.scale.low or 0.0, run.scale.high or 1.0
    positions = (
        ((rows["value"] - low) / (high - low) * BINS).floor().clip(0, BINS - 1).cast(pl.Int64)
    )
    step = (high - low) / BINS
    query = Query(sheet.index, {}, run.judge)
    return [
        Number(
            f"{low + i * step:g} to {low + (i + 1) * step:g}",
            "",
            run.judge,
            mean((positions == i).cast(pl.Float64), rows["group"]),
            query,
        )
        for i in range(BINS)
    ]


def _most(shares: Sequence[Number], judge: str) -> str:
    top = max(select(shares, judge), key=lambda number: number.value, default=None)
    return (
        f"answers {top.series or top.row} most often: {percent(top.estimate)}"
        if top
        else "gave no usable answer"
    )
