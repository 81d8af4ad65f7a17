"""The page: one HTML file with styles, script, charts and items, which works offline."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from html import escape

from grice.core.tabular import EMPTY, ends_text
from grice.reporting.evidence import deflate
from grice.reporting.figures import Charts, figure_block, figure_grid
from grice.reporting.first_screen import first_screen
from grice.reporting.markup import asset, lead_sentence, marked, records, scrolling_table, sentence
from grice.reporting.model import Difference, ExamplePair, Profile, ProfileSection
from grice.reporting.palette import HATCH, LIGHT, judge_colours, judge_fills, judge_shapes
from grice.reporting.trust import failures, strip

COMPARED = (
    "difference",
    "95% interval",
    "n",
    "paradigms",
    "only first right",
    "only rival right",
    "p",
    "p (Holm)",
)
# Nothing may leave the page: no script, style, image or request from anywhere else, and no text is
# run as code.
POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:;"
    " base-uri 'none'; form-action 'none'"
)


def page(
    profile: Profile,
    charts: Charts,
    evidence: str,
    figures: str,
    links: Sequence[tuple[str, str]] = (),
) -> str:
    """Return the whole HTML file.

    The script unpacks `evidence` when items are opened, and `figures` when a figure is redrawn or
    exported. `links` are names and addresses of other pages, for its menu.
    """
    sections = "".join(_section(section, charts) for section in profile.sections)
    places = [("overview", "Overview"), *((s.id, s.title) for s in profile.sections)]
    places += [("items", "The items")] if profile.items else []
    places += [("comparison", "Comparison")] if profile.differences else []
    places += [("method", "Method"), ("glossary", "Glossary")]
    items_html = _items() if profile.items else ""
    packed = {"packed": evidence} if profile.items else {}
    packed |= {"figures": figures, "runtime": deflate(asset("vega.js"))}
    carried = "".join(
        f'<script type="text/plain" id="{id}">{text}</script>' for id, text in packed.items()
    )
    body = "".join(
        (
            first_screen(profile, charts),
            sections,
            items_html,
            _comparison(profile, charts),
            _method(profile),
            _glossary(),
        )
    )
    judges = (
        '<div id="judges" role="region" aria-label="Judges"></div>'
        if len(profile.judges) > 1
        else ""
    )
    linked = (
        '<div id="linked" role="region" aria-label="Chosen items" hidden></div>'
        if profile.items
        else ""
    )
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="color-scheme" content="light dark">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        f"<title>{escape(profile.title)}</title>"
        '<link rel="icon" href="data:,">'
        f"<style>{asset('page.css')}</style><noscript><style>.take, #judges {{ display: none;"
        " }</style></noscript></head><body>"
        f'<a class="skip" href="#main">To the content</a>{_bar(places, links)}{judges}<main'
        f' id="main" tabindex="-1">{body}<p id="said" class="hidden"'
        f' role="status"></p></main>{linked}'
        f"{_about(profile)}{carried}<script>{asset('page.js')}</script></body></html>\n"
    )


def _about(profile: Profile) -> str:
    """Return what the script needs: judges with colour and mark, the palette, the image source."""
    names = profile.judges
    looks = zip(
        names, *(of(names, names) for of in (judge_colours, judge_shapes, judge_fills)), strict=True
    )
    data = "; ".join(
        f"{row['data']} ({str(row['fingerprint'])[:12]})" for row in profile.method.get("data", ())
    )
    few = ", ".join(profile.judges[:3]) + (
        f" and {len(profile.judges) - 3} more" if len(profile.judges) > 3 else ""
    )
    about = {
        "judges": [
            {"name": name, "colour": colour, "shape": shape, "hollow": fill != colour}
            for name, colour, shape, fill in looks
        ],
        "palette": LIGHT,
        "hatch": HATCH,
        "source": f"grice profile of {few} on {data or 'own data'}",
        "slug": re.sub(r"\W+", "-", profile.judges[0]).strip("-").lower() or "profile",
    }
    text = json.dumps(about, ensure_ascii=False).replace("<", "\\u003c")
    return f'<script type="application/json" id="about">{text}</script>'


def _bar(places: Iterable[tuple[str, str]], away: Iterable[tuple[str, str]]) -> str:
    links = "".join(f'<a href="{escape(to)}">{escape(title)}</a>' for title, to in away)
    links += "".join(f'<a href="#{escape(id)}">{escape(title)}</a>' for id, title in places)
    return (
        f'<header><nav aria-label="Sections">{links}</nav><button id="theme"'
        ' type="button">Dark</button></header>'
    )


def _section(section: ProfileSection, charts: Charts) -> str:
    warned = "".join(f'<p class="warning">{sentence(text)}</p>' for text in section.warnings)
    lines = "".join(f"<p>{lead_sentence(text)}</p>" for text in section.sentences)
    examples = "".join(_example(example) for example in section.examples)
    return (
        f'<section id="{escape(section.id)}"><h2>{escape(section.title)}</h2>{warned}<div'
        f' class="says">{lines}</div>{strip(section.checks, section.title)}'
        "<div"
        f' class="about"><div><p>{escape(section.what)}</p><p>{escape(section.good)}</p></div><div>{examples}</div></div>'
        f"{failures(section.failures, section.title)}{figure_grid(section.figures, charts)}</section>"
    )


def _example(example: ExamplePair) -> str:
    golds = " · ".join(
        f"{escape(reading)}: <b>{escape(str(answer))}</b>"
        for reading, answer in example.gold.items()
    )
    return (
        f'<blockquote><p dir="auto">{escape(example.premise)}</p><p dir="auto"><span'
        ' class="arrow">→</span>'
        f" {escape(example.hypothesis)}</p><footer>{golds}</footer></blockquote>"
    )


def _items() -> str:
    """Return the item browser, which the script fills."""
    return (
        '<section id="items"><h2>The items</h2><p>Every pair behind the numbers. Wrong answers'
        ' given with confidence come first.</p><form id="filters" role="search" aria-label="Filter'
        ' items"></form><p id="count" role="status" aria-live="polite" tabindex="-1">Not opened'
        ' yet.</p><p id="key" class="probs-key"></p><div id="chips"></div><div id="list"></div><nav'
        ' id="pages" aria-label="Pages of items"></nav><noscript><p class="warning">The browser of'
        " items needs JavaScript; the numbers above and tables/ do not.</p></noscript></section>"
    )


def _comparison(profile: Profile, charts: Charts) -> str:
    if not profile.differences:
        return ""
    broad = [row for row in profile.differences if row.broad]
    fine = [row for row in profile.differences if not row.broad]
    more = (
        f"<details><summary>By phenomenon ({len(fine)}"
        f" rows)</summary>{_differences(fine)}</details>"
        if fine
        else ""
    )
    linked = " Click it for the items on which the two differ." if profile.items else ""
    drawn = figure_block(profile.forest, charts, level=3) if profile.forest else ""
    return (
        '<section id="comparison"><h2>Comparison</h2><p class="warning uncompared" role="status"'
        f' hidden></p><div class="compared"><p>{escape(profile.judges[0])} minus each rival, in'
        " share of right answers on the same items, controls left out. Whole paradigms are swapped"
        " between the two for interval and test (McNemar's where items stand alone), so that they"
        " agree; under 20 paradigms little, under 6 nothing is sure. Holm's correction goes over"
        " all rows. A difference in bold stands after"
        f" correction.{linked}</p>{drawn}<details><summary>Numbers of the comparison ({len(broad)}"
        f" rows)</summary>{_differences(broad)}</details>{more}</div></section>"
    )


def _differences(rows: Sequence[Difference]) -> str:
    head = "".join(
        f'<th scope="col" class="word">{name}</th>' for name in ("stratum", "reading", "rival")
    )
    head += "".join(f'<th scope="col">{name}</th>' for name in COMPARED)
    body = "".join(map(_difference, rows))
    return scrolling_table(f"Paired differences, {len(rows)} rows", head, body, "records")


def _difference(row: Difference) -> str:
    estimate = row.difference
    value_text = f"{estimate.value:+.2f}".replace("-", "−")
    strong = f"<b>{value_text}</b>" if row.holm < 0.05 else value_text
    ends = ends_text(estimate.low, estimate.high, "{:+.2f} to {:+.2f}", EMPTY).replace("-", "−")
    label = escape(
        f"Items on which they differ: {row.stratum}, {row.reading}, {row.rival}", quote=True
    )
    linked = f'<a href="{escape(row.query.href, quote=True)}" aria-label="{label}">{strong}</a>'
    cells = (
        linked if row.query.href else strong,
        ends,
        f"{estimate.n:,}",
        f"{row.paradigms:,}",
        f"{row.only_first:,}",
        f"{row.only_rival:,}",
        f"{row.p:.2g}",
        f"{row.holm:.2g}",
    )
    return (
        f'<tr data-judge="{escape(row.rival, quote=True)}"><th'
        f' scope="row">{escape(row.stratum)}</th><td class="word"'
        f' data-key="reading">{escape(row.reading)}</td><td class="word"'
        f' data-key="rival">{escape(row.rival)}</td>'
        + "".join(
            f'<td data-key="{name}">{cell}</td>' for name, cell in zip(COMPARED, cells, strict=True)
        )
        + "</tr>"
    )


def _method(profile: Profile) -> str:
    record_tables = ((name, records(name, rows)) for name, rows in profile.method.items())
    tables = "".join(
        f"<h3>{escape(name.capitalize())}</h3>{records}" for name, records in record_tables
    )
    not_tested = profile.not_tested or ("Nothing that this page knows of.",)
    absent = "".join(f"<li>{escape(text)}</li>" for text in not_tested)
    return (
        '<section id="method"><h2>Method</h2><p>Every answer was kept as it came; unanswered'
        " items are counted as faults and stand outside every number. Intervals are 95%: Wilson's"
        " and Student's, on paradigms where items share them; those of a comparison by swapping"
        f" paradigms. profile.json has every number of this page.</p>{tables}<h3>Not"
        f" tested</h3><ul>{absent}</ul></section>"
    )


def _glossary() -> str:
    """Return the glossary of the docs, folded, without the chapter on training."""
    body = ""
    for chapter in asset("glossary.md").split("\n## ")[1:]:
        title, *entries = chapter.strip().split("\n\n")
        if title != "Training":
            pairs = (entry.split("\n: ", 1) for entry in entries)
            terms = "".join(
                f"<dt>{marked(word)}</dt><dd>{marked(text)}</dd>" for word, text in pairs
            )
            body += f"<h3>{escape(title)}</h3><dl>{terms}</dl>"
    folded = f"<details><summary>What the words mean</summary>{body}</details>"
    return f'<section id="glossary"><h2>Glossary</h2>{folded}</section>'
