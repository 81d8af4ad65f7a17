"""A figure on the page: its drawings for page and phone, menu, notes, and table of numbers."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape

from markupsafe import Markup

from grice.reporting.model import Figure, Number

# The width of a column of charts in pixels.
COLUMN = 570.0
Charts = Mapping[str, tuple[str, str]]


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
    """What the template needs of a figure: its drawings, its note, and its table of numbers."""

    figure: Figure
    wide: Markup
    narrow: Markup

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


def figure_view(figure: Figure, charts: Charts, *, phone: bool = False) -> FigureView:
    """Return a figure for the template, with `phone` also its drawing for a phone.

    Without it the script unpacks that drawing on a phone.
    """
    wide, narrow = charts[figure.id]
    return FigureView(figure, Markup(wide), Markup(narrow if phone else ""))


def figure_columns(figures: Sequence[Figure], charts: Charts) -> list[list[FigureView]]:
    """Arrange figures in at most two columns of similar height."""
    columns: tuple[list[FigureView], list[FigureView]] = ([], [])
    heights = [0.0, 0.0]
    for figure in figures:
        shorter = 0 if heights[0] <= heights[1] else 1
        columns[shorter].append(figure_view(figure, charts))
        heights[shorter] += _height(charts[figure.id][0])
    return [column for column in columns if column]


def _height(svg: str) -> float:
    """Return the height of a drawing in a column, with its caption."""
    view_box = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg)
    width, height = (float(view_box[1]), float(view_box[2])) if view_box else (COLUMN, 300.0)
    return height * min(1.0, COLUMN / width) + 150


def slim(drawn: str, figure: Figure) -> str:
    """Remove what the page's style sets already, and replace links by the number of the mark.

    The links are in the table of the figure.
    """
    markup = re.sub(
        r' (?:font-family="[^"]*"|opacity="1"|stroke-width="1"|text-anchor="start")', "", drawn
    )
    markup = re.sub(
        r' (?:transform|d|x2|y2)="[^"]*"', lambda m: re.sub(r"(\.\d\d)\d+", r"\1", m[0]), markup
    )
    places: dict[str, int] = {}
    for at, linked_number in enumerate(figure.numbers):
        places.setdefault(escape(linked_number.query.href), at)
    if figure.kind == "heat":
        return markup

    def number_of(link: re.Match[str]) -> str:
        return f'data-n="{places[link[1]]}"' if link[1] in places else link[0]

    return re.sub(r'data-to="([^"]*)"', number_of, markup)


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
