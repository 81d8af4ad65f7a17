"""Printing of a paper's tables and figures, with reproduced and published numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from grice.core.errors import one_line
from grice.reporting.text import GUTTER, longest_word, print_text, shown_width
from grice.tables.exhibit import GridRow, Layout, ReproducedExhibit

if TYPE_CHECKING:
    from rich.text import Text

# The lines of a cell: its numbers, and its interval with n.
CellTexts = Mapping[tuple[GridRow, str], str]
LONGEST_NAME = 24
STYLES = {"✓": "green", "≈": "green", "≠": "yellow"}


def print_exhibit(reproduced: ReproducedExhibit, *, format: str = "text") -> None:
    """Print one exhibit with its notes and how many of its published cells are reproduced."""
    if format == "text" and shown_width():
        _print_grids(reproduced)
    elif format == "csv":
        print(reproduced.to_csv())
    elif reproduced.cells:
        print(reproduced.render(format) + "\n")
    else:
        print("\n".join([reproduced.title, *reproduced.remarks]) + "\n")


def _print_grids(reproduced: ReproducedExhibit) -> None:
    """Print the paper's rows and columns, over several grids where they are too wide."""
    from rich.console import Console
    from rich.text import Text

    console = Console(width=shown_width())
    console.print(Text(one_line(reproduced.title), style="bold"))
    layout, reasons = Layout(reproduced.cells, reproduced.exhibit.digits), reproduced.reasons
    texts: dict[tuple[GridRow, str], str] = {}
    for row in layout.rows:
        lines = {c: [*filter(None, layout.texts(row, c, reasons))] for c in layout.columns}
        # Cells without interval share the n of their row, below the first of them.
        values = [cell for cell in lines.values() if len(cell) == 1]
        if values and (row_count := layout.count_text(row)):
            values[0].append(f"n={row_count}")
        texts |= {(row, column): "\n".join(cell) for column, cell in lines.items()}
    for reading in dict.fromkeys(reading for _, reading in layout.rows):
        rows = [row for row in layout.rows if row[1] == reading]
        filled = [c for c in layout.columns if any(texts[row, c] for row in rows)]
        part = {(row, column): texts[row, column] for row in rows for column in filled}
        _print_reading(console.width, reading, rows, filled, part)
    for note in reproduced.remarks:
        print_text(one_line(note), "  ")
    console.print()


def _print_reading(
    width: int, reading: str, rows: Sequence[GridRow], columns: Sequence[str], texts: CellTexts
) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(width=width)
    names = [row for row, _ in rows]
    name_width = max(longest_word(names), min(max(map(len, names)), LONGEST_NAME))
    for part in _fitting(columns, texts, width - name_width - GUTTER):
        # Where rich would narrow a column, set the minimum widths; row names may be wider.
        widest = sum(_whole(column, texts) + GUTTER for column in part)
        is_tight = max(map(len, names)) + widest + GUTTER - 1 > width
        grid = Table(
            title=Text(one_line(reading)) if reading else None,
            title_justify="left",
            box=box.SIMPLE_HEAD,
            header_style="bold cyan",
            pad_edge=False,
        )
        grid.add_column("", style="bold", min_width=name_width)
        for column in part:
            width_needed = _needed(column, texts) if is_tight else None
            grid.add_column(Text(one_line(column)), justify="right", width=width_needed)
        for row in rows:
            if any(texts[row, column] for column in part):
                values = (_styled(texts[row, column]) for column in part)
                grid.add_row(Text(one_line(row[0])), *values)
        console.print(grid)


def _styled(lines: str) -> Text:
    from rich.text import Text

    first, _, second = lines.partition("\n")
    style = next((style for sign, style in STYLES.items() if sign in first), "")
    text = Text(first, style=style)
    if second:
        text.append(f"\n{second}", style="dim")
    return text


def _needed(column: str, texts: CellTexts) -> int:
    """Return the minimum width of a column: values stay on one line, headings may wrap.

    The interval may be on the line above its n.
    """
    lines = [text.split("\n") for (_, name), text in texts.items() if name == column]
    below = longest_word(line for parts in lines for line in parts[1:])
    return max(longest_word([column]), below, *(len(parts[0]) for parts in lines))


def _whole(column: str, texts: CellTexts) -> int:
    lines = (text.splitlines() for (_, name), text in texts.items() if name == column)
    return max(map(len, (column, *(line for parts in lines for line in parts))))


def _fitting(columns: Sequence[str], texts: CellTexts, room: int) -> list[list[str]]:
    """Split the columns over as few grids as the width allows, never within a column."""
    grids: list[list[str]] = [[]]
    left = room
    for column in columns:
        width = _needed(column, texts) + GUTTER
        if grids[-1] and width > left:
            grids.append([])
            left = room
        grids[-1].append(column)
        left -= width
    return grids
