"""The page: one HTML file with styles, script, charts and items, which works offline."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby
from typing import Any

from grice.reporting.claims import Claim
from grice.reporting.evidence import deflate
from grice.reporting.figures import Charts, figure_columns, figure_view
from grice.reporting.markup import asset, render
from grice.reporting.model import Profile
from grice.reporting.palette import HATCH, LIGHT, judge_colours, judge_fills, judge_shapes
from grice.reporting.sentences import evidence_text

# How many comparison models are named at the top, and how many models in the source of a chart.
MAX_RIVALS = 6
MAX_SOURCE = 3


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
    places = [("overview", "Overview"), *((s.id, s.title) for s in profile.sections)]
    places += [("items", "The items")] if profile.items else []
    places += [("comparison", "Comparison")] if profile.differences else []
    places += [("method", "Method"), ("glossary", "Glossary")]
    packed = {"packed": evidence} if profile.items else {}
    packed |= {"figures": figures, "runtime": deflate(asset("vega.js"))}
    first = profile.fingerprint or next(iter(profile.overview), None)
    others = profile.overview if profile.fingerprint else profile.overview[1:]
    forest = profile.forest
    return render(
        "page.html",
        profile=profile,
        links=links,
        places=places,
        basis=profile.basis + _rivals(profile.judges[1:]),
        chapters=[list(claims) for _, claims in groupby(profile.claims, key=_title)],
        evidence_text=evidence_text,
        lead_clause=lead_clause,
        first_figure=figure_view(first, charts, phone=True) if first else None,
        overview=figure_columns(others, charts),
        sections=profile.sections,
        figure_columns=lambda figures: figure_columns(figures, charts),
        forest=figure_view(forest, charts) if forest else None,
        method=[(name, rows, _keys(rows)) for name, rows in profile.method.items()],
        glossary=_glossary(),
        about=_about(profile),
        packed=packed,
    )


def _rivals(names: Sequence[str]) -> str:
    n_more = len(names) - MAX_RIVALS
    more = f" and {n_more} more" if n_more > 0 else ""
    return f" Beside it: {', '.join(names[:MAX_RIVALS])}{more}." if names else ""


def _title(claim: Claim) -> str:
    return claim.title


def lead_clause(text: str) -> tuple[str, str]:
    """Split a sentence into its first clause and the rest."""
    end = min((at for mark in (": ", ". ", "; ") if (at := text.find(mark)) > 0), default=len(text))
    return text[:end], text[end:]


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
        "hatch": HATCH,
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
