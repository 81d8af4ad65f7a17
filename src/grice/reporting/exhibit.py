"""Printing of a paper's table or figure, with reproduced and published numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from grice.core.errors import one_line
from grice.reporting.text import GUTTER, longest_word, shown_width
from grice.tables.exhibit import CHECK, MARKS, ReproducedExhibit, cell_mark, printed_text
from grice.tables.paper import Cell
from grice.tables.tabular import number

if TYPE_CHECKING:
    from rich.text import Text

CellTexts = Mapping[tuple[str, str], "Text"]


def print_exhibit(result: ReproducedExhibit, *, format: str = "text") -> None:
    """Print one exhibit with its notes and how many of its published cells are reproduced."""
    if format == "text" and shown_width():
        _grids(result.title, result.cells, result.remarks, result.reasons, result.exhibit.digits)
    elif format == "csv":
        print(result.to_csv())
    elif result.cells:
        print(result.render(format) + "\n")
    else:
        print("\n".join([result.title, *result.remarks]) + "\n")


def _grids(
    title: str, cells: Sequence[Cell], notes: Sequence[str], reasons: dict[str, str], digits: int
) -> None:
    """Print one grid per reading, with the interval and n below each value."""
    from rich import box
    from rich.console import Console
    from rich.padding import Padding
    from rich.table import Table
    from rich.text import Text

    console = Console(width=shown_width())
    console.print(Text(one_line(title), style="bold"))
    for reading in dict.fromkeys(_heading(cell) for cell in cells):
        part = [cell for cell in cells if _heading(cell) == reading]
        across = list(dict.fromkeys(_across(cell) for cell in part))
        rows = list(dict.fromkeys(cell.row for cell in part))
        texts = {(cell.row, _across(cell)): _cell_text(cell, reasons, digits) for cell in part}
        names = max(longest_word(rows), min(max(map(len, rows)), 24))
        for columns in _fitting(across, texts, console.width - names - GUTTER):
            # Where rich would narrow a column, set the minimum widths; row names may be wider.
            natural_width = max(map(len, rows)) + sum(
                _whole(column, texts) + GUTTER for column in columns
            )
            tight = natural_width + GUTTER - 1 > console.width
            grid = Table(
                title=Text(one_line(reading)) if reading else None,
                title_justify="left",
                box=box.SIMPLE_HEAD,
                header_style="bold cyan",
                pad_edge=False,
            )
            grid.add_column("", style="bold", min_width=names)
            for column in columns:
                grid.add_column(
                    Text(one_line(column)),
                    justify="right",
                    width=_needed(column, texts) if tight else None,
                )
            for row in rows:
                if any((row, column) in texts for column in columns):
                    grid.add_row(
                        Text(one_line(row)),
                        *(texts.get((row, column), Text("")) for column in columns),
                    )
            console.print(grid)
    for note in notes:
        console.print(Padding(Text(one_line(note), style="dim"), (0, 0, 0, 2)))
    console.print()


def _heading(cell: Cell) -> str:
    """Return the grid of a cell: its reading, separately for checks of printed numbers."""
    return ": ".join(filter(None, (CHECK if cell.kind == "print" else "", cell.reading)))


def _needed(column: str, texts: CellTexts) -> int:
    """Return the minimum width of a column: values stay on one line, headings may wrap.

    The interval may be on the line above its n.
    """
    values = [text.plain.partition("\n") for (_, name), text in texts.items() if name == column]
    below = longest_word(rest for _, _, rest in values)
    return max(longest_word([column]), below, *(len(value) for value, _, _ in values))


def _whole(column: str, texts: CellTexts) -> int:
    lines = [
        line
        for (_, name), text in texts.items()
        if name == column
        for line in text.plain.splitlines()
    ]
    return max(map(len, (column, *lines)))


def _fitting(across: Sequence[str], texts: CellTexts, room: int) -> list[list[str]]:
    """Split the columns over as few grids as the width allows, never within a column."""
    grids: list[list[str]] = [[]]
    left = room
    for column in across:
        width = _needed(column, texts) + GUTTER
        if grids[-1] and width > left:
            grids.append([])
            left = room
        grids[-1].append(column)
        left -= width
    return grids


def _across(cell: Cell) -> str:
    return (
        cell.column
        if cell.judge in ("", cell.column)
        else " ".join(filter(None, (cell.judge, cell.column)))
    )


def _cell_text(cell: Cell, reasons: dict[str, str], digits: int) -> Text:
    from rich.text import Text

    mark = cell_mark(cell, reasons) or MARKS[cell.holds]
    style = {True: "green", False: "yellow", None: ""}[cell.agrees]
    value = cell.checked if cell.kind == "print" else cell.ours
    text = Text(number(value, digits), style="bold" if cell.ours is not None else "dim")
    if cell.published is not None:
        text.append(f" {mark or '·'} {printed_text(cell)}", style=style or "dim")
    elif mark:
        text.append(f" {mark}", style="dim")
    if cell.low is not None and cell.high is not None:
        text.append(
            f"\n{number(cell.low, digits)}–{number(cell.high, digits)} n={cell.n:,}", style="dim"
        )
    elif cell.n > 1:
        text.append(f"\nn={cell.n:,}", style="dim")
    return text
