"""Printing: tables fitted to the terminal, plain in a pipe; records, descriptions, comparisons."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

from grice.core.comparison import Comparison
from grice.core.tabular import EMPTY, Grid, Tabular, number

# A longer word, a path for the most part, may be broken to fit a column.
WORD = 20
# Parts of a description that are printed apart.
APART = ("name", "title", "kind", "items", "exhibits", "files", "runs", "faulty")
# What a table takes between two columns.
GUTTER = 3


def print_table(
    table: Tabular, *, format: str = "text", digits: int | None = None, interval: bool = True, count: bool = True
) -> None:
    """Print a table in one of the formats; as `text` it is drawn to fit the terminal."""
    if format != "text":
        print(table.render(format, digits=digits, interval=interval, count=count))
        return
    grid = table.grid(digits=digits, interval=interval, count=count)
    draw(grid.title, grid.head, grid.body, notes=grid.notes, left=grid.left)


def draw(
    title: str,
    head: Sequence[str],
    body: Sequence[Sequence[str]],
    *,
    notes: Sequence[str] = (),
    left: int = 1,
    styles: Mapping[int, str] | None = None,
) -> None:
    """A table on the terminal; in a pipe plain aligned text, never wrapped. `styles` colours whole rows."""
    if not sys.stdout.isatty():
        print(Grid(title, head, body, notes, left).to_text())
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
    console = Console()
    fixed = _fixed_widths(head, body, left, console.width - GUTTER * len(head) + 1)
    for i, (name, width) in enumerate(zip(head, fixed, strict=True)):
        least = min(longest_word([name, *(row[i] for row in body)]), WORD)
        side: Literal["left", "right"] = "left" if i < left else "right"
        grid.add_column(Text(name), justify=side, overflow="fold", width=width, min_width=width or least)
    for i, row in enumerate(body):
        grid.add_row(*(Text(cell) for cell in row), style=(styles or {}).get(i))
    console.print(grid)
    for note in notes:
        console.print(Padding(Text(note, style="dim"), (0, 0, 0, 2)))


def _fixed_widths(head: Sequence[str], body: Sequence[Sequence[str]], left: int, room: int) -> list[int | None]:
    """For a table wider than its room, the widths of columns that rich must not narrow: numbers, and names of one word."""
    longest = [max((len(row[i]) for row in body), default=0) for i in range(len(head))]
    if sum(map(max, longest, map(len, head))) <= room:
        return [None] * len(head)
    widths = [max(width, longest_word([name])) for name, width in zip(head, longest, strict=True)]
    words = [min(longest_word([name, *(row[i] for row in body)]), WORD) for i, name in enumerate(head)]
    # A number is wrapped only where the terminal has no room for it.
    whole = sum((*words[:left], *widths[left:])) <= room
    return [
        width if (whole if i >= left else width == least) else None
        for i, (width, least) in enumerate(zip(widths, words, strict=True))
    ]


def longest_word(texts: Iterable[str]) -> int:
    """The length of the longest word of some texts."""
    return max((len(word) for text in texts for word in text.split()), default=0)


def print_rows(title: str, rows: Sequence[Mapping[str, Any]]) -> None:
    """Records as a table, a column for each key that any of them has."""
    head = list(dict.fromkeys(key for row in rows for key in row))
    body = [[_plain(row.get(key)) for key in head] for row in rows]
    draw(title, head, body, left=len(head))


def print_description(found: Mapping[str, Any]) -> None:
    """A thing and its parts, for reading."""
    lines = [f"{found.get('name', '')}  {found.get('title', '')}".strip()]
    for key, value in found.items():
        if key not in APART and value not in (None, "", [], {}, ()):
            lines += _described(key, value)
    print("\n".join(lines))
    if found.get("exhibits"):
        print_rows("exhibits", [{"id": e["id"], "title": e["title"]} for e in found["exhibits"]])
    if found.get("files"):
        print_rows("files", [{"path": f["path"], "sha256": (f["sha256"] or EMPTY)[:12]} for f in found["files"]])
    if found.get("runs"):
        print_rows("runs", found["runs"])
    for one in found.get("faulty", ()):
        texts = "".join(
            f"\n  {sign} {one[key]}" for key, sign in (("premise", " "), ("hypothesis", "→")) if one.get(key)
        )
        print(f"\n{one['id']}: {one['fault']}{texts}\n    came back: {one['raw'] or 'nothing'}")
    for item in found.get("items", ()):
        gold = ", ".join(f"{reading}: {answer}" for reading, answer in item.get("gold", {}).items())
        print(f"\n  {item['premise']}\n  → {item.get('hypothesis', EMPTY)}\n    {gold or 'no gold'}")


def _described(key: str, value: Any) -> list[str]:
    if isinstance(value, Mapping):
        width = max(len(str(k)) for k in value)
        return [f"  {key}", *(f"    {str(k).ljust(width)}  {_plain(v)}" for k, v in value.items())]
    if isinstance(value, list | tuple):
        flat = ", ".join(map(str, value))
        return [f"  {key}: {flat}"] if len(flat) < 100 else [f"  {key}", *(f"    {v}" for v in value)]
    return [f"  {key}: {value}"]


def _plain(value: Any) -> str:
    if value is None:
        return EMPTY
    if isinstance(value, Mapping):
        return ", ".join(f"{k}: {_plain(v)}" for k, v in value.items()) or EMPTY
    if isinstance(value, float):
        # The price of a few replies is far below a cent.
        return number(value) if value == 0 or abs(value) >= 0.01 else f"{value:.3g}"
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)


def print_comparison(found: Comparison, *, format: str = "text") -> None:
    """Print differences with intervals and tests, then the items on which the two disagree."""
    print_table(found, format=format)
    for item in found.items if format != "csv" else ():
        golds = ", ".join(
            f"{k.removeprefix('gold.')} {v}" for k, v in item.items() if k.startswith("gold.") and v is not None
        )
        answers = " · ".join(f"{judge}: {item[judge]}" for judge in (found.a, found.b))
        print(f"\n  {item['id']}\n  {item['premise']}\n  → {item['hypothesis']}\n    {answers} · gold {golds}")
