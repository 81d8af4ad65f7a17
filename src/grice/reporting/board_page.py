"""HTML pages of a leaderboard: judges by chapters, a page per chapter, and all pairs.

Each page is one file without external resources.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from html import escape
from importlib.resources import files
from typing import Any
from urllib.parse import urlencode

from grice.core.tabular import EMPTY
from grice.reporting.board import LOWER, Board, BoardColumn
from grice.reporting.claims import UNTOLD, VERDICTS
from grice.reporting.first_screen import CHIPS

POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:;"
    " base-uri 'none'; form-action 'none'"
)
# How many rivals are listed for a judge.
NEAREST = 3
HOW = (
    "A dot is the judge's number, the line through it its 95% interval over paradigms, the short"
    " upright what the same answers would get without reading. Hatched: the claim of this chapter"
    " does not pass its gate (controls, blind twins, the best single answer, enough paradigms), so"
    " the number tells nothing. n is items/paradigms. Sorted, what tells nothing comes last."
)


def index_page(board: Board, *, pages: bool) -> str:
    """Return the page with the table of judges by chapters.

    Each judge links to its profile, or without `pages` to its nearest rivals.
    """
    firsts = set({column.question: column.id for column in reversed(board.columns)}.values())
    groups = "".join(
        f'<th colspan="{len(columns)}" scope="colgroup"><a'
        f' href="chapters/{section}.html">{escape(board.title(columns[0]))}</a></th>'
        for section, columns in board.chapters.items()
    )
    heads = "".join(_head(column, column.id in firsts) for column in board.columns)
    rows = "".join(
        _row(entry, board, firsts, pages)
        for entry in sorted(board.entries, key=_rank(board.columns))
    )
    cells = sum(len(entry["cells"]) for entry in board.entries)
    n_informative = sum(
        not cell["reason"] for entry in board.entries for cell in entry["cells"].values()
    )
    body = (
        f"<h1>{len(board.entries)} judges, {len(board.chapters)} chapters</h1>"
        f'<p class="lead">What each takes from what is not said. Of {cells:,} numbers {n_informative:,} tell'
        " something; the rest are hatched.</p>"
        '<p class="tools"><label>Find a judge <input type="search" id="find"'
        ' autocomplete="off"></label><span id="count" role="status"></span></p>'
        '<div class="scroll" tabindex="0" role="region" aria-label="The board"><table id="board"'
        f' style="--columns:{len(board.columns)}"><thead><tr><th rowspan="2"'
        f' scope="col">{_button("judge", "judge")}</th>{groups}'
        '<th rowspan="2"'
        f' scope="col">{_button("faults", "faults")}</th></tr><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></div>'
        f"<details><summary>How to read it</summary><p>{HOW} Why, is told in each chapter and under"
        " the pointer.</p></details>"
    )
    return _document("Board", "", body, board)


def chapter_page(board: Board, section: str) -> str:
    """Return the page of one chapter: all judges, for each number and for each phenomenon."""
    columns = board.chapters[section]
    parts = []
    for column in columns:
        cells = [
            (entry["judge"], entry["cells"][column.id])
            for entry in board.entries
            if column.id in entry["cells"]
        ]
        parts.append(f"<h2>{escape(column.name)}</h2>{_dots(cells, column, reasons=True)}")
    rows = [
        (phenomenon["row"], phenomenon["series"])
        for entry in board.entries
        for phenomenon in entry["rows"].get(section, ())
    ]
    for row, series in dict.fromkeys(rows):
        cells = [
            (
                entry["judge"],
                {**phenomenon, "reason": "hatched in its own page" if phenomenon["gated"] else ""},
            )
            for entry in board.entries
            for phenomenon in entry["rows"].get(section, ())
            if (phenomenon["row"], phenomenon["series"]) == (row, series)
        ]
        parts.append(
            f"<details><summary>{escape(', '.join(filter(None, (row, series))))}</summary>{_dots(cells, columns[0])}</details>"
        )
    title = board.title(columns[0])
    many = f"<h2>By phenomenon</h2><p>{len(dict.fromkeys(rows))} rows.</p>" if rows else ""
    n_columns = len(columns)
    body = (
        f"<h1>{escape(title)}</h1><p"
        f' class="lead">{HOW}</p>{"".join(parts[:n_columns])}{many}{"".join(parts[n_columns:])}'
    )
    return _document(title, "../", body, board)


def pairs_page(board: Board) -> str:
    """Return the page of all pairs: a matrix per column, and all columns of a chosen pair."""
    judges = board.judges
    compared = [column for column in board.columns if column.reading]
    positions = {column.id: i for i, column in enumerate(compared)}
    keys = ("value", "low", "high", "n", "paradigms", "only_a", "only_b", "p", "holm")
    data = {
        "judges": judges,
        "columns": [
            {"id": column.id, "name": f"{board.title(column)}: {column.name}"}
            for column in compared
        ],
        "untold": [
            [bool(entry["cells"].get(c.id, {}).get("reason")) for entry in board.entries]
            for c in compared
        ],
        "pairs": [
            [
                positions[pair["column"]],
                judges.index(pair["a"]),
                judges.index(pair["b"]),
                *(_short(pair[key]) for key in keys),
            ]
            for pair in board.pairs
        ],
    }
    body = (
        '<h1>Every judge against every other</h1><p class="lead">Row minus column in points on the'
        " items both answered; whole paradigms are swapped in the test, and Holm’s correction is"
        " over all pairs of a column. Bold: sure after correction (p &lt; .05). Hatched: of one of"
        " the two, this chapter tells nothing. Click a cell for the pair in all columns.</p><p"
        ' class="tools"><label>Number <select id="column"></select></label></p><div class="scroll"'
        ' tabindex="0" role="region" aria-label="Pairs"><table id="matrix"></table></div><section'
        ' id="pair" aria-live="polite"></section><noscript><p>The matrix is drawn by a script; its'
        " numbers are in board.json.</p></noscript>"
    )
    packed = json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("</", "<\\/")
    return _document(
        "Pairs", "", f'{body}<script type="application/json" id="data">{packed}</script>', board
    )


def rivals_page(board: Board, entry: Mapping[str, Any]) -> str:
    """Return the page that compares one judge with its nearest rivals, per number and overall."""
    judge, parts = entry["judge"], []
    apart: dict[str, list[float]] = {}
    every = [_seen_from(judge, pair) for pair in board.pairs if judge in (pair["a"], pair["b"])]
    for column in board.columns:
        column_pairs = [pair for pair in every if pair["column"] == column.id]
        for difference in column_pairs:
            apart.setdefault(difference["b"], []).append(abs(difference["value"]))
        if column_pairs:
            nearest = sorted(column_pairs, key=lambda pair: (abs(pair["value"]), pair["b"]))[
                :NEAREST
            ]
            reason = entry["cells"].get(column.id, {}).get("reason", "")
            why = (
                f" <small>Hatched for {escape(judge)}: {escape(reason)}.</small>" if reason else ""
            )
            parts.append(
                f"<h2>{escape(board.title(column))}:"
                f" {escape(column.name)}</h2><p>{_own(entry, column)}{why}</p>{_nearest(nearest, board, column)}"
            )
    means = {name: sum(values) / len(values) for name, values in apart.items()}
    nearest_names = sorted(means, key=lambda name: (means[name], name))[:NEAREST]
    over = f" over all {len(parts)} numbers" if len(parts) > 1 else ""
    nearest_links = ", ".join(
        f"{_pair_link(judge, name)} ({100 * means[name]:.1f})" for name in nearest_names
    )
    lead = (
        f"Nearest{over}, by the mean difference in points: {nearest_links}."
        if nearest_links
        else "No other judge answered the same items."
    )
    body = (
        f'<h1>{escape(judge)} beside its nearest rivals</h1><p class="lead">{lead} Bold: the two'
        f" surely differ, after Holm’s correction over all pairs.</p>{''.join(parts)}"
    )
    return _document(f"Rivals of {judge}", "../../", body, board)


def _seen_from(judge: str, pair: Mapping[str, Any]) -> dict[str, Any]:
    """Return a pair as the difference of this judge to the other."""
    if pair["a"] == judge:
        return dict(pair)
    ends = {"low": pair["high"], "high": pair["low"]}
    return {
        **pair,
        "a": judge,
        "b": pair["a"],
        "value": -pair["value"],
        **{end: None if v is None else -v for end, v in ends.items()},
    }


def _own(entry: Mapping[str, Any], column: BoardColumn) -> str:
    cell = entry["cells"].get(column.id)
    return (
        f"{escape(entry['judge'])}: <b>{_value(cell['value'], column)}</b>"
        f" <small>{_ends(cell, column)}, n {_count(cell)}</small>."
        if cell
        else ""
    )


def _nearest(pairs: Sequence[Mapping[str, Any]], board: Board, column: BoardColumn) -> str:
    """Return a table with one row per rival: its value, and the difference of the judge to it."""
    cells = {entry["judge"]: entry["cells"].get(column.id) for entry in board.entries}
    rows = []
    for pair in pairs:
        cell = cells[pair["b"]]
        signed = [
            f"{100 * pair[key]:+.1f}".replace("-", "−")
            for key in ("value", "low", "high")
            if pair[key] is not None
        ]
        difference = f"<b>{signed[0]}</b>" if pair["holm"] < 0.05 else signed[0]
        ends = f" <small>{signed[1]} to {signed[2]}</small>" if len(signed) == 3 else ""
        rows.append(
            f'<tr class="{"untold" if cell and cell["reason"] else ""}"><th'
            f' scope="row">{_pair_link(pair["a"], pair["b"])}</th>'
            f"<td>{_value(cell['value'], column) if cell else EMPTY}</td><td>{difference}{ends}</td><td>{_count(pair)}</td><td>{pair['holm']:.2g}</td></tr>"
        )
    head = "".join(
        f'<th scope="col">{name}</th>'
        for name in ("rival", column.name, "judge minus rival, points", "n", "p (Holm)")
    )
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{escape(column.name)}"><table'
        f' class="dots"><thead><tr>{head}</tr></thead><tbody>{"".join(rows)}</tbody></table></div>'
    )


def _pair_link(judge: str, other: str) -> str:
    query = urlencode({"a": judge, "b": other})
    return f'<a href="../../pairs.html#{escape(query)}">{_wrapping(other)}</a>'


def _rank(columns: Sequence[BoardColumn]) -> Callable[[Mapping[str, Any]], tuple[int, float]]:
    """Return a sort key by the first column: informative cells by value, others, then none."""
    first = columns[0].id if columns else ""

    def place(entry: Mapping[str, Any]) -> tuple[int, float]:
        cell = entry["cells"].get(first)
        return (2, 0.0) if cell is None else (int(bool(cell["reason"])), -cell["value"])

    return place


def _short(value: float | None) -> float | None:
    return float(f"{value:.4g}") if isinstance(value, float) else value


def _document(title: str, home: str, body: str, board: Board) -> str:
    links = f'<a href="{home}index.html">Board</a>' + (
        f'<a href="{home}pairs.html">Pairs</a>' if board.pairs else ""
    )
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><meta name="viewport"'
        ' content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light'
        ' dark"><meta http-equiv="Content-Security-Policy"'
        f' content="{POLICY}"><title>{escape(title)}</title><link rel="icon"'
        f' href="data:,"><style>{_asset("board.css")}</style></head><body><a class="skip"'
        f' href="#main">To the content</a><header><nav aria-label="Pages">{links}</nav><button'
        ' id="theme" type="button">Dark</button></header><main'
        f' id="main">{body}</main><script>{_asset("board.js")}</script></body></html>\n'
    )


def _asset(name: str) -> str:
    return files("grice.reporting").joinpath("assets", name).read_text(encoding="utf-8")


def _button(key: str, text: str) -> str:
    return f'<button type="button" data-sort="{escape(key)}">{escape(text)}</button>'


def _head(column: BoardColumn, first: bool) -> str:
    lower = " data-lower" if column.measure.startswith(LOWER) else ""
    return (
        f'<th scope="col"{lower}'
        f' class="{"first" if first else ""}">{_button(column.id, column.name)}</th>'
    )


def _row(entry: Mapping[str, Any], board: Board, firsts: set[str], pages: bool) -> str:
    name, label = escape(entry["judge"]), _wrapping(entry["judge"])
    link = f'<a href="models/{entry["folder"]}/{"index" if pages else "rivals"}.html">{label}</a>'
    cells = "".join(
        _cell(entry["cells"].get(column.id), column, column.id in firsts)
        for column in board.columns
    )
    left = f"<br><small>{entry['open']:,} not asked</small>" if entry["open"] else ""
    faults = (
        f'<td data-value="{entry["faults"]}">{entry["faults"]:,}<br><small>of'
        f" {entry['asked']:,}</small>{left}</td>"
    )
    return f'<tr data-name="{name}"><th scope="row">{link}</th>{cells}{faults}</tr>'


def _wrapping(name: str) -> str:
    """Escape a name that may break after a slash."""
    return escape(name).replace("/", "/<wbr>")


def _cell(cell: Mapping[str, Any] | None, column: BoardColumn, first: bool) -> str:
    side = "first" if first else ""
    if cell is None:
        return f'<td class="{side}"><small>{EMPTY}</small></td>'
    chips = cell["verdicts"] or ([UNTOLD] if cell["reason"] else [])
    chip_html = "".join(_chip(name) for name in chips) if first else ""
    told_attribute = "" if cell["reason"] else " data-told"
    hatched = " untold" if cell["reason"] else ""
    return (
        f'<td class="{side}{hatched}" data-value="{cell["value"]:.6f}"{told_attribute}'
        f' title="{escape(_words(cell, column))}">'
        f"<b>{_value(cell['value'], column)}</b>"
        f" <small>{_ends(cell, column)}</small>{_bar(cell, column)}<small>n"
        f" {_count(cell)}</small>{chip_html}</td>"
    )


def _chip(verdict: str) -> str:
    kind = "none" if verdict == UNTOLD else "told"
    return (
        f'<span class="chip {kind}"'
        f' title="{escape(VERDICTS.get(verdict, verdict))}">{escape(CHIPS[verdict])}</span>'
    )


def _dots(
    cells: Sequence[tuple[str, Mapping[str, Any]]], column: BoardColumn, *, reasons: bool = False
) -> str:
    """Return a table with one row per judge, by falling value, uninformative cells last."""
    ordered = sorted(
        cells, key=lambda judge_cell: (bool(judge_cell[1]["reason"]), -judge_cell[1]["value"])
    )
    rows = []
    for judge, cell in ordered:
        why = f"<small>{escape(cell['reason'])}</small>" if cell["reason"] and reasons else ""
        verdict_chips = "".join(map(_chip, cell.get("verdicts", ())))
        rows.append(
            f'<tr class="{"untold" if cell["reason"] else ""}"><th'
            f' scope="row">{_wrapping(judge)}</th><td'
            f' class="wide">{_bar(cell, column)}</td><td><b>{_value(cell["value"], column)}</b>'
            f" <small>{_ends(cell, column)}</small></td><td>{_count(cell)}</td><td"
            f' class="word">{verdict_chips}{why}</td></tr>'
        )
    head = (
        '<thead><tr><th scope="col">judge</th><th scope="col" class="wide"></th><th'
        ' scope="col">value, 95% interval</th><th scope="col">n</th><th'
        ' scope="col">verdict</th></tr></thead>'
    )
    return (
        '<div class="scroll"><table'
        f' class="dots">{head}<tbody>{"".join(rows)}</tbody></table></div>'
    )


def _bar(cell: Mapping[str, Any], column: BoardColumn) -> str:
    """Draw the interval as a line, a dot, and a tick for the shuffled-answer baseline."""

    def place(value: float) -> float:
        return 100 * min(max(value if column.share else (value + 1) / 2, 0.0), 1.0)

    low, high = (cell[end] if cell[end] is not None else cell["value"] for end in ("low", "high"))
    blind = "" if cell["blind"] is None else f";--b:{place(cell['blind']):.1f}%"
    return (
        '<span class="bar" aria-hidden="true"'
        f' style="--v:{place(cell["value"]):.1f}%;--l:{place(low):.1f}%;--h:{place(high):.1f}%{blind}"></span>'
    )


def _value(value: float, column: BoardColumn) -> str:
    return f"{100 * value:.1f}" if column.share else f"{value:.2f}"


def _ends(cell: Mapping[str, Any], column: BoardColumn) -> str:
    if cell["low"] is None or cell["high"] is None:
        return "no interval"
    return (
        f"{_value(cell['low'], column)}–{_value(cell['high'], column)}"
        if column.share
        else f"{_value(cell['low'], column)} to {_value(cell['high'], column)}"
    )


def _count(cell: Mapping[str, Any]) -> str:
    return f"{cell['n']:,}" + (f"/{cell['paradigms']:,}" if cell.get("paradigms") else "")


def _words(cell: Mapping[str, Any], column: BoardColumn) -> str:
    blind = (
        f"; without reading {_value(cell['blind'], column)}" if cell["blind"] is not None else ""
    )
    why = f". Cannot be told: {cell['reason']}" if cell["reason"] else ""
    return f"{_value(cell['value'], column)} ({_ends(cell, column)}), n {_count(cell)}{blind}{why}"
