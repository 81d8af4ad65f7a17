"""First screen of the page: one chart, a sentence per chapter with its verdict, the rest folded."""

from __future__ import annotations

from html import escape
from itertools import groupby

from grice.reporting.claims import UNTOLD, Claim
from grice.reporting.figures import Charts, figure_block, figure_grid
from grice.reporting.markup import lead_clause, sentence
from grice.reporting.model import Profile

# How many rivals are named at the top.
RIVALS = 6
HINTS = {
    True: (
        "Click a dot or a number to see the items behind it; draw a stretch over dots to choose"
        " several. By keyboard: Tab to a chart, arrows from dot to dot, Enter."
    ),
    False: "The items behind the numbers were left out of this page.",
}
# The verdict of a claim in a word or two, for its chip.
CHIPS = {
    "logical": "logical",
    "pragmatic": "pragmatic",
    "mixed": "mixed",
    "neither": "neither",
    "presupposes": "presupposes",
    "presupposes_not": "presupposes not",
    "projects": "projects",
    "projects_not": "projects not",
    "signatures": "follows signatures",
    "conjunctions": "reads them",
    "boolean": "boolean ones only",
    "deniable": "as theory says",
    "deniable_not": "not as theory says",
    "right": "reads",
    "calibrated": "as sure as right",
    "overconfident": "too sure",
    "underconfident": "not sure enough",
    "people": "goes with people",
    UNTOLD: "cannot be told",
}


def first_screen(profile: Profile, charts: Charts) -> str:
    """Return title, basis, warnings, the first figure and the chapters' findings.

    The other figures of the overview follow.
    """
    warned = "".join(f'<p class="warning">{sentence(text)}</p>' for text in profile.warnings)
    others = profile.judges[1:]
    named = ", ".join(others[:RIVALS]) + (
        f" and {len(others) - RIVALS} more" if len(others) > RIVALS else ""
    )
    rivals = f" Beside it: {named}." if others else ""
    chapters = "".join(
        _chapter(list(claims))
        for _, claims in groupby(profile.claims, key=lambda claim: claim.title)
    )
    first = profile.fingerprint or next(iter(profile.overview), None)
    picture = (
        f'<div class="picture">{figure_block(first, charts, level=2, phone=True)}</div>'
        if first
        else ""
    )
    headlines = (
        f'<div class="told"><h2>In a sentence</h2><ul class="summary">{chapters}</ul></div>'
        if chapters
        else ""
    )
    return (
        f'<section id="overview"><h1>{escape(profile.title)}</h1><p'
        f' class="basis">{sentence(profile.basis + rivals)}</p>'
        f"{warned}<div"
        f' class="hero{"" if picture and headlines else " alone"}">{headlines}{picture}</div>{_rest(profile, charts)}</section>'
    )


def _rest(profile: Profile, charts: Charts) -> str:
    """Return the guide to the charts and the other figures of the overview."""
    how = (
        '<p class="hint">A dot is a share of items, the line through it its 95% interval;'
        f" paradigms are counted as clusters. {HINTS[profile.items]}</p>"
    )
    figures = profile.overview if profile.fingerprint else profile.overview[1:]
    return how + (f"<h2>Overview</h2>{figure_grid(figures, charts)}" if figures else "")


def _chapter(claims: list[Claim]) -> str:
    """Return a chapter's headlines with their verdicts; full sentences and evidence are folded."""
    topic = f'<a class="topic" href="#{escape(claims[0].section)}">{escape(claims[0].title)}</a>'
    lines = "".join(
        (
            f'<p class="headline{_untold(claim)}"><span'
            f' class="verdict">{escape(CHIPS[claim.verdict])}</span>'
            f" {sentence(_headline(claim))}</p>"
            if claim.verdict in CHIPS
            else f'<p class="headline">{sentence(_headline(claim))}</p>'
        )
        for claim in claims
    )
    folded = "".join(map(_whole, claims))
    untold = ' class="untold"' if all(claim.verdict == UNTOLD for claim in claims) else ""
    return (
        f'<li{untold}>{topic}{lines}<details><summary>Numbers<span class="hidden"> of'
        f" {escape(claims[0].title)}</span></summary>{folded}</details></li>"
    )


def _headline(claim: Claim) -> str:
    headline = claim.headline or lead_clause(claim.text)[0].rstrip(".") + "."
    # The chip already says that the claim is inconclusive.
    reason = headline.removeprefix("Cannot be told: ") if claim.verdict == UNTOLD else headline
    return reason[:1].upper() + reason[1:]


def _whole(claim: Claim) -> str:
    beside = f'<p class="beside">Beside it: {sentence(claim.beside)}</p>' if claim.beside else ""
    rests = claim.gate.rests_on if claim.gate else ""
    beside += f'<p class="beside">{sentence(rests)}</p>' if rests else ""
    return f"<p>{sentence(claim.text)}</p>{beside}"


def _untold(claim: Claim) -> str:
    return " untold" if claim.verdict == UNTOLD else ""
