"""A paper's table or figure, ours beside the printed numbers: a grid on a terminal, a list elsewhere."""

from __future__ import annotations

import csv
import io
import string
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from grice.core.paper import Cell, Exhibit
from grice.reporting.text import EMPTY, GUTTER, aligned, latex, longest_word, markdown, number

if TYPE_CHECKING:
    from rich.text import Text

MARKS = {True: "✓", False: "≠", None: ""}
WORDS = ("row", "column", "judge", "reading")
CellTexts = Mapping[tuple[str, str], "Text"]


def print_exhibit(
    exhibit: Exhibit, cells: Sequence[Cell], *, notes: Sequence[str] = (), format: str = "text"
) -> None:
    """One exhibit with its notes and how many of its printed cells come out."""
    title = f"{exhibit.id}  {exhibit.title}"
    reasons = _reasons(cells)
    told = [
        *exhibit.notes,
        *notes,
        *(f"{letter}: {why}" for why, letter in reasons.items()),
        *agreement(cells),
    ]
    if format == "text" and sys.stdout.isatty():
        _grids(title, cells, told, reasons, exhibit.digits)
        return
    if format == "csv":
        print(_csv(exhibit.id, cells))
        return
    if not cells:
        print("\n".join([title, *told]) + "\n")
        return
    head, body = rows(cells, reasons, exhibit.digits)
    if format == "md":
        print(markdown(title, head, body, told) + "\n")
    elif format == "tex":
        print(latex(title, head, body, told) + "\n")
    else:
        print(aligned(title, head, body, told, head.index("printed")) + "\n")


def rows(
    cells: Sequence[Cell], reasons: dict[str, str], digits: int = 3
) -> tuple[list[str], list[list[str]]]:
    """Every cell on a line of its own; words that say nothing new are left out."""
    shown = [name for name in WORDS if any(getattr(cell, name) for cell in cells)]
    if "judge" in shown and all(cell.judge in ("", cell.column) for cell in cells):
        shown.remove("judge")
    body = []
    for cell in cells:
        ends = (
            EMPTY
            if cell.low is None or cell.high is None
            else f"{number(cell.low, digits)} – {number(cell.high, digits)}"
        )
        words = [str(getattr(cell, name)) for name in shown]
        body.append(
            [*words, printed(cell), number(cell.ours, digits), ends, f"{cell.n:,}", _mark(cell, reasons)]
        )
    return [*shown, "printed", "ours", "95% interval", "n", ""], body


def printed(cell: Cell) -> str:
    """The paper's number with the digits it has there."""
    return EMPTY if cell.published is None else f"{cell.published:,g}"


def agreement(cells: Sequence[Cell]) -> list[str]:
    """How many printed cells come out as printed, reading by reading."""
    told = []
    for reading in dict.fromkeys(cell.reading for cell in cells):
        compared = [cell for cell in cells if cell.reading == reading and cell.agrees is not None]
        if compared:
            right = sum(bool(cell.agrees) for cell in compared)
            told.append(
                f"{right} of {len(compared)} printed cells agree" + (f" ({reading})" if reading else "")
            )
    return told


def _reasons(cells: Sequence[Cell]) -> dict[str, str]:
    """A letter for each reason that a cell is empty, told once below."""
    found = dict.fromkeys(cell.reason for cell in cells if cell.reason)
    letters = [
        *string.ascii_lowercase,
        *(a + b for a in string.ascii_lowercase for b in string.ascii_lowercase),
    ]
    return dict(zip(found, letters, strict=False))


def _mark(cell: Cell, reasons: dict[str, str]) -> str:
    return MARKS[cell.agrees] or reasons.get(cell.reason, "")


def _grids(
    title: str, cells: Sequence[Cell], notes: Sequence[str], reasons: dict[str, str], digits: int
) -> None:
    """Rows down and columns across, a grid for each reading; under a value its interval and n."""
    from rich import box
    from rich.console import Console
    from rich.padding import Padding
    from rich.table import Table
    from rich.text import Text

    console = Console()
    console.print(Text(title, style="bold"))
    for reading in dict.fromkeys(cell.reading for cell in cells):
        part = [cell for cell in cells if cell.reading == reading]
        across = list(dict.fromkeys(_across(cell) for cell in part))
        rows = list(dict.fromkeys(cell.row for cell in part))
        texts = {(cell.row, _across(cell)): _cell_text(cell, reasons, digits) for cell in part}
        names = max(longest_word(rows), min(max(map(len, rows)), 24))
        for columns in _fitting(across, texts, console.width - names - GUTTER):
            # Where rich would narrow a column, each is as wide as it must be; the names of rows may be wider.
            whole = max(map(len, rows)) + sum(_whole(column, texts) + GUTTER for column in columns)
            tight = whole + GUTTER - 1 > console.width
            grid = Table(
                title=reading or None,
                title_justify="left",
                box=box.SIMPLE_HEAD,
                header_style="bold cyan",
                pad_edge=False,
            )
            grid.add_column("", style="bold", min_width=names)
            for column in columns:
                grid.add_column(
                    Text(column), justify="right", width=_needed(column, texts) if tight else None
                )
            for row in rows:
                if any((row, column) in texts for column in columns):
                    grid.add_row(row, *(texts.get((row, column), Text("")) for column in columns))
            console.print(grid)
    for note in notes:
        console.print(Padding(Text(note, style="dim"), (0, 0, 0, 2)))
    console.print()


def _needed(column: str, texts: CellTexts) -> int:
    """The room a column needs: its values whole; an interval may stand above its n, a heading may wrap."""
    values = [text.plain.partition("\n") for (_, name), text in texts.items() if name == column]
    below = longest_word(rest for _, _, rest in values)
    return max(longest_word([column]), below, *(len(value) for value, _, _ in values))


def _whole(column: str, texts: CellTexts) -> int:
    lines = [line for (_, name), text in texts.items() if name == column for line in text.plain.splitlines()]
    return max(map(len, (column, *lines)))


def _fitting(across: Sequence[str], texts: CellTexts, room: int) -> list[list[str]]:
    """The columns in as few grids as the width takes; a column cut in two is unreadable."""
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
        cell.column if cell.judge in ("", cell.column) else " ".join(filter(None, (cell.judge, cell.column)))
    )


def _cell_text(cell: Cell, reasons: dict[str, str], digits: int) -> Text:
    from rich.text import Text

    mark = _mark(cell, reasons)
    style = {True: "green", False: "yellow", None: ""}[cell.agrees]
    text = Text(number(cell.ours, digits), style="bold" if cell.ours is not None else "dim")
    if cell.published is not None:
        text.append(f" {mark or '·'} {printed(cell)}", style=style or "dim")
    elif mark:
        text.append(f" {mark}", style="dim")
    if cell.low is not None and cell.high is not None:
        text.append(f"\n{number(cell.low, digits)}–{number(cell.high, digits)} n={cell.n:,}", style="dim")
    elif cell.n > 1:
        text.append(f"\nn={cell.n:,}", style="dim")
    return text


def _csv(exhibit: str, cells: Sequence[Cell]) -> str:
    out = io.StringIO()
    names = list(vars(Cell("", "")))
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["exhibit", *names])
    writer.writerows(
        [exhibit, *("" if getattr(cell, name) is None else getattr(cell, name) for name in names)]
        for cell in cells
    )
    return out.getvalue().rstrip("\n")
