"""A reading of judgements: a measure, by tags down the side and across the top."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import product
from typing import TYPE_CHECKING, Any

import polars as pl

from grice.core.dataset import column_of, select
from grice.core.errors import InputError

if TYPE_CHECKING:
    from grice.core.estimate import Estimate

Row = tuple[str, ...]


@dataclass(frozen=True)
class Measure:
    """A named computation over joined judgements. Most read one judge at a time; agreement reads `many`."""

    name: str
    compute: Callable[[pl.DataFrame], Estimate | None]
    many: bool = False

    def __call__(self, frame: pl.DataFrame) -> Estimate | None:
        if frame.is_empty():
            return None
        if not self.many and frame["judge"].n_unique() > 1:
            raise InputError(
                f"'{self.name}' reads one judge at a time and got several; put 'judge' down or across"
            )
        return self.compute(frame)


@dataclass(frozen=True)
class Table:
    """Raw numbers; rounding belongs to the report. `down` names the parts of a row's key."""

    title: str
    down: tuple[str, ...]
    rows: tuple[Row, ...]
    columns: tuple[str, ...]
    cells: Mapping[tuple[Row, str], Estimate | None]
    notes: tuple[str, ...] = field(default=())

    def cell(self, row: Row | str, column: str) -> Estimate | None:
        return self.cells.get(((row,) if isinstance(row, str) else row, column))

    def to_json(self) -> dict[str, Any]:
        rows = [
            {
                **dict(zip(self.down, row, strict=True)),
                "column": column,
                **(estimate.to_json() if estimate else {"value": None, "n": 0}),
            }
            for row, column in product(self.rows, self.columns)
            for estimate in [self.cells.get((row, column))]
        ]
        return {"title": self.title, "cells": rows, "notes": list(self.notes)}

    def __str__(self) -> str:
        """Plain text, for a print in a script; `grice.reporting` draws the better ones."""
        lines = [[*self.down, *self.columns]]
        lines += [
            [*row, *(_shown(self.cells.get((row, column))) for column in self.columns)] for row in self.rows
        ]
        widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
        body = [
            "  ".join(text.ljust(width) for text, width in zip(line, widths, strict=True)).rstrip()
            for line in lines
        ]
        return "\n".join([self.title, *body, *self.notes])

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{escape(name)}</th>" for name in (*self.down, *self.columns))
        body = "".join(
            "<tr>"
            + "".join(f"<th>{escape(part)}</th>" for part in row)
            + "".join(f"<td>{_shown(self.cells.get((row, column)))}</td>" for column in self.columns)
            + "</tr>"
            for row in self.rows
        )
        notes = "".join(f"<p>{escape(note)}</p>" for note in self.notes)
        return f"<table><caption>{escape(self.title)}</caption><tr>{head}</tr>{body}</table>{notes}"


def _shown(estimate: Estimate | None) -> str:
    if estimate is None:
        return "–"
    ends = (
        "" if estimate.low is None or estimate.high is None else f" [{estimate.low:.3f}, {estimate.high:.3f}]"
    )
    return f"{estimate.value:.3f}{ends} n={estimate.n}"


def tabulate(
    title: str,
    frame: pl.DataFrame,
    measure: Measure | Mapping[str, Measure],
    *,
    down: str | Sequence[str] = (),
    across: str = "judge",
    where: Mapping[str, str | Sequence[str]] | None = None,
) -> Table:
    """Apply a measure to every combination of `down` and `across`.

    `down` and `across` name tags or `judge`; several measures, given by name, stand across under that name.
    A tag that holds several values counts an item in each of its rows.
    """
    frame = select(frame, where or {})
    measures = measure if isinstance(measure, Mapping) else {"": measure}
    if across == "judge" and all(one.many for one in measures.values()):
        # Agreement is of all judges together: there is nothing to put side by side.
        frame, across = frame.with_columns(pl.lit("all judges").alias("tag.judges")), "judges"
    downs = (down,) if isinstance(down, str) else tuple(down)
    keys = [column_of(frame, name) for name in (*downs, across)]
    for key in dict.fromkeys(keys):
        if frame.schema[key] == pl.List(pl.String):
            frame = frame.explode(key)
    cells: dict[tuple[Row, str], Estimate | None] = {}
    rows: dict[Row, None] = {}
    columns: dict[str, None] = {}
    for values, part in frame.partition_by(
        list(dict.fromkeys(keys)), as_dict=True, maintain_order=True
    ).items():
        by_name = dict(zip(dict.fromkeys(keys), values, strict=True))
        if any(by_name[k] is None for k in keys):
            continue
        row = tuple(str(by_name[k]) for k in keys[:-1])
        for label, one in measures.items():
            column = str(by_name[keys[-1]]) + (f" {label}" if label else "")
            cells[row, column] = one(part)
            rows[row], columns[column] = None, None
    ordered = tuple(sorted(rows, key=_natural))
    return Table(title, downs, ordered, tuple(columns), cells, _fault_notes(frame))


def _natural(row: Row) -> list[tuple[int, float, str]]:
    """Numbers in their own order, before words."""
    return [(0, float(p), "") if p.replace(".", "", 1).lstrip("-").isdigit() else (1, 0.0, p) for p in row]


def _fault_notes(frame: pl.DataFrame) -> tuple[str, ...]:
    """Unanswered items are outside every n; say how many there were."""
    faults = (
        frame.filter(pl.col("fault").is_not_null()).unique(["id", "judge"])
        if "fault" in frame.columns
        else None
    )
    if faults is None or faults.is_empty():
        return ()
    kinds = faults.group_by("judge", maintain_order=True).agg(
        pl.col("fault").str.split(":").list.first().value_counts()
    )
    told = [
        f"{judge}: "
        + ", ".join(
            f"{kind['count']} {kind['fault']}" for kind in sorted(found, key=lambda k: str(k["fault"]))
        )
        for judge, found in kinds.iter_rows()
    ]
    return ("not answered and not counted: " + "; ".join(told),)
