"""A figure on the page: its drawings for page and phone, menu, notes, and table of numbers."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from html import escape

from grice.core.estimate import Estimate
from grice.core.tabular import EMPTY, number
from grice.reporting.markup import scrolling_table, sentence
from grice.reporting.model import Figure, Number

# The width of a column of charts in pixels.
COLUMN = 570.0
Charts = Mapping[str, tuple[str, str]]


def figure_grid(figures: Sequence[Figure], charts: Charts) -> str:
    """Arrange figures in two columns of similar height; on a phone in one."""
    columns: tuple[list[str], list[str]] = ([], [])
    heights = [0.0, 0.0]
    for figure in figures:
        shorter = 0 if heights[0] <= heights[1] else 1
        columns[shorter].append(figure_block(figure, charts, level=3))
        heights[shorter] += _height(charts[figure.id][0])
    blocks = "".join(f"<div>{''.join(column)}</div>" for column in columns if column)
    return f'<div class="grid">{blocks}</div>' if blocks else ""


def _height(svg: str) -> float:
    """Return the height of a drawing in a column, with its caption."""
    view_box = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg)
    width, height = (float(view_box[1]), float(view_box[2])) if view_box else (COLUMN, 300.0)
    return height * min(1.0, COLUMN / width) + 150


def figure_block(figure: Figure, charts: Charts, *, level: int, phone: bool = False) -> str:
    """Return a figure with its caption, menu, drawing, notes and folded table.

    The script fills the menu and redraws the figure. With `phone` the drawing for a phone is
    included; otherwise the script unpacks it on a phone.
    """
    wide, narrow = charts[figure.id]
    narrow = narrow if phone else ""
    note_text = notes(figure)
    note = f'<p class="note">{sentence(note_text)}</p>' if note_text else ""
    title = escape(figure.title)
    menu = (
        f'<details class="take" data-rows="{len(figure.rows)}"><summary aria-label="Take or sort:'
        f' {title}">Take</summary><div class="panel"></div></details>'
    )
    return (
        f'<figure id="{escape(figure.id)}" data-kind="{figure.kind}"><figcaption><div'
        f' class="head"><h{level}>{title}</h{level}>{menu}</div><p>{sentence(figure.finding)}</p></figcaption><div'
        f' class="drawing"><div class="wide">{wide}</div><div class="narrow">{narrow}</div></div><p'
        f' class="chosen" role="status"></p>{note}<details class="numbers"><summary>Numbers:'
        f" {title}</summary>{_table(figure)}</details></figure>"
    )


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


def _table(figure: Figure) -> str:
    """Return a table of all numbers with interval and n, each a link to its items."""
    if figure.kind == "heat":
        return "<p>The counts of each cell are in profile.json and tables/.</p>"
    table, several = figure.table, len(figure.judges) > 1
    by_place = {
        (figure.row_name(n), figure.column(n)): (at, n) for at, n in enumerate(figure.numbers)
    }
    # A column of a judge goes when the reader hides the judge.
    own = {
        figure.column(n): f' data-judge="{escape(n.judge, quote=True)}"' if several else ""
        for n in figure.numbers
    }
    head = "".join(
        f'<th scope="col"{own.get(name, "")}>{escape(name)}</th>'
        for name in (*table.down, *table.columns)
    )
    rows = "".join(
        f'<tr><th scope="row">{escape(row)}</th>'
        + "".join(_cell(by_place.get((row, c)), own[c]) for c in table.columns)
        + "</tr>"
        for (row,) in table.rows
    )
    return scrolling_table(f"{figure.title} ({figure.id})", head, rows)


def _cell(placed: tuple[int, Number] | None, own: str) -> str:
    if placed is None or placed[1].estimate is None:
        return f"<td{own}>{EMPTY}</td>"
    at, cell = placed
    assert cell.estimate is not None
    value = number(cell.estimate.value, 2)
    opened = f'<td data-number="{at}"{own}>'
    if not cell.query.href:
        return f"{opened}{value}{_ends(cell.estimate)}</td>"
    return (
        f"{opened}<a"
        f' href="{escape(cell.query.href, quote=True)}">{value}</a>{_ends(cell.estimate)}</td>'
    )


def _ends(estimate: Estimate) -> str:
    both = estimate.low is not None and estimate.high is not None
    ends = f"{number(estimate.low, 2)}–{number(estimate.high, 2)} " if both else ""
    return f" <small>{ends}n={estimate.n:,}</small>"
