"""A figure on the page: its notes and its table of numbers; the browser draws the chart."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from grice.reporting.model import Figure, Number


@dataclass(frozen=True)
class FigureColumn:
    """A column of a figure's table; `judge` is set if the figure has several judges."""

    name: str
    judge: str


@dataclass(frozen=True)
class FigureCell:
    """A number of a figure's table with its index in the figure."""

    index: int
    number: Number


@dataclass(frozen=True)
class FigureView:
    """What the template needs of a figure: its note, and its table of numbers."""

    figure: Figure

    @property
    def note(self) -> str:
        """The figure's own note and the number of answers per row."""
        return notes(self.figure)

    @property
    def columns(self) -> list[FigureColumn]:
        """The columns of the table; a column of a judge goes when the reader hides the judge."""
        several = len(self.figure.judges) > 1
        judges = {self.figure.column(number): number.judge for number in self.figure.numbers}
        return [FigureColumn(name, judge if several else "") for name, judge in judges.items()]

    @property
    def rows(self) -> list[str]:
        """The row names of the table."""
        return list(dict.fromkeys(map(self.figure.row_name, self.figure.numbers)))

    @cached_property
    def cells(self) -> dict[tuple[str, str], FigureCell]:
        """The numbers by row and column."""
        figure = self.figure
        return {
            (figure.row_name(number), figure.column(number)): FigureCell(index, number)
            for index, number in enumerate(figure.numbers)
        }


def notes(figure: Figure) -> str:
    """Return the figure's own note and the number of answers per row."""
    return " ".join(text for text in (figure.note, count_note(figure)) if text)


def count_note(figure: Figure) -> str:
    """Return a note on the number of answers per row; empty for a heat map."""
    counts = [number.estimate.n for number in figure.numbers if number.estimate]
    if not counts or figure.kind == "heat":
        return ""
    what = {
        "plane": "a verb",
        "triangle": "a dot",
        "reliability": "a group",
        "matrix": "a cell",
    }.get(figure.kind, "a row")
    low, high = min(counts), max(counts)
    return f"n = {low:,} {what}." if low == high else f"n = {low:,} to {high:,} {what}."
