"""Reproduced table or figure of a paper: every cell with our number and the printed one."""

from __future__ import annotations

import string
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from grice.tables.paper import Cell, Exhibit, Reference
from grice.tables.tabular import EMPTY, Grid, Tabular, number

MARKS = {True: "✓", False: "≠", None: ""}
WORDS = ("row", "column", "judge", "reading")
CHECK = "check of the print"


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
        letters = [
            *string.ascii_lowercase,
            *(a + b for a in string.ascii_lowercase for b in string.ascii_lowercase),
        ]
        return dict(zip(reasons, letters, strict=False))

    @property
    def remarks(self) -> list[str]:
        """Notes below the table: the exhibit's, its own, reasons, and counts of cells."""
        reasons = (f"{letter}: {why}" for why, letter in self.reasons.items())
        return [
            *self.exhibit.notes,
            *self.notes,
            *reasons,
            *count_agreement(self.cells),
            *count_kinds(self.cells),
        ]

    def grid(self, *, digits: int | None = None, interval: bool = True, count: bool = True) -> Grid:
        """Return every cell on its own line."""
        places = self.exhibit.digits if digits is None else digits
        head, body = cell_rows(self.cells, self.reasons, places)
        dropped = [
            name for name, enabled in (("95% interval", interval), ("n", count)) if not enabled
        ]
        keep = [i for i, name in enumerate(head) if name not in dropped]
        body = [[line[i] for i in keep] for line in body]
        return Grid(self.title, [head[i] for i in keep], body, self.remarks, head.index("printed"))

    def records(self) -> list[dict[str, Any]]:
        """Return one dictionary per cell, with the exhibit's id."""
        return [cell.to_json(self.exhibit.id) for cell in self.cells]

    def points(self) -> list[dict[str, Any]]:
        """Return our numbers, one series per judge or column, and the printed numbers."""
        points = []
        for cell in (cell for cell in self.cells if cell.kind != "print"):
            across = " ".join(
                dict.fromkeys(word for word in (cell.judge, cell.column, cell.reading) if word)
            )
            computed = {"value": cell.ours, "low": cell.low, "high": cell.high, "n": cell.n}
            printed = {"value": cell.published, "low": None, "high": None, "n": None}
            points += [
                {"row": cell.row, "series": across, **computed},
                {"row": cell.row, "series": f"{across}, printed", **printed},
            ]
        return points

    def to_json(self) -> list[dict[str, Any]]:
        """Return the cells as `records` gives them."""
        return self.records()


def cell_rows(
    cells: Sequence[Cell], reasons: Mapping[str, str], digits: int = 3
) -> tuple[list[str], list[list[str]]]:
    """Return a heading and one line per cell; columns without information are left out."""
    columns = [name for name in WORDS if any(getattr(cell, name) for cell in cells)]
    if "judge" in columns and all(cell.judge in ("", cell.column) for cell in cells):
        columns.remove("judge")
    checked = any(cell.kind == "print" for cell in cells)
    body = []
    for cell in cells:
        both = cell.low is not None and cell.high is not None
        ends = f"{number(cell.low, digits)} – {number(cell.high, digits)}" if both else EMPTY
        labels = [str(getattr(cell, name)) for name in columns]
        numbers = [printed_text(cell), number(cell.ours, digits), ends, f"{cell.n:,}"]
        check = [f"{number(cell.checked, digits)} {MARKS[cell.holds]}".strip()] if checked else []
        body.append([*labels, *numbers, cell_mark(cell, reasons), *check])
    return [
        *columns,
        "printed",
        "ours",
        "95% interval",
        "n",
        "",
        *([CHECK] if checked else []),
    ], body


def printed_text(cell: Cell) -> str:
    """Return the paper's number with the digits it has there."""
    return EMPTY if cell.published is None else f"{cell.published:,g}"


def cell_mark(cell: Cell, reasons: Mapping[str, str]) -> str:
    """Return whether a cell agrees with the printed one, or the letter of why it is empty."""
    mark = MARKS[cell.agrees]
    if mark and cell.reference != "printed":
        return f"{mark} {cell.reference}"
    return mark or reasons.get(cell.reason, "")


def agreement(cells: Sequence[Cell], reference: Reference = "printed") -> tuple[int, int]:
    """Return how many numbers agree with the reference, and how many there are.

    A number in several cells counts once.
    """
    compared = [cell for cell in cells if cell.agrees is not None and cell.reference == reference]
    numbers = {(cell.printed_row or cell.row, cell.column, cell.judge): False for cell in compared}
    for cell in compared:
        numbers[cell.printed_row or cell.row, cell.column, cell.judge] |= bool(cell.agrees)
    return sum(numbers.values()), len(numbers)


NOT_COUNTED: Mapping[Reference, str] = {
    "fitted": "cells agree that were fitted to the print, not counted",
    "release": "cells are as in the release, which the paper does not print, not counted",
}


def count_agreement(cells: Sequence[Cell]) -> list[str]:
    """Return phrases on how many printed numbers are reproduced, by reading."""
    counts = []
    for reading in dict.fromkeys(cell.reading for cell in cells):
        part = [cell for cell in cells if cell.reading == reading]
        phrases = {"printed": "printed cells agree", **NOT_COUNTED}
        for reference in ("printed", "fitted", "release"):
            right, all_of = agreement(part, reference)
            if all_of:
                counts.append(
                    f"{right} of {all_of} {phrases[reference]}"
                    + (f" ({reading})" if reading else "")
                )
    return counts


def count_kinds(cells: Sequence[Cell]) -> list[str]:
    """Return a phrase on the sources of the cells: data, a model's answers, or the print."""
    phrases = {"data": "recomputed from data", "model": "computed from a model's answers"}
    counts = {
        kind: sum(cell.kind == kind and cell.ours is not None for cell in cells) for kind in phrases
    }
    parts = [f"{counts[kind]} {text}" for kind, text in phrases.items() if counts[kind]]
    checks = [cell for cell in cells if cell.kind == "print" and cell.checked is not None]
    compared = [cell for cell in checks if cell.holds is not None]
    holds = (
        f", of which {sum(bool(cell.holds) for cell in compared)} of {len(compared)} hold"
        if compared
        else ""
    )
    parts += [f"{len(checks)} only a {CHECK}, not counted as agreeing{holds}"] if checks else []
    return [f"cells: {'; '.join(parts)}"] if parts else []
