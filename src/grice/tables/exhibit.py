"""Reproduced table or figure of a paper: every cell with our number and the printed one."""

from __future__ import annotations

import itertools
import string
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from grice.tables.paper import Cell, CellKind, Exhibit, Reference
from grice.tables.tabular import EMPTY, Grid, Tabular, number

RECOMPUTED: tuple[CellKind, ...] = ("data", "model")
# What a cell's number was computed from, where it is not released files.
KIND_MARKS: Mapping[CellKind, str] = {"trained": "°", "yours": "*"}
KIND_TEXT: Mapping[CellKind, str] = {"trained": "trained here", "yours": "your model"}


@dataclass(frozen=True, repr=False)
class ReproducedExhibit(Tabular):
    """Exhibit with its cells, and notes on what prevented a judge from answering."""

    exhibit: Exhibit
    cells: list[Cell]
    notes: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """Number of the exhibit in the paper, and what it shows."""
        return f"{self.exhibit.id}  {self.exhibit.title}"

    @property
    def reasons(self) -> dict[str, str]:
        """Letter for each reason that a cell is empty."""
        reasons = dict.fromkeys(cell.reason for cell in self.cells if cell.reason)
        alphabet = string.ascii_lowercase
        letters = [*alphabet, *map("".join, itertools.product(alphabet, repeat=2))]
        return dict(zip(reasons, letters, strict=False))

    @property
    def remarks(self) -> list[str]:
        """Notes below the table: signs, the exhibit's, its own, reasons, and counts of cells."""
        reasons = (f"{letter}: {why}" for why, letter in self.reasons.items())
        return [
            *explain_marks(self.cells),
            *self.exhibit.notes,
            *self.notes,
            *reasons,
            *count_agreement(self.cells),
        ]

    def grid(self, *, digits: int | None = None, interval: bool = True, count: bool = True) -> Grid:
        """Return the paper's rows and columns; a further reading of a row is a row of its own."""
        layout = Layout(self.cells, self.exhibit.digits if digits is None else digits)
        readings = any(cell.heading for cell in self.cells)
        counted = count and any(layout.count_text(key) for key in layout.rows)
        body = []
        for key in layout.rows:
            texts = (layout.texts(key, column, self.reasons) for column in layout.columns)
            cells = [" ".join(filter(None, text[: 1 + interval])) for text in texts]
            n = [layout.count_text(key)] if counted else []
            body.append([key[0], *([key[1]] if readings else []), *cells, *n])
        head = ["", *["reading"] * readings, *layout.columns, *["n"] * counted]
        return Grid(self.title, head, body, self.remarks, 1 + readings)

    def records(self) -> list[dict[str, Any]]:
        """Return one dictionary per cell, with the exhibit's id."""
        return [cell.to_json(self.exhibit.id) for cell in self.cells]

    def points(self) -> list[dict[str, Any]]:
        """Return our numbers, one series per judge or column, and the printed numbers."""
        points = []
        for cell in (cell for cell in self.cells if cell.kind != "print"):
            series = " ".join(filter(None, (cell.across, cell.reading)))
            computed = {"value": cell.ours, "low": cell.low, "high": cell.high, "n": cell.n}
            printed = {"value": cell.published, "low": None, "high": None, "n": None}
            points += [
                {"row": cell.row, "series": series, **computed},
                {"row": cell.row, "series": f"{series}, printed", **printed},
            ]
        return points

    def plot(self) -> Any:
        """Return an Altair chart of the exhibit as the paper draws it."""
        from grice.tables.figures import FIGURES

        if self.exhibit.chart:
            return FIGURES[self.exhibit.chart](self.title, self.cells)
        return super().plot()

    def to_json(self) -> list[dict[str, Any]]:
        """Return the cells as `records` gives them."""
        return self.records()


GridRow = tuple[str, str]


class Layout:
    """Cells of an exhibit by row, with its reading, and by column."""

    def __init__(self, cells: Sequence[Cell], digits: int) -> None:
        self.cells = {((cell.row, cell.heading), cell.across): cell for cell in cells}
        self.rows: list[GridRow] = list(dict.fromkeys(row for row, _ in self.cells))
        self.columns = list(dict.fromkeys(column for _, column in self.cells))
        # A column of counts has no decimals.
        self._digits = {
            column: 0 if all(map(_is_count, self._column(column))) else digits
            for column in self.columns
        }

    def texts(self, row: GridRow, column: str, reasons: Mapping[str, str]) -> tuple[str, str]:
        """Return the numbers of a cell with their sign, then its interval with n."""
        cell = self.cells.get((row, column))
        if cell is None:
            return "", ""
        value = cell.checked if cell.kind == "print" else cell.ours
        numbers = [printed_text(cell)] if cell.published is not None else []
        numbers += [number(value, self._digits[column])] if value is not None else []
        sign = cell_mark(cell) or reasons.get(cell.reason, "")
        text = " / ".join(numbers) + (f" {sign}" if sign else "")
        if cell.low is None or cell.high is None:
            return text.strip(), ""
        places = max(1, min(2, self._digits[column] - 1))
        ends = (number(end, places) for end in (cell.low, cell.high))
        between = "…" if cell.low < 0 else "–"
        return text.strip(), f"{between.join(ends)} n={cell.n:,}"

    def count_text(self, row: GridRow) -> str:
        """Return the n of a row's cells without interval, unless it is their number itself."""
        cells = [cell for cell in (self.cells.get((row, c)) for c in self.columns) if cell]
        counts = {c.n for c in cells if c.low is None and c.n > 1 and c.n not in (c.ours, 0)}
        ends = sorted({min(counts), max(counts)}) if counts else []
        return "–".join(f"{n:,}" for n in ends)

    def _column(self, column: str) -> Iterable[Cell]:
        return (cell for (_, name), cell in self.cells.items() if name == column)


def _is_count(cell: Cell) -> bool:
    value = cell.checked if cell.kind == "print" else cell.ours
    return value is None or (cell.low is None and float(value).is_integer())


def printed_text(cell: Cell) -> str:
    """Return the paper's number with the digits it has there."""
    return EMPTY if cell.published is None else f"{cell.published:,g}"


def cell_mark(cell: Cell) -> str:
    """Return the signs of a cell: whether it agrees, and where its number is from."""
    source = KIND_MARKS.get(cell.kind, "") if cell.ours is not None else ""
    is_equal = cell.holds if cell.kind == "print" else cell.agrees
    no_interval = bool(source) and cell.low is None
    if (is_equal is None or no_interval) and not (source and _is_within(cell)):
        return source
    sign = "✓" if is_equal else "≈" if source and _is_within(cell) else "≠"
    reference = "" if cell.reference == "printed" else f" {cell.reference}"
    return sign + source + reference


def explain_marks(cells: Sequence[Cell]) -> list[str]:
    """Return a line on the signs in the cells."""
    marks = "".join(cell_mark(cell) for cell in cells)
    texts = {
        "✓": "✓ rounds to the printed number",
        "≈": "≈ the printed number is in our interval",
        "≠": "≠ differs",
        **{mark: f"{mark} {KIND_TEXT[kind]}" for kind, mark in KIND_MARKS.items()},
    }
    used = ", ".join(text for mark, text in texts.items() if mark in marks)
    has_both = any(cell.published is not None and not cell.empty for cell in cells)
    return (
        ["; ".join(filter(None, ("printed / ours" if has_both else "", used)))]
        if used or has_both
        else []
    )


def _is_within(cell: Cell) -> bool:
    """Return whether the printed number lies in the interval of ours."""
    if cell.published is None or cell.low is None or cell.high is None:
        return False
    return cell.low <= cell.published <= cell.high


def agreement(
    cells: Iterable[Cell], reference: Reference = "printed", kinds: Sequence[CellKind] = RECOMPUTED
) -> tuple[int, int]:
    """Return how many numbers agree with the reference, and how many there are.

    A number in several cells counts once. What a model gives that is not the paper's own agrees if
    the printed number lies in its interval.
    """
    numbers: dict[tuple[str, str, str], bool] = {}
    for cell in cells:
        if cell.kind not in kinds or cell.reference != reference:
            continue
        if cell.published is None or cell.ours is None:
            continue
        key = cell.printed_row or cell.row, cell.column, cell.judge
        own = cell.kind in KIND_MARKS
        if own and cell.low is None:
            continue
        agrees = _is_within(cell) if own else bool(cell.agrees)
        numbers[key] = numbers.get(key, False) or agrees
    return sum(numbers.values()), len(numbers)


def count_agreement(cells: Sequence[Cell]) -> list[str]:
    """Return phrases on how many printed numbers are reproduced, by reading and source."""
    counts = []
    phrases: Mapping[Reference, str] = {
        "printed": "printed cells agree",
        "fitted": "cells agree that were fitted to the print, not counted",
    }
    for reading in dict.fromkeys(cell.reading for cell in cells):
        part = [cell for cell in cells if cell.reading == reading]
        more = f" ({reading})" if reading else ""
        for reference, phrase in phrases.items():
            right, all_of = agreement(part, reference)
            counts += [f"{right} of {all_of} {phrase}{more}"] if all_of else []
        for kind, text in KIND_TEXT.items():
            right, all_of = agreement(part, kinds=[kind])
            phrase = f"printed numbers lie in the interval of ours, {text}"
            counts += [f"{right} of {all_of} {phrase}{more}"] if all_of else []
    checks = [cell.holds for cell in cells if cell.kind == "print" and cell.holds is not None]
    text = f"{sum(checks)} of {len(checks)} checks of printed numbers hold"
    return [*counts, *([f"{text}, not counted as agreeing"] if checks else [])]
