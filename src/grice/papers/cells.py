"""Shared parts of exhibits: data or the reason there is none, model tables, printed examples."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeVar

import polars as pl

from grice.core.dataset import Dataset
from grice.core.errors import GriceError
from grice.core.estimate import Estimate
from grice.core.words import read_rows
from grice.tables.paper import TWO_DIGITS, Bench, Cell, DerivedDataset, RoundingRule

MeasuredValue = TypeVar("MeasuredValue")
Scorer = Callable[[pl.DataFrame], Estimate | None]
Printed = Mapping[tuple[str, str], float]
UNTRAINED = "its answers were not released: --train FOLDER, or --by ROW=JUDGE"
NO_JUDGE = "no judge on the bench; give one with --by NAME=JUDGE"


def find_data(bench: Bench, name: str | DerivedDataset) -> tuple[Dataset | None, str]:
    """Return a dataset, or None with the reason why it cannot be read here."""
    try:
        return bench.data(name), ""
    except GriceError as error:
        return None, str(error)


@dataclass(frozen=True)
class DataRows:
    """DataRows of datasets, or the reason why they cannot be read here."""

    frame: pl.DataFrame | None
    reason: str = ""

    def apply(self, measure: Callable[[pl.DataFrame], MeasuredValue]) -> MeasuredValue | None:
        """Return a measure of the rows, if there are any."""
        return None if self.frame is None else measure(self.frame)

    def where(self, *conditions: pl.Expr) -> DataRows:
        """Return the rows that meet all conditions."""
        return DataRows(self.apply(lambda frame: frame.filter(*conditions)), self.reason)

    @property
    def n(self) -> int:
        """Number of rows."""
        return 0 if self.frame is None else self.frame.height

    @property
    def count(self) -> int | None:
        """Number of rows; None if they cannot be read."""
        return self.apply(len)


def find_rows(bench: Bench, *names: str) -> DataRows:
    """Return the rows of all these datasets, or why the first that is missing cannot be read."""
    frames = []
    for name in names:
        data, reason = find_data(bench, name)
        if data is None:
            return DataRows(None, reason)
        frames.append(data.frame)
    return DataRows(pl.concat(frames, how="diagonal"))


def answers(bench: Bench, name: str | DerivedDataset) -> tuple[dict[str, pl.DataFrame], str]:
    """Return the joined judgements on a dataset by judge; if there are none, the reason."""
    try:
        if not bench.runs(name):
            return {}, NO_JUDGE
        parts = bench.judgements(name).partition_by("judge", as_dict=True, maintain_order=True)
    except GriceError as error:
        return {}, str(error)
    return {str(judge): part for (judge,), part in parts.items()}, ""


def why_untrained(absent: str = "", people: str = "") -> str:
    """Return why a printed row's cell is empty.

    Its data are absent, it is of people, or its model would have to be trained.
    """
    return absent if absent not in ("", NO_JUDGE) else people or UNTRAINED


def truncates_to(digits: int) -> RoundingRule:
    """Return a rule for a paper that truncates digits instead of rounding."""
    return lambda estimate, printed: (
        math.floor(estimate * 10**digits + 1e-9) == round(printed * 10**digits)
    )


def lies_within(tolerance: float) -> RoundingRule:
    """Return a rule for numbers computed from printed, already rounded ones."""
    return lambda estimate, printed: abs(estimate - printed) <= tolerance + 1e-9


def percent(estimate: Estimate | None) -> Estimate | None:
    """Return an estimate of a share in per cent."""
    if estimate is None:
        return None
    low, high = (None if end is None else 100 * end for end in (estimate.low, estimate.high))
    return Estimate(100 * estimate.value, estimate.n, low, high)


def average(estimates: Sequence[Estimate | None]) -> Estimate | None:
    """Return the mean of several estimates, or None if one is missing.

    Their intervals are combined as those of independent parts.
    """
    parts = [e for e in estimates if e is not None]
    if not parts or len(parts) < len(estimates):
        return None
    value = sum(e.value for e in parts) / len(parts)
    below = [e.value - e.low for e in parts if e.low is not None]
    above = [e.high - e.value for e in parts if e.high is not None]
    n = sum(e.n for e in parts)
    if len(below) < len(parts) or len(above) < len(parts):
        return Estimate(value, n)
    return Estimate(
        value, n, value - math.hypot(*below) / len(parts), value + math.hypot(*above) / len(parts)
    )


@dataclass(frozen=True)
class ModelColumn:
    """A column of a model table: the set it is measured on, and how.

    `why` is the reason for an empty cell.
    """

    data: str
    score: Scorer
    why: str = ""


def model_table(
    bench: Bench,
    columns: Mapping[str, ModelColumn],
    printed: Printed,
    *,
    agreed: RoundingRule = TWO_DIGITS,
    people: Mapping[str, str] | None = None,
) -> Iterator[Cell]:
    """Yield a row for every printed model and every judge.

    A judge named like a printed model is compared with its numbers.

    The judges are those of the first column's set; a further set's own raters do not become rows.
    `people` says of a printed row of people why it is empty.
    """
    scores: dict[tuple[str, str], Estimate | None] = {}
    why: dict[tuple[str, str], str] = {}
    rows = dict.fromkeys(row for row, _ in printed)
    for position, (name, column) in enumerate(columns.items()):
        frames, absent = answers(bench, column.data)
        if position == 0:
            rows |= dict.fromkeys(frames)
        for row in rows:
            if row in frames:
                scores[row, name], why[row, name] = score_or_reason(frames[row], column.score)
            elif (row, name) in printed:
                scores[row, name] = None
                why[row, name] = why_untrained(absent, (people or {}).get(row, ""))
    for row in rows:
        for name, column in columns.items():
            if (row, name) in scores:
                make = partial(Cell.make, judge=row, agreed=agreed)
                absent = column.why or why[row, name]
                yield make(row, name, scores[row, name], printed.get((row, name)), reason=absent)


def score_or_reason(frame: pl.DataFrame, score: Scorer) -> tuple[Estimate | None, str]:
    """Return a score, or None with the reason: a judge may answer what a measure cannot read."""
    try:
        return score(frame), ""
    except GriceError as error:
        return None, str(error)


def printed_cells(printed: Printed, reason: str) -> Iterator[Cell]:
    """Yield numbers that cannot be recomputed from released data, each with the reason."""
    for (row, column), value in printed.items():
        yield Cell.make(row, column, None, value, reason=reason)


@dataclass(frozen=True)
class PrintedExample:
    """A pair that a paper prints, matched by fragments, with its label and numbers.

    The sign `…` stands for what is left out.
    """

    row: str
    premise: str
    hypothesis: str | None
    label: str
    numbers: tuple[float, ...] = ()

    @property
    def title(self) -> str:
        """The row and the beginning of the text, as a name for the example's cells."""
        text = self.premise if self.hypothesis is None else self.hypothesis
        return f"{self.row}: {text if len(text) <= 40 else text[:39] + '…'}"


def read_examples(path: Path) -> dict[str, list[PrintedExample]]:
    """Read the examples of a paper's `examples.tsv`, by the exhibit or task in its first column.

    A dash is an empty field.
    """
    examples = defaultdict(list)
    for exhibit, row, premise, *rest in read_rows(path):
        hypothesis, label, *numbers = ("" if field == "–" else field for field in rest)
        examples[exhibit].append(
            PrintedExample(row, premise, hypothesis or None, label, tuple(map(float, numbers)))
        )
    return examples


def example_cells(
    bench: Bench, sets: Sequence[str], examples: Iterable[PrintedExample], *, reading: str = "label"
) -> Iterator[Cell]:
    """Yield 1 for each example in the released sets with the printed label, 0 with another."""
    frames, reasons = [], []
    for name in sets:
        data, reason = find_data(bench, name)
        if data is not None:
            frames.append(data.frame.with_columns(pl.lit(name).alias("set")))
        reasons.append(reason)
    reason = next((r for r in reasons if r), f"not found in {', '.join(sets)}")
    rows = pl.concat(frames, how="diagonal") if frames else None
    for example in examples:
        matches = None if rows is None else find_example(rows, example)
        yield _example_cell(example, matches, f"gold.{reading}", reason)


def find_example(frame: pl.DataFrame, example: PrintedExample) -> pl.DataFrame:
    """Return the rows whose texts match the fragments; case and punctuation are ignored."""
    matches = frame.filter(_fits("premise", example.premise))
    return (
        matches
        if example.hypothesis is None
        else matches.filter(_fits("hypothesis", example.hypothesis))
    )


def _fits(column: str, pattern: str) -> pl.Expr:
    plain = [re.sub(r"[^0-9a-z]+", "", part.lower()) for part in pattern.split("…")]
    text = pl.col(column).str.to_lowercase().str.replace_all(r"[^0-9a-z]+", "")
    return text.str.contains("^" + ".*".join(plain) + "$")


def _example_cell(
    example: PrintedExample, matches: pl.DataFrame | None, gold: str, reason: str
) -> Cell:
    row, column = example.title, f"is {example.label}"
    if matches is None or matches.is_empty():
        return Cell.make(row, column, None, 1.0, reason=reason)
    golds = matches[gold].drop_nulls() if gold in matches.columns else pl.Series([])
    if golds.is_empty():
        reason = f"in {matches['set'][0]}, which has no labels"
        return Cell.make(row, column, None, 1.0, reason=reason)
    right = int((golds == example.label).sum())
    return Cell.make(row, column, right / len(golds), 1.0, n=len(golds))
