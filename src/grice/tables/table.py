"""Tables of measures by tags in rows and columns."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from grice.core.dataset import column_of, select_known
from grice.core.errors import InputError, first_line
from grice.core.measure import Metric, Score, Unit
from grice.core.shelf import MEASURES, own_fault
from grice.tables.tabular import EMPTY, FEW, Grid, Tabular, estimate_text, few_paradigms

if TYPE_CHECKING:
    from grice.core.estimate import Estimate

RowKey = tuple[str, ...]


@dataclass(frozen=True)
class Measure:
    """Named computation over joined judgements.

    Most measures read one judge at a time; agreement reads `many`.

    With `soft` it reads probabilities: tables have no number for a judge that gives none, and say
    so. `file` is the user's own file that defines it, `empty` says when it has no number, and
    `above_one` what a number above 1 means. `score` is that of an answer if the measure is a mean
    over items.

    >>> accuracy = grice.load_measure("accuracy:pragmatic")
    >>> data = grice.load("quantifiers@7", groups=2)
    >>> accuracy(grice.join(data, grice.evaluate(data, grice.load_judge("baseline/overlap")))).n
    30
    """

    name: str
    compute: Callable[[pl.DataFrame], Estimate | None]
    many: bool = False
    soft: bool = False
    file: Path | None = None
    empty: str = ""
    above_one: str = ""
    unit: Unit = Unit.SHARE
    score: Score | None = None

    @property
    def metric(self) -> Metric:
        """What its numbers are."""
        name, _, reading = self.name.partition(":")
        return Metric(name, reading, self.unit, self.score)

    def __call__(self, frame: pl.DataFrame) -> Estimate | None:
        if frame.is_empty():
            return None
        if not self.many and frame["judge"].n_unique() > 1:
            raise InputError(
                f"'{self.name}' measures one judge at a time; put 'judge' into rows or columns"
            )
        try:
            estimate = self.compute(frame)
        except pl.exceptions.ColumnNotFoundError as error:
            raise InputError(
                f"'{self.name}' needs a column that the items lack ({first_line(error)}); use"
                " another measure"
            ) from None
        except Exception as error:
            if self.file is None:
                raise
            raise own_fault(self.file, error) from error
        if self.file is not None and estimate is not None and not hasattr(estimate, "to_json"):
            raise InputError(
                f"{self.file}: returns a {type(estimate).__name__}; let it return a grice.Estimate"
                " or None"
            )
        return estimate


def load_measure(spec: str) -> Measure:
    """Return a measure by name, with its arguments: `lean:neutral,pragmatic`.

    The reading follows the colon, a second argument a comma.

    >>> grice.load_measure("accuracy:logical").name
    'accuracy:logical'
    """
    name, _, arguments = spec.partition(":")
    make = MEASURES.find(name)
    own = Path(name) if name.endswith(".py") else None
    try:
        result = make(*arguments.split(",")) if arguments else make()
    except Exception as error:
        if isinstance(error, TypeError):
            raise InputError(
                f"'{name}' does not take '{arguments}'; see: grice show measures/{name}"
            ) from None
        raise own_fault(own, error) if own else error from error
    if not isinstance(result, Measure):
        raise InputError(
            f"{name}: '{Path(name).stem}' returns a {type(result).__name__}; let it return a"
            " grice.Measure"
        )
    return replace(result, file=own)


@dataclass(frozen=True, repr=False)
class Table(Tabular):
    """Measure by row and column, each cell an `Estimate` or None.

    `down` names the parts of a row's key.

    >>> cells = {(("Ana",), "quiz"): grice.Estimate(0.5, 4)}
    >>> print(grice.Table("Right", ("who",), (("Ana",),), ("quiz",), cells))
    Right
    who        quiz
    Ana  0.500 n=4
    """

    title: str
    down: tuple[str, ...]
    rows: tuple[RowKey, ...]
    columns: tuple[str, ...]
    cells: Mapping[tuple[RowKey, str], Estimate | None]
    notes: tuple[str, ...] = field(default=())

    def cell(self, row: RowKey | str, column: str) -> Estimate | None:
        """Return the estimate of a row, by its key or its single name, and a column."""
        return self.cells.get(((row,) if isinstance(row, str) else row, column))

    def grid(self, *, digits: int | None = None, interval: bool = True, count: bool = True) -> Grid:
        """Return the table as text: value, interval and n in each cell."""

        style: Any = {"digits": 3 if digits is None else digits}
        style |= {"interval": interval, "count": count}
        body = [
            [*row, *(estimate_text(self.cell(row, column), **style) for column in self.columns)]
            for row in self.rows
        ]
        notes = (*self.notes, *self.warnings) if count else self.notes
        return Grid(self.title, (*self.down, *self.columns), body, notes, len(self.down))

    @property
    def warnings(self) -> tuple[str, ...]:
        """Notes on n where items share paradigms, and on cells with few paradigms."""
        counts = {
            " · ".join((*row, column)): (cell.paradigms, cell.n)
            for (row, column), cell in self.cells.items()
            if cell and cell.paradigms
        }
        few = {name: paradigms for name, (paradigms, _) in counts.items() if paradigms < FEW}
        is_grouped = any(paradigms != n for paradigms, n in counts.values())
        notes = ("n is items/paradigms",) if is_grouped else ()
        return (*notes, few_paradigms("cells", few, len(counts))) if few else notes

    def records(self) -> list[dict[str, Any]]:
        """Return one dictionary per cell: its row, column, value, n, low, high, paradigms."""
        empty = {"value": None, "n": 0, "low": None, "high": None}
        return [
            {
                **dict(zip(self.down, row, strict=True)),
                "column": column,
                **(estimate.to_json() if estimate else empty),
                "paradigms": estimate.paradigms if estimate else 0,
            }
            for row, column in product(self.rows, self.columns)
            for estimate in [self.cell(row, column)]
        ]

    def points(self) -> list[dict[str, Any]]:
        """Return the cells to draw, a series for each column."""
        return [
            {"row": " · ".join(row) or self.title, "series": column, **estimate.to_json()}
            for row, column in product(self.rows, self.columns)
            if (estimate := self.cell(row, column))
        ]

    def to_json(self) -> dict[str, Any]:
        """Return the title, the cells as `records` gives them, and the notes."""
        return {
            "title": self.title,
            "cells": self.records(),
            "notes": [*self.notes, *self.warnings],
        }


def tabulate(
    title: str,
    frame: pl.DataFrame,
    measure: str | Measure | Mapping[str, Measure],
    *,
    down: str | Sequence[str] = (),
    across: str = "judge",
    where: Mapping[str, str | Sequence[str]] | None = None,
) -> Table:
    """Apply a measure to every combination of `down` and `across` in judgements that `join` gave.

    `down` and `across` name tags or `judge`; several measures, given by name, are columns of that
    name. An item whose tag holds several values counts in each of their rows. `where` selects items
    with these tags.

    >>> data = grice.load("quantifiers@7", groups=2)
    >>> frame = grice.join(data, grice.evaluate(data, grice.load_judge("baseline/overlap")))
    >>> grice.tabulate("Right", frame, "accuracy:logical", down="role").rows
    (('balance',), ('control',), ('target',))
    """
    frame = select_known(frame, where or {})
    if isinstance(measure, str):
        measure = load_measure(measure)
    measures = measure if isinstance(measure, Mapping) else {"": measure}
    together = {name: candidate for name, candidate in measures.items() if candidate.many}
    if across == "judge" and 0 < len(together) < len(measures):
        alone = {name: measures[name] for name in measures if name not in together}
        a, b = (tabulate(title, frame, some, down=down) for some in (alone, together))
        return replace(a, columns=a.columns + b.columns, cells={**a.cells, **b.cells})
    if across == "judge" and together:
        # Agreement is computed over all judges, so that there is a single column.
        frame, across = frame.with_columns(pl.lit("all judges").alias("tag.judges")), "judges"
    downs = (down,) if isinstance(down, str) else tuple(down)
    keys = [column_of(frame, name) for name in (*downs, across)]
    listed = [key for key in dict.fromkeys(keys) if frame.schema[key] == pl.List(pl.String)]
    for key in listed:
        frame = frame.explode(key)
    cells, remarks = _cells(frame, keys, measures)
    rows = sorted(dict.fromkeys(row for row, _ in cells), key=_natural)
    columns = tuple(dict.fromkeys(column for _, column in cells))
    empty, hard = _empty_notes(cells, measures.values()), _hard_notes(frame, measures.values())
    notes = (*_fault_notes(frame), *empty, *hard, *remarks)
    return Table(title, downs, tuple(rows), columns, cells, notes)


def _cells(
    frame: pl.DataFrame, keys: Sequence[str], measures: Mapping[str, Measure]
) -> tuple[dict[tuple[RowKey, str], Estimate | None], list[str]]:
    """Return the estimates by row and column (the last key), and notes on those above 1."""
    names = list(dict.fromkeys(keys))
    cells: dict[tuple[RowKey, str], Estimate | None] = {}
    remarks: dict[str, None] = {}
    # One part at a time, so that the frame is not in memory a second time.
    numbered = frame.select(names).with_row_index("row")
    parts = numbered.group_by(names, maintain_order=True).agg("row")
    for values, rows in zip(parts.select(names).iter_rows(), parts["row"], strict=True):
        if any(value is None for value in values):
            continue
        by_name, part = dict(zip(names, values, strict=True)), _select_rows(frame, rows)
        row = tuple(str(by_name[key]) for key in keys[:-1])
        for label, measure in measures.items():
            column = str(by_name[keys[-1]]) + (f" {label}" if label else "")
            cells[row, column] = estimate = _with_paradigms(measure(part), part)
            if estimate and estimate.value > 1 and measure.above_one:
                remarks[f"{measure.name} above 1: {measure.above_one}"] = None
    return cells, list(remarks)


def _select_rows(frame: pl.DataFrame, rows: pl.Series) -> pl.DataFrame:
    """Return the rows at rising positions; consecutive ones are not copied."""
    is_block = rows[-1] - rows[0] + 1 == len(rows)
    return frame.slice(rows[0], len(rows)) if is_block else frame[rows]


def _with_paradigms(estimate: Estimate | None, rows: pl.DataFrame) -> Estimate | None:
    """Return the estimate with the number of answered paradigms, if it has none yet."""
    if estimate is None or estimate.paradigms is not None:
        return estimate
    if not {"id", "group"} <= set(rows.columns):
        return estimate
    answered = rows.filter(pl.any_horizontal(pl.col("answer", "value").is_not_null()))
    paradigms = answered.select(pl.coalesce("group", pl.format("\x00{}", "id"))).n_unique()
    return replace(estimate, paradigms=paradigms)


def _natural(row: RowKey) -> list[tuple[int, float, str]]:
    """Return a sort key: numbers in their own order, before words."""
    return [
        (0, float(p), "") if p.replace(".", "", 1).lstrip("-").isdigit() else (1, 0.0, p)
        for p in row
    ]


def _fault_notes(frame: pl.DataFrame) -> tuple[str, ...]:
    """Return a note on how many items are unanswered; they are not in any n."""
    if "fault" not in frame.columns:
        return ()
    faults = frame.select("id", "judge", pl.col("fault").str.split(":").list.first())
    faults = faults.drop_nulls("fault").unique(["id", "judge"], maintain_order=True)
    counts: dict[str, list[str]] = {judge: [] for judge in faults["judge"]}
    for judge, kind, count in faults.group_by("judge", "fault").len().sort("fault").iter_rows():
        counts[judge].append(f"{count} {kind}")
    named = "; ".join(f"{judge}: {', '.join(kinds)}" for judge, kinds in counts.items())
    return (f"not answered and not counted: {named}",) if named else ()


def _empty_notes(
    cells: Mapping[tuple[RowKey, str], Estimate | None], measures: Iterable[Measure]
) -> tuple[str, ...]:
    """Return why a cell may be empty, as its measure says."""
    reasons = dict.fromkeys(f"{EMPTY}: {measure.empty}" for measure in measures if measure.empty)
    return tuple(reasons) if None in cells.values() else ()


def _hard_notes(frame: pl.DataFrame, measures: Iterable[Measure]) -> tuple[str, ...]:
    """Return a note on the judges without any probability, where a measure reads them."""
    soft = [measure.name for measure in measures if measure.soft]
    probs = [c for c in frame.columns if c.startswith("p.")]
    if not probs or not soft:
        return ()
    has_any = pl.any_horizontal(pl.col(*probs).is_not_null()).any().alias("has any")
    judges = frame.group_by("judge", maintain_order=True).agg(has_any)
    hard = ", ".join(judges.filter(~pl.col("has any"))["judge"])
    return (f"no probabilities and so no {', '.join(soft)}: {hard}",) if hard else ()
