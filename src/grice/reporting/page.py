"""The page: one HTML file with its styles, script, charts and items inside, so that it works from disk and offline."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from importlib.resources import files
from typing import Any

from grice.core.estimate import Estimate
from grice.core.tabular import EMPTY, ends_text, number
from grice.reporting.claims import UNTOLD, Claim
from grice.reporting.model import Difference, ExamplePair, Figure, Number, Profile, ProfileSection

# Rivals named at the top, and the width of a column of charts in pixels.
RIVALS, COLUMN = 6, 570.0
COMPARED = ("difference", "95% interval", "n", "paradigms", "only first right", "only rival right", "p", "p (Holm)")
MANY_RECORDS = 10
Charts = Mapping[str, tuple[str, str]]
HINTS = {
    True: "Click a dot or a number to see the items behind it.",
    False: "The items behind the numbers were left out of this page.",
}


def page(profile: Profile, charts: Charts, evidence: str) -> str:
    """The whole file; `evidence` is unpacked by the script when the reader first asks for items."""
    sections = "".join(_section(section, charts) for section in profile.sections)
    places = [("overview", "Overview"), *((s.id, s.title) for s in profile.sections)]
    places += [("items", "The items")] if profile.items else []
    places += [("comparison", "Comparison")] if profile.differences else []
    places += [("method", "Method"), ("glossary", "Glossary")]
    shown = _items() if profile.items else ""
    packed = f'<script type="text/plain" id="packed">{evidence}</script>' if profile.items else ""
    body = "".join((_top(profile, charts), sections, shown, _comparison(profile), _method(profile), _glossary()))
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="color-scheme" content="light dark">'
        # Nothing may leave the page: no script, style, image or request from anywhere else.
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'\">"
        f"<title>{escape(profile.title)}</title>"
        '<link rel="icon" href="data:,">'
        f"<style>{_asset('page.css')}</style></head><body>"
        f'<a class="skip" href="#main">To the content</a>{_bar(places)}<main id="main">{body}</main>'
        f"{packed}<script>{_asset('page.js')}</script></body></html>\n"
    )


def _asset(name: str) -> str:
    return files("grice.reporting").joinpath("assets", name).read_text(encoding="utf-8")


def _bar(places: Iterable[tuple[str, str]]) -> str:
    links = "".join(f'<a href="#{escape(id)}">{escape(title)}</a>' for id, title in places)
    return f'<header><nav aria-label="Sections">{links}</nav><button id="theme" type="button">Dark</button></header>'


def _top(profile: Profile, charts: Charts) -> str:
    warned = "".join(f'<p class="warning">{_sentence(text)}</p>' for text in profile.warnings)
    lines = "".join(map(_claim, profile.claims))
    others = profile.judges[1:]
    named = ", ".join(others[:RIVALS]) + (f" and {len(others) - RIVALS} more" if len(others) > RIVALS else "")
    rivals = f" Beside it: {named}." if others else ""
    first = _figure(profile.fingerprint, charts, level=2) if profile.fingerprint else ""
    return (
        f'<section id="overview"><h1>{escape(profile.title)}</h1><p class="basis">{_sentence(profile.basis + rivals)}</p>'
        f'{first}{warned}<ul class="summary">{lines}</ul>{_overview(profile, charts)}</section>'
    )


def _overview(profile: Profile, charts: Charts) -> str:
    if not profile.overview:
        return ""
    return (
        "<h2>Overview</h2><p>A dot is a share of items, the line through it its 95% interval; paradigms are counted as clusters. "
        f"{HINTS[profile.items]}</p>{_grid(profile.overview, charts)}"
    )


def _claim(claim: Claim) -> str:
    """What it is about, the sentence, and how others do."""
    beside = f'<p class="beside">Beside it: {_sentence(claim.beside)}</p>' if claim.beside else ""
    rests = claim.gate.rests_on if claim.gate else ""
    beside += f'<p class="beside">{_sentence(rests)}</p>' if rests else ""
    return (
        f'<li{_untold(claim)}><a class="topic" href="#{escape(claim.section)}">{escape(claim.title)}</a>'
        f"<p>{_lead_sentence(claim.text)}</p>{beside}</li>"
    )


def _untold(claim: Claim) -> str:
    return ' class="untold"' if claim.verdict == UNTOLD else ""


def _grid(figures: Sequence[Figure], charts: Charts) -> str:
    """Figures in two columns, each under the shorter one; on a phone one column after the other."""
    columns: tuple[list[str], list[str]] = ([], [])
    heights = [0.0, 0.0]
    for figure in figures:
        place = 0 if heights[0] <= heights[1] else 1
        columns[place].append(_figure(figure, charts, level=3))
        heights[place] += _height(charts[figure.id][0])
    made = "".join(f"<div>{''.join(column)}</div>" for column in columns if column)
    return f'<div class="grid">{made}</div>' if made else ""


def _height(svg: str) -> float:
    """How high a drawing stands in a column, with its caption."""
    found = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg)
    width, height = (float(found[1]), float(found[2])) if found else (COLUMN, 300.0)
    return height * min(1.0, COLUMN / width) + 150


def _section(section: ProfileSection, charts: Charts) -> str:
    warned = "".join(f'<p class="warning">{_sentence(text)}</p>' for text in section.warnings)
    lines = "".join(f"<p>{_lead_sentence(text)}</p>" for text in section.sentences)
    shown = "".join(_example(example) for example in section.examples)
    return (
        f'<section id="{escape(section.id)}"><h2>{escape(section.title)}</h2>{warned}<div class="says">{lines}</div>'
        f'<div class="about"><div><p>{escape(section.what)}</p><p>{escape(section.good)}</p></div><div>{shown}</div></div>'
        f"{_grid(section.figures, charts)}</section>"
    )


def _lead_sentence(text: str) -> str:
    """A sentence with its first clause in bold, for a reader who has no more time."""
    end = min((at for mark in (": ", ". ", "; ") if (at := text.find(mark)) > 0), default=-1)
    return f"<b>{_sentence(text[:end])}</b>{_sentence(text[end:])}" if end > 0 else f"<b>{_sentence(text)}</b>"


def _sentence(text: str) -> str:
    """A sentence whose numbers do not break over two lines."""
    return re.sub(r"(\d)–(\d)", "\\1–\u2060\\2", re.sub(r"\b([nr]) = ", "\\1\u00a0=\u00a0", escape(text)))


def _example(example: ExamplePair) -> str:
    golds = " · ".join(f"{escape(reading)}: <b>{escape(str(answer))}</b>" for reading, answer in example.gold.items())
    return (
        f'<blockquote><p>{escape(example.premise)}</p><p><span class="arrow">→</span> {escape(example.hypothesis)}</p>'
        f"<footer>{golds}</footer></blockquote>"
    )


def _figure(figure: Figure, charts: Charts, *, level: int) -> str:
    wide, narrow = charts[figure.id]
    note_text = " ".join(text for text in (figure.note, _count_note(figure)) if text)
    note = f'<p class="note">{_sentence(note_text)}</p>' if note_text else ""
    return (
        f'<figure id="{escape(figure.id)}"><figcaption><h{level}>{escape(figure.title)}</h{level}>'
        f"<p>{_sentence(figure.finding)}</p></figcaption>"
        f'<div class="wide">{wide}</div><div class="narrow">{narrow}</div>{note}'
        f"<details><summary>Numbers: {escape(figure.title)}</summary>{_table(figure)}</details></figure>"
    )


def _count_note(figure: Figure) -> str:
    """How many answers a row rests on; a chart without n says nothing of how sure it is."""
    counts = [number.estimate.n for number in figure.numbers if number.estimate]
    if not counts or figure.kind == "heat":
        return ""
    what = {"plane": "a verb", "reliability": "a group", "matrix": "a cell"}.get(figure.kind, "a row")
    low, high = min(counts), max(counts)
    return f"n = {low:,} {what}." if low == high else f"n = {low:,} to {high:,} {what}."


def _table(figure: Figure) -> str:
    """Every number with interval and n, each a link to its items."""
    if figure.kind == "heat":
        return "<p>The counts of each cell are in profile.json and tables/.</p>"
    table = figure.table
    by_place: dict[tuple[str, str], Number] = {(figure.row_name(n), figure.column(n)): n for n in figure.numbers}
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in (*table.down, *table.columns))
    rows = "".join(
        f'<tr><th scope="row">{escape(row)}</th>'
        + "".join(_cell(by_place.get((row, c)), row, c) for c in table.columns)
        + "</tr>"
        for (row,) in table.rows
    )
    return _scrolling_table(f"{figure.title} ({figure.id})", head, rows)


def _scrolling_table(label: str, head: str, rows: str, kind: str = "") -> str:
    """A table that scrolls sideways where it is wider than the page, also by keyboard."""
    table = f'<table class="{kind}">' if kind else "<table>"
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{escape(label)}">'
        f"{table}<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def _cell(found: Number | None, row: str, column: str) -> str:
    if found is None or found.estimate is None:
        return f"<td>{EMPTY}</td>"
    if not found.query.href:
        return f"<td>{number(found.estimate.value, 2)}{_ends(found.estimate)}</td>"
    label = escape(f"Items of {row}, {column}", quote=True)
    return f'<td><a href="{escape(found.query.href, quote=True)}" aria-label="{label}: {number(found.estimate.value, 2)}">{number(found.estimate.value, 2)}</a>{_ends(found.estimate)}</td>'


def _ends(estimate: Estimate) -> str:
    both = estimate.low is not None and estimate.high is not None
    ends = f"{number(estimate.low, 2)}–{number(estimate.high, 2)} " if both else ""
    return f" <small>{ends}n={estimate.n:,}</small>"


def _items() -> str:
    """The browser of items; the script fills it."""
    return (
        '<section id="items"><h2>The items</h2><p>Every pair behind the numbers. Wrong answers given with confidence come first.</p>'
        '<form id="filters" role="search" aria-label="Filter items"></form>'
        '<p id="count" role="status" aria-live="polite">Not opened yet.</p><p id="key" class="probs-key"></p><div id="chips"></div><div id="list"></div>'
        '<nav id="pages" aria-label="Pages of items"></nav>'
        '<noscript><p class="warning">The browser of items needs JavaScript; the numbers above and tables/ do not.</p></noscript></section>'
    )


def _comparison(profile: Profile) -> str:
    if not profile.differences:
        return ""
    broad = [row for row in profile.differences if row.broad]
    fine = [row for row in profile.differences if not row.broad]
    more = f"<details><summary>By phenomenon ({len(fine)} rows)</summary>{_differences(fine)}</details>" if fine else ""
    linked = " Click it for the items on which the two differ." if profile.items else ""
    return (
        f'<section id="comparison"><h2>Comparison</h2><p>{escape(profile.judges[0])} minus each rival, in share of right answers on the same items, controls left out. Whole paradigms are '
        "swapped between the two for interval and test (McNemar's where items stand alone), so that they agree; under 20 paradigms little, under 6 nothing is sure. "
        f"Holm's correction goes over all rows. A difference in bold stands after correction.{linked}</p>"
        f"{_differences(broad)}{more}</section>"
    )


def _differences(rows: Sequence[Difference]) -> str:
    head = "".join(f'<th scope="col" class="word">{name}</th>' for name in ("stratum", "reading", "rival"))
    head += "".join(f'<th scope="col">{name}</th>' for name in COMPARED)
    body = "".join(map(_difference, rows))
    return _scrolling_table(f"Paired differences, {len(rows)} rows", head, body, "records")


def _difference(row: Difference) -> str:
    found = row.difference
    shown = f"{found.value:+.2f}".replace("-", "−")
    strong = f"<b>{shown}</b>" if row.holm < 0.05 else shown
    ends = ends_text(found.low, found.high, "{:+.2f} to {:+.2f}", EMPTY).replace("-", "−")
    label = escape(f"Items on which they differ: {row.stratum}, {row.reading}, {row.rival}", quote=True)
    linked = f'<a href="{escape(row.query.href, quote=True)}" aria-label="{label}">{strong}</a>'
    cells = (
        linked if row.query.href else strong, ends, f"{found.n:,}", f"{row.paradigms:,}", f"{row.only_first:,}", f"{row.only_rival:,}", f"{row.p:.2g}", f"{row.holm:.2g}",
    )  # fmt: skip
    return (
        f'<tr><th scope="row">{escape(row.stratum)}</th><td class="word" data-key="reading">{escape(row.reading)}</td><td class="word" data-key="rival">{escape(row.rival)}</td>'
        + "".join(f'<td data-key="{name}">{cell}</td>' for name, cell in zip(COMPARED, cells, strict=True)) + "</tr>"
    )  # fmt: skip


def _method(profile: Profile) -> str:
    told = ((name, _records(name, rows)) for name, rows in profile.method.items())
    tables = "".join(f"<h3>{escape(name.capitalize())}</h3>{records}" for name, records in told)
    not_tested = profile.not_tested or ("Nothing that this page knows of.",)
    absent = "".join(f"<li>{escape(text)}</li>" for text in not_tested)
    return (
        f'<section id="method"><h2>Method</h2><p>Every answer was kept as it came; unanswered items are counted as faults and stand outside every number. '
        "Intervals are 95%: Wilson's and Student's, on paradigms where items share them; those of a comparison by swapping paradigms. "
        f"profile.json has every number of this page.</p>{tables}<h3>Not tested</h3><ul>{absent}</ul></section>"
    )


def _glossary() -> str:
    """The words of the page explained, folded: the glossary of the docs without its words of training."""
    body = ""
    for chapter in _asset("glossary.md").split("\n## ")[1:]:
        title, *entries = chapter.strip().split("\n\n")
        if title != "Training":
            pairs = (entry.split("\n: ", 1) for entry in entries)
            terms = "".join(f"<dt>{_marked(word)}</dt><dd>{_marked(text)}</dd>" for word, text in pairs)
            body += f"<h3>{escape(title)}</h3><dl>{terms}</dl>"
    folded = f"<details><summary>What the words mean</summary>{body}</details>"
    return f'<section id="glossary"><h2>Glossary</h2>{folded}</section>'


def _marked(text: str) -> str:
    """Emphasis and code of Markdown as HTML."""
    found = re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(" ".join(text.split())))
    return re.sub(r"\*([^*]+)\*", r"<em>\1</em>", found)


def _records(name: str, rows: Sequence[Mapping[str, Any]]) -> str:
    keys = list(dict.fromkeys(key for row in rows for key in row))
    head = "".join(f'<th scope="col" class="word">{escape(key)}</th>' for key in keys)
    body = "".join(
        "<tr>"
        + "".join(f'<td class="word" data-key="{escape(key)}">{_breakable(_plain(row.get(key)))}</td>' for key in keys)
        + "</tr>"
        for row in rows
    )
    made = _scrolling_table(name, head, body, "records")
    if len(rows) <= MANY_RECORDS:
        return made
    return f"<details><summary>{len(rows)} rows: {escape(name)}</summary>{made}</details>"


def _breakable(text: str) -> str:
    """A name may break after a stroke, a checksum anywhere, a word not."""
    return re.sub(r"(\w{16})(?=\w{8})", r"\1<wbr>", escape(text).replace("/", "/<wbr>"))


def _plain(value: Any) -> str:
    if value is None or value in ("", {}, []):
        return EMPTY
    if isinstance(value, Mapping):
        return ", ".join(f"{key}: {_plain(one)}" for key, one in value.items())
    if isinstance(value, list):
        return json.dumps(value, ensure_ascii=False)
    return f"{value:,}" if isinstance(value, int) else str(value)
