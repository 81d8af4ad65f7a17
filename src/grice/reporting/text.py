"""Tables for a terminal, a pipe, a paper: rich, plain, Markdown, LaTeX, CSV, JSON."""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from grice.core.errors import InputError
from grice.core.table import Table

if TYPE_CHECKING:
    from grice.core.estimate import Estimate

FORMATS = ("text", "md", "tex", "csv", "json")
EMPTY = "–"
# A longer word, a path for the most part, may be broken to fit a column.
WORD = 20
# What a table takes between two columns.
GUTTER = 3


def number(value: float | None, digits: int = 3) -> str:
    """A number to read: `0.912`, whole counts without decimals, a dash for none."""
    if value is None:
        return EMPTY
    if float(value).is_integer() and abs(value) >= 2:
        return f"{value:,.0f}"
    return f"{value:.{digits}f}"


def estimate_text(
    estimate: Estimate | None, *, digits: int = 3, interval: bool = True, count: bool = False
) -> str:
    if estimate is None:
        return EMPTY
    ends = ""
    if interval and estimate.low is not None and estimate.high is not None:
        ends = f" [{number(estimate.low, digits)}, {number(estimate.high, digits)}]"
    return number(estimate.value, digits) + ends + (f" n={estimate.n}" if count else "")


def render(table: Table, format: str, *, digits: int = 3, interval: bool = True, count: bool = True) -> str:
    """A table in one of the formats that are text; `text` goes through `print_table`."""
    if format == "json":
        return json.dumps(table.to_json(), ensure_ascii=False, indent=1)
    if format == "csv":
        return _csv(table)
    if format not in ("md", "tex"):
        raise InputError(f"no format '{format}'; there are {', '.join(FORMATS)}")
    head = [*table.down, *table.columns]
    body = [
        [
            *row,
            *(
                estimate_text(table.cells.get((row, c)), digits=digits, interval=interval, count=count)
                for c in table.columns
            ),
        ]
        for row in table.rows
    ]
    return (
        markdown(table.title, head, body, table.notes)
        if format == "md"
        else latex(table.title, head, body, table.notes)
    )


def print_table(
    table: Table, *, format: str = "text", digits: int = 3, interval: bool = True, count: bool = True
) -> None:
    """Print a table in one of the formats."""
    if format != "text":
        print(render(table, format, digits=digits, interval=interval, count=count))
        return
    head = [*table.down, *table.columns]
    body = [
        [
            *row,
            *(
                estimate_text(table.cells.get((row, c)), digits=digits, interval=interval, count=count)
                for c in table.columns
            ),
        ]
        for row in table.rows
    ]
    draw(table.title, head, body, notes=table.notes, left=len(table.down))


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
        print(aligned(title, head, body, notes, left))
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


def _fixed_widths(
    head: Sequence[str], body: Sequence[Sequence[str]], left: int, room: int
) -> list[int | None]:
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


def aligned(
    title: str, head: Sequence[str], body: Sequence[Sequence[str]], notes: Sequence[str], left: int
) -> str:
    lines = [list(head), *map(list, body)]
    widths = [max((len(line[i]) for line in lines), default=0) for i in range(len(head))]
    text = [
        "  ".join(
            c.ljust(w) if i < left else c.rjust(w) for i, (c, w) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    ]
    return "\n".join([title, *text, *notes])


def markdown(title: str, head: Sequence[str], body: Sequence[Sequence[str]], notes: Sequence[str]) -> str:
    return "\n".join([f"**{title}**", "", markdown_rows(head, body), *(f"\n{note}" for note in notes)])


def markdown_rows(head: Sequence[str], body: Sequence[Sequence[str]]) -> str:
    """The table alone."""
    rows = [head, ["---"] * len(head), *body]
    return "\n".join("| " + " | ".join(str(cell).replace("|", "\\|") for cell in row) + " |" for row in rows)


def latex(title: str, head: Sequence[str], body: Sequence[Sequence[str]], notes: Sequence[str]) -> str:
    """A booktabs table; `\\usepackage{booktabs}` is all it needs."""
    columns = "l" + "r" * (len(head) - 1)
    lines = [
        r"\begin{table}",
        r"\centering",
        rf"\caption{{{escape_tex(title)}}}",
        rf"\begin{{tabular}}{{{columns}}}",
        r"\toprule",
    ]
    lines += [" & ".join(map(escape_tex, head)) + r" \\", r"\midrule"]
    lines += [" & ".join(map(escape_tex, row)) + r" \\" for row in body]
    lines += [
        r"\bottomrule",
        r"\end{tabular}",
        *(rf"\par\footnotesize {escape_tex(note)}" for note in notes),
        r"\end{table}",
    ]
    return "\n".join(lines)


def escape_tex(text: str) -> str:
    special = {
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "–": "--",
        "−": "$-$",
    }
    plain = {c: "\\" + c for c in "&%$#_{}"}
    return "".join(special.get(c) or plain.get(c) or c for c in text)


def print_rows(title: str, rows: Sequence[Mapping[str, Any]]) -> None:
    """Records as a table, a column for each key that any of them has."""
    head = list(dict.fromkeys(key for row in rows for key in row))
    body = [[_plain(row.get(key)) for key in head] for row in rows]
    draw(title, head, body, left=len(head))


def print_description(found: Mapping[str, Any]) -> None:
    """A thing and its parts, for reading."""
    lines = [f"{found.get('name', '')}  {found.get('title', '')}".strip()]
    for key, value in found.items():
        if key not in ("name", "title", "kind", "items", "exhibits", "files") and value not in (
            None,
            "",
            [],
            {},
            (),
        ):
            lines += _described(key, value)
    print("\n".join(lines))
    if found.get("exhibits"):
        print_rows("exhibits", [{"id": e["id"], "title": e["title"]} for e in found["exhibits"]])
    if found.get("files"):
        print_rows(
            "files", [{"path": f["path"], "sha256": (f["sha256"] or EMPTY)[:12]} for f in found["files"]]
        )
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
        return number(value)
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)


def _csv(table: Table) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([*table.down, "column", "value", "n", "low", "high"])
    for row in table.rows:
        for column in table.columns:
            e = table.cells.get((row, column))
            writer.writerow(
                [*row, column, *(["", 0, "", ""] if e is None else [e.value, e.n, e.low, e.high])]
            )
    return out.getvalue().rstrip("\n")


def _signed(value: float | None) -> str:
    """A difference with a sign that is as wide as its plus."""
    return EMPTY if value is None else f"{value:+.3f}".replace("-", "−")


def print_comparison(found: Mapping[str, Any], *, format: str = "text") -> None:
    """Differences with intervals and tests, then the items on which the two disagree."""
    title = f"{found['a']} − {found['b']}: {found['reading']} accuracy on {found['dataset']}"
    head = [
        found["by"] or "stratum",
        "first − second",
        "95% interval",
        "n",
        "only first right",
        "only second right",
        "p",
        "p (Holm)",
    ]
    body = [
        [
            row["stratum"] or "all",
            _signed(row["difference"]["value"]),
            f"{_signed(row['difference']['low'])}…{_signed(row['difference']['high'])}",
            f"{row['difference']['n']:,}",
            str(row["only_a"]),
            str(row["only_b"]),
            f"{row['p']:.2g}",
            f"{row['holm']:.2g}",
        ]
        for row in found["rows"]
    ]
    if format in ("md", "tex"):
        print((markdown if format == "md" else latex)(title, head, body, ()))
    else:
        draw(title, head, body)
    for item in found["items"]:
        golds = ", ".join(
            f"{k.removeprefix('gold.')} {v}"
            for k, v in item.items()
            if k.startswith("gold.") and v is not None
        )
        print(
            f"\n  {item['id']}\n  {item['premise']}\n  → {item['hypothesis']}\n    {found['a']}: {item[found['a']]} · {found['b']}: {item[found['b']]} · gold {golds}"
        )
