"""Human reference: published means of people for claims and figures about the same words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from math import sqrt
from statistics import fmean

import polars as pl

from grice.analysis.statistics.likeness import score_likeness
from grice.analysis.statistics.resample import Z95
from grice.core.dataset import TAG
from grice.core.estimate import Estimate, mean
from grice.core.ratings import PEOPLE, read_replies
from grice.profiling.chapter import Findings
from grice.profiling.draft import ClaimDraft
from grice.profiling.norms import (
    WEAK,
    NormComparison,
    NormRow,
    compare_with_norms,
    known_norms,
    weak_pairs,
    within,
)
from grice.profiling.phrases import data_name
from grice.profiling.sheets import AnswerSheet, plain_name
from grice.reporting.claims import CORRELATION, PeopleBeside
from grice.reporting.formats import count
from grice.reporting.model import Figure, Mark, MarkKind, Number, Query
from grice.theory.norms import OPERATORS, scale_key

# Kind of norms for each claim, what both numbers measure, and over what.
CLAIMS = {
    "readings": ("scale", "conclude “not” the stronger word from the weaker one", "scales"),
    "accommodation": ("follows", "take the clause to follow from a plain sentence", "predicates"),
    "projection": (
        "projection",
        "take the clause from under an operator",
        "predicates and operators",
    ),
    "signatures": (
        "happened",
        "say that it happened where nothing follows (a “maybe” counts one half)",
        "verbs and their negations",
    ),
}
CHAPTERS = ("implicature", "presupposition", "veridicality")
# With fewer words than this, their classes are used instead.
FEWEST = 3
PRAGMATIC, TAKEN = "pragmatic", "its presupposition"
NormsByKind = Mapping[str, NormComparison]


def add_people(chapter: str, findings: Findings, sheet: AnswerSheet) -> Findings:
    """Add people's means to the claims, the figures and the overview panel of a chapter."""
    if chapter in ("certainty", "people"):
        return replace(
            findings, findings=tuple(_with_ceiling(draft, sheet) for draft in findings.findings)
        )
    if chapter not in CHAPTERS or sheet.data.scale.numeric:
        return findings
    known = known_norms(sheet.norms, sheet.judges[0])
    claim_norms = {**known, "happened": _open_norms(sheet)} if chapter == "veridicality" else known
    drafts = tuple(_with_norms(draft, claim_norms) for draft in findings.findings)
    figures = tuple(_drawn(figure, known, sheet) for figure in findings.figures)
    if chapter != "implicature":
        return replace(findings, findings=drafts, figures=figures)
    rows = findings.fingerprint
    if rows is not None:
        drawn = {number.row for number in rows.numbers}
        marks = [mark for mark in _scale_marks(known, sheet, rows.by) if mark.row in drawn]
        rows = replace(rows, marks=(*rows.marks, *marks))
    return replace(findings, findings=drafts, figures=figures, fingerprint=rows)


def _open_norms(sheet: AnswerSheet) -> NormComparison | None:
    """Return the comparison over the items from which nothing follows; None without any."""
    if "gold.signature" not in sheet.frame.columns:
        return None
    open_items = sheet.first.filter(pl.col("gold.signature") == "neutral")
    comparisons = compare_with_norms(open_items, kinds=("happened",))
    return known_norms(comparisons, sheet.judges[0]).get("happened")


def _with_norms(draft: ClaimDraft, known: Mapping[str, NormComparison | None]) -> ClaimDraft:
    kind, what, of = CLAIMS.get(draft.name, ("", "", ""))
    comparison = known.get(kind)
    if comparison is None:
        return draft
    rows, is_per_word = _enough(comparison)
    people, model_mean = _means(rows)
    over = (
        count(len(rows), of.removesuffix("s"))
        if is_per_word
        else "factive predicates"
        if kind != "happened"
        else "classes of verbs"
    )
    return replace(
        draft, people=PeopleBeside(people, model_mean, what, comparison.source.citation, over)
    )


def _enough(comparison: NormComparison, condition: str = "") -> tuple[list[NormRow], bool]:
    """Return the words of a comparison if there are enough, else their classes.

    `condition` selects one environment. The second value tells whether the rows are words.
    """
    word_rows, classes = (
        [row for row in rows if condition in ("", row.people.condition)]
        for rows in (comparison.rows, comparison.classes)
    )
    return (word_rows, True) if len(word_rows) >= FEWEST or not classes else (classes, False)


def _means(rows: Sequence[NormRow]) -> tuple[Estimate, Estimate]:
    """Return the mean of people and that of the model over the same words, equally weighted.

    The interval is over words; where there are too few of them, people's is over their replies.
    """
    model_values, people_values = (
        [row.model_mean.value for row in rows],
        [row.people.mean for row in rows],
    )
    if len(rows) >= FEWEST:
        both = mean(pl.Series(people_values)), mean(pl.Series(model_values))
        assert both[0] is not None and both[1] is not None
        return within(both[0]), within(both[1])
    half = Z95 * sqrt(sum(row.people.noise for row in rows)) / len(rows)
    middle = fmean(people_values)
    people = within(
        Estimate(middle, sum(row.people.n for row in rows), middle - half, middle + half)
    )
    return people, (
        rows[0].model_mean
        if len(rows) == 1
        else Estimate(fmean(model_values), sum(row.model_mean.n for row in rows))
    )


def _with_ceiling(draft: ClaimDraft, sheet: AnswerSheet) -> ClaimDraft:
    """Add to a claim about the correlation with people the noise ceiling of that correlation."""
    if draft.verdict is None or draft.verdict.code != "people":
        return draft
    comparison = known_norms(sheet.norms, sheet.judges[0]).get(draft.name)
    top, correlation, source = _of_norms(comparison) if comparison else _of_replies(sheet)
    if top is None or correlation is None:
        return draft
    over = "" if comparison else f"{top.n:,} items"
    return replace(draft, people=PeopleBeside(top, correlation, CORRELATION, source, over))


def _of_norms(comparison: NormComparison) -> tuple[Estimate | None, Estimate | None, str]:
    top = (
        Estimate(comparison.ceiling, len(comparison.rows))
        if comparison.ceiling is not None
        else None
    )
    return top, comparison.pearson, comparison.source.citation


def _of_replies(sheet: AnswerSheet) -> tuple[Estimate | None, Estimate | None, str]:
    """Return the noise ceiling of the data's ratings, the model's correlation and the source."""
    if (
        TAG + PEOPLE not in sheet.first.columns
        or read_replies(sheet.first)["value"].drop_nulls().is_empty()
    ):
        return None, None, ""
    scores = score_likeness(sheet.first)
    if scores is None:
        return None, None, ""
    top, likeness = scores.ceiling, scores.likeness
    low, high = (
        end * top.value if end is not None else None for end in (likeness.low, likeness.high)
    )
    source = sheet.data.card.citation or data_name(sheet.data.name)
    return top, Estimate(scores.correlation, likeness.n, low, high), source


def _drawn(figure: Figure, known: NormsByKind, sheet: AnswerSheet) -> Figure:
    """Return the figure with people's marks at its rows and a note that names their source."""
    if figure.id == "plane" and "happened" in known:
        comparison = known["happened"]
        dots = _plane_dots(figure, comparison, sheet)
        marked = replace(figure, numbers=(*figure.numbers, *dots))
    elif figure.id in MARKED and MARKED[figure.id][0] in known:
        kind, series, what, rows_of = MARKED[figure.id]
        comparison = known[kind]
        label = f"people, {what} ({comparison.source.citation})"
        marks = [
            Mark(row, series, _means(rows)[0].value, label, MarkKind.PEOPLE)
            for row, rows in rows_of(comparison).items()
            if rows and row in figure.rows
        ]
        marked = replace(figure, marks=(*figure.marks, *marks))
    else:
        return figure
    note = f"{figure.note} People: {comparison.source.citation}."
    return replace(marked, note=note) if marked != figure else figure


def _scale_marks(known: NormsByKind, sheet: AnswerSheet, column: str) -> Iterator[Mark]:
    """Yield one mark per value of a column: the rate at which people draw the implicature.

    A scale that belongs to several of them counts in each.
    """
    comparison = known.get("scale")
    if comparison is None or not column:
        return
    items = weak_pairs(sheet.first.drop_nulls(["tag.scale", column]))
    means = {row.people.key: row.people.mean for row in comparison.rows}
    label = f"people, from W to not S alone ({comparison.source.citation})"
    for name in sorted(items[column].unique()):
        keys = {scale_key(scale) for scale in items.filter(pl.col(column) == name)["tag.scale"]}
        measured = [means[key] for key in sorted(keys & set(means))]
        if measured:
            yield Mark(plain_name(name), PRAGMATIC, fmean(measured), label, MarkKind.PEOPLE)


def _plane_dots(figure: Figure, comparison: NormComparison, sheet: AnswerSheet) -> list[Number]:
    """Return people's dots for the plane of signatures; none if the data have ratings of their own.

    A rate is mapped to the axis from −1 to 1: twice the mean, minus 1.
    """
    if any(number.judge == PEOPLE for number in figure.numbers):
        return []
    of = {number.row: number for number in figure.numbers}
    sides: dict[str, dict[str, NormRow]] = {}
    for row in comparison.rows:
        sides.setdefault(row.where.get("tag.construction", ""), {})[row.people.condition] = row
    dots = []
    for verb, by_side in sides.items():
        if verb in of and {"positive", "negative"} <= set(by_side):
            x, y = (2 * by_side[side].people.mean - 1 for side in ("positive", "negative"))
            query = Query(sheet.index, {"tag.construction": verb})
            dots.append(
                Number(
                    verb,
                    of[verb].series,
                    PEOPLE,
                    Estimate(x, by_side["positive"].people.n),
                    query,
                    x,
                    y,
                )
            )
    return dots


# By figure: the kind of norms, the series, what people were asked, and their rows by figure row.
MARKED: Mapping[
    str, tuple[str, str, str, Callable[[NormComparison], Mapping[str, Sequence[NormRow]]]]
] = {
    "conditions": ("scale", PRAGMATIC, "mean over scales", lambda norms: {WEAK: norms.rows}),
    "accommodation": (
        "follows",
        TAKEN,
        "it follows",
        lambda norms: {"factives": _enough(norms)[0]},
    ),
    "projection": (
        "projection",
        TAKEN,
        "mean certainty that a factive predicate's clause holds",
        lambda norms: {
            operator: _enough(norms, condition)[0] for operator, condition in OPERATORS.items()
        },
    ),
}
