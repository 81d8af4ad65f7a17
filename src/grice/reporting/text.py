"""Printing of tables, records, descriptions and comparisons, fitted to the terminal."""

from __future__ import annotations

import os
import shutil
import sys
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

from grice.core.errors import one_line
from grice.tables.comparison import Comparison
from grice.tables.tabular import EMPTY, Grid, Tabular, number

# Parts of a description that are printed separately.
APART = ("name", "title", "kind", "items", "exhibits", "files", "runs", "faulty")
# In a block, fields of at most this length share a line.
SHORT = 34
# The width between two columns of a table.
GUTTER = 3


def print_table(
    table: Tabular,
    *,
    format: str = "text",
    digits: int | None = None,
    interval: bool = True,
    count: bool = True,
) -> None:
    """Print a table in one of the formats; `text` fits it to the terminal."""
    if format != "text":
        print(table.render(format, digits=digits, interval=interval, count=count))
        return
    grid = table.grid(digits=digits, interval=interval, count=count)
    draw(grid.title, grid.head, grid.body, notes=grid.notes, left=grid.left)


def shown_width() -> int:
    """Return the columns of the terminal or of COLUMNS; 0 in a pipe without COLUMNS."""
    known = sys.stdout.isatty() or os.environ.get("COLUMNS", "").isdigit()
    return shutil.get_terminal_size((80, 24)).columns if known else 0


def print_text(text: str, indent: str = "") -> None:
    """Print prose, wrapped between words if the width is known."""
    width = shown_width()
    for line in text.split("\n"):
        print("\n".join(_wrapped(line, width, indent)) if width else line)


def draw(
    title: str,
    head: Sequence[str],
    body: Sequence[Sequence[str]],
    *,
    notes: Sequence[str] = (),
    left: int = 1,
    styles: Mapping[int, str] | None = None,
) -> None:
    """Print a table fitted to the terminal, or as blocks if its words do not fit.

    In a pipe it is never wrapped, unless COLUMNS is set.

    `styles` colours whole rows.
    """
    room, plain_grid = shown_width(), Grid(title, head, body, notes, left)
    if not room:
        print(plain_grid.to_text())
        return
    title, head, body, notes = plain_grid.title, plain_grid.head, plain_grid.body, plain_grid.notes
    if not head:
        print_text("\n".join((title, *notes)))
        return
    widths = _widths(head, body, left, room - GUTTER * len(head) + 1)
    if widths is None:
        _print_blocks(title, head, body, notes, left)
        return
    from rich import box
    from rich.console import Console
    from rich.padding import Padding
    from rich.table import Table as RichTable
    from rich.text import Text

    grid = RichTable(
        title=Text(title, style="bold"),
        title_justify="left",
        box=box.SIMPLE_HEAD,
        header_style="bold cyan",
        pad_edge=False,
    )
    console = Console(width=room)
    for i, (name, width) in enumerate(zip(head, widths, strict=True)):
        side: Literal["left", "right"] = "left" if i < left else "right"
        grid.add_column(Text(name), justify=side, width=width)
    for i, row in enumerate(body):
        grid.add_row(*(Text(cell) for cell in row), style=(styles or {}).get(i))
    console.print(grid)
    for note in notes:
        console.print(Padding(Text(note, style="dim"), (0, 0, 0, 2)))


def _widths(
    head: Sequence[str], body: Sequence[Sequence[str]], left: int, room: int
) -> list[int] | None:
    """Return the width of each column; None if words do not fit.

    No word is broken, numbers stay on one line if possible, and columns that lack least are served
    first.
    """
    cells = [[row[i] for row in body] for i in range(len(head))]
    natural = [max(map(len, (name, *column))) for name, column in zip(head, cells, strict=True)]
    widths = [longest_word([name, *column]) for name, column in zip(head, cells, strict=True)]
    if sum(widths) > room:
        return None
    unbroken = [
        max(width, *map(len, column), 0) if i >= left else width
        for i, (width, column) in enumerate(zip(widths, cells, strict=True))
    ]
    widths = unbroken if sum(unbroken) <= room else widths
    spare = room - sum(widths)
    wanted = sorted(range(len(head)), key=lambda i: natural[i] - widths[i])
    for n_served, i in enumerate(wanted):
        more = min(natural[i] - widths[i], spare // (len(wanted) - n_served))
        widths[i], spare = widths[i] + more, spare - more
    return widths


def _print_blocks(
    title: str, head: Sequence[str], body: Sequence[Sequence[str]], notes: Sequence[str], left: int
) -> None:
    """Print a table as one block per row: its names, then a line per non-empty column."""
    names = left if left < len(head) else 1
    print_text(f"{title}\n{' · '.join(head[:names])}: {', '.join(head[names:])}")
    known = [row for row in body if any(cell not in ("", EMPTY) for cell in row[names:])]
    if n_empty := len(body) - len(known):
        notes = [*notes, f"{n_empty:,} rows without a number are left out."]
    for row in known:
        print()
        print_text(" · ".join(row[:names]))
        fields = [
            f"{name}: {cell}"
            for name, cell in zip(head[names:], row[names:], strict=True)
            if cell not in ("", EMPTY)
        ]
        short = [text for text in fields if len(text) <= SHORT]
        if short or not fields:
            # A number and its name stay on one line.
            print_text(" · ".join(text.replace(" ", "\u00a0") for text in short) or EMPTY, "  ")
        for text in fields:
            if text not in short:
                print_text(text, "  ")
    for note in notes:
        print()
        print_text(note)


def _wrapped(line: str, width: int, indent: str = "") -> list[str]:
    """Wrap a line with its indentation; a word longer than the width is not broken."""
    first = indent + line[: len(line) - len(line.lstrip())]
    lines = textwrap.wrap(
        line,
        width,
        initial_indent=first,
        subsequent_indent=f"{first}  " if indent else first,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return [wrapped_line.replace("\u00a0", " ") for wrapped_line in lines] or [""]


def longest_word(texts: Iterable[str]) -> int:
    """Return the length of the longest word of some texts."""
    return max((len(word) for text in texts for word in text.split()), default=0)


def print_rows(title: str, rows: Sequence[Mapping[str, Any]]) -> None:
    """Print records as a table with a column for each key that any of them has."""
    head = list(dict.fromkeys(key for row in rows for key in row))
    body = [[_plain(row.get(key)) for key in head] for row in rows]
    draw(title, head, body, left=len(head))


def print_description(description: Mapping[str, Any]) -> None:
    """Print the description of an object and its parts."""
    lines = [one_line(f"{description.get('name', '')}  {description.get('title', '')}".strip())]
    for key, value in description.items():
        if key not in APART and value not in (None, "", [], {}, ()):
            lines += _described(key, value)
    print_text("\n".join(lines))
    if description.get("exhibits"):
        print_rows(
            "exhibits", [{"id": e["id"], "title": e["title"]} for e in description["exhibits"]]
        )
    if description.get("files"):
        print_rows(
            "files",
            [
                {"path": f["path"], "sha256": (f["sha256"] or EMPTY)[:12]}
                for f in description["files"]
            ],
        )
    if description.get("runs"):
        print_rows("runs", description["runs"])
    for response in description.get("faulty", ()):
        texts = "".join(
            f"\n  {sign} {one_line(response[key])}"
            for key, sign in (("premise", " "), ("hypothesis", "→"))
            if response.get(key)
        )
        heading = one_line(f"{response['id']}: {response['fault']}")
        print_text(f"\n{heading}{texts}\n    came back: {one_line(response['raw'] or 'nothing')}")
    for item in description.get("items", ()):
        gold = ", ".join(f"{reading}: {answer}" for reading, answer in item.get("gold", {}).items())
        item_lines = (
            item["premise"],
            f"→ {item.get('hypothesis', EMPTY)}",
            f"  {gold or 'no gold'}",
        )
        print_text("".join(f"\n  {one_line(text)}" for text in item_lines))


def _described(key: str, value: Any) -> list[str]:
    if isinstance(value, Mapping):
        width = max(len(str(k)) for k in value)
        return [
            f"  {one_line(key)}",
            *(one_line(f"    {str(k).ljust(width)}  {_plain(v)}") for k, v in value.items()),
        ]
    if isinstance(value, list | tuple):
        flat = ", ".join(map(str, value))
        return (
            [one_line(f"  {key}: {flat}")]
            if len(flat) < 100
            else [f"  {one_line(key)}", *(one_line(f"    {v}") for v in value)]
        )
    return [one_line(f"  {key}: {value}")]


def _plain(value: Any) -> str:
    if value is None:
        return EMPTY
    if isinstance(value, Mapping):
        return ", ".join(f"{k}: {_plain(v)}" for k, v in value.items()) or EMPTY
    if isinstance(value, float):
        # The price of a few responses is far below a cent.
        return number(value) if value == 0 or abs(value) >= 0.01 else f"{value:.3g}"
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)


def print_comparison(comparison: Comparison, *, format: str = "text") -> None:
    """Print differences with intervals and tests, then the items on which the two disagree."""
    print_table(comparison, format=format)
    for item in comparison.items if format != "csv" else ():
        golds = ", ".join(
            f"{k.removeprefix('gold.')} {v}"
            for k, v in item.items()
            if k.startswith("gold.") and v is not None
        )
        answers = " · ".join(f"{judge}: {item[judge]}" for judge in (comparison.a, comparison.b))
        item_lines = (
            item["id"],
            item["premise"],
            f"→ {item['hypothesis']}",
            f"  {answers} · gold {golds}",
        )
        print_text("".join(f"\n  {one_line(text)}" for text in item_lines))
