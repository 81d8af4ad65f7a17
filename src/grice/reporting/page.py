"""The page: one HTML file with styles, script, charts and items, which works offline."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from grice.reporting.bars import CLASSES, MANY_MODELS, heat_rows, row_views, whole_percent
from grice.reporting.evidence import deflate
from grice.reporting.figure import EVIDENCE, LEFT_OUT, Figure, Query
from grice.reporting.figures import FigureView
from grice.reporting.markup import asset, render
from grice.reporting.methods import methods_paragraph
from grice.reporting.model import Profile, ProfileSection
from grice.reporting.palette import LIGHT, judge_colours, judge_fills, judge_shapes
from grice.reporting.question import FirstScreen, QuestionRow, label_word

# How many models are named in the source of a chart.
MAX_SOURCE = 3


def page(
    profile: Profile,
    evidence: str,
    figures: str,
    links: Sequence[tuple[str, str]] = (),
    *,
    beside: str = "",
) -> str:
    """Return the whole HTML file.

    The script unpacks `figures` to draw the charts, and `evidence` when items are opened. `links`
    are names and addresses of other pages, for its menu. `beside` is the file that holds the items
    if they are too many for the page.
    """
    question_sections = {row.section for row in profile.first_screen.rows}
    sections = sorted(profile.sections, key=lambda section: section.id not in question_sections)
    places = [("overview", "Overview"), *((s.id, s.title) for s in sections)]
    places += [("items", "The items")] if profile.items else []
    places += [("comparison", "Comparison")] if profile.differences else []
    places += [("method", "Method"), ("glossary", "Glossary")]
    packed = {"packed": evidence} if profile.items else {}
    packed |= {"figures": figures, "runtime": deflate(asset("vega.js"))}
    first = profile.fingerprint
    forest, screen = profile.forest, profile.first_screen
    heat = heat_rows(screen) if len(screen.models) >= MANY_MODELS else []
    return render(
        "page.html",
        profile=profile,
        links=links,
        beside=beside,
        places=places,
        heat=heat,
        questions=[] if heat else row_views(screen),
        key=_key(screen),
        first_figure=FigureView(first) if first else None,
        sections=[_section_view(section, screen) for section in sections],
        forest=FigureView(forest) if forest else None,
        method=[(name, rows, _keys(rows)) for name, rows in profile.method.items()],
        glossary=_glossary(),
        about=_about(profile),
        paragraph=methods_paragraph(profile),
        packed=packed,
    )


def _key(screen: FirstScreen) -> list[tuple[str, str]]:
    """Return the answers of the bars as style class and word, in the order of the bars."""
    bars = [
        row.model for row in screen.rows if row.status != "inconclusive" or len(screen.rows) == 1
    ]
    answers = {part.answer for bar in bars for part in bar.parts} - {"neither"}
    ordered = [answer for answer in CLASSES if answer in answers] + sorted(answers - set(CLASSES))
    return [(CLASSES.get(answer, "other"), label_word(answer)) for answer in ordered]


@dataclass(frozen=True)
class SectionView:
    """A chapter for the template: its finding as title, its main chart, and its other charts."""

    section: ProfileSection
    title: str
    main: FigureView | None
    others: list[FigureView]
    evidence: Query


def _section_view(section: ProfileSection, screen: FirstScreen) -> SectionView:
    rows = [row for row in screen.rows if row.section == section.id]
    main = _main_figure(section)
    return SectionView(
        section,
        _finding(section, rows),
        FigureView(main) if main else None,
        [FigureView(figure) for figure in section.figures if figure is not main],
        next((row.query for row in rows), LEFT_OUT),
    )


def _main_figure(section: ProfileSection) -> Figure | None:
    """Return the chart of a chapter's finding: how answers divide, else the first of the claim."""
    of_claims = [figure for figure in section.figures if figure.rests_on != EVIDENCE]
    stacks = [figure for figure in of_claims if figure.kind in ("stack", "matrix")]
    others = [figure for figure in of_claims if figure.kind != "triangle"]
    return next(iter((*stacks, *others, *section.figures)), None)


def _finding(section: ProfileSection, rows: Sequence[QuestionRow]) -> str:
    """Return the headline of a chapter with the share of each verdict; without one, its topic."""
    shares = [
        f"{whole_percent(row.share)}%" for row in rows if row.status == "verdict" and row.share
    ]
    headline = (section.headline or section.title).rstrip(".")
    return f"{headline} ({', '.join(shares)})" if shares else headline


def _keys(rows: Sequence[Any]) -> list[str]:
    return list(dict.fromkeys(key for row in rows for key in row))


def _about(profile: Profile) -> dict[str, Any]:
    """Return what the script needs: judges with colour and mark, the palette, the image source."""
    names = profile.judges
    looks = zip(
        names, *(of(names, names) for of in (judge_colours, judge_shapes, judge_fills)), strict=True
    )
    data = "; ".join(
        f"{row['data']} ({str(row['fingerprint'])[:12]})" for row in profile.method.get("data", ())
    )
    n_more = len(names) - MAX_SOURCE
    more = f" and {n_more} more" if n_more > 0 else ""
    return {
        "judges": [
            {"name": name, "colour": colour, "shape": shape, "hollow": fill != colour}
            for name, colour, shape, fill in looks
        ],
        "palette": LIGHT,
        "source": f"grice profile of {', '.join(names[:MAX_SOURCE])}{more} on {data or 'own data'}",
        "slug": re.sub(r"\W+", "-", names[0]).strip("-").lower() or "profile",
    }


def _glossary() -> list[tuple[str, list[list[str]]]]:
    """Return the chapters of the docs' glossary as terms with meanings, without the training."""
    chapters = []
    for text in asset("glossary.md").split("\n## ")[1:]:
        title, *entries = text.strip().split("\n\n")
        if title != "Training":
            chapters.append((title, [entry.split("\n: ", 1) for entry in entries]))
    return chapters
