"""People beside each claim and each chart that tells of words whose published means are known."""

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
from grice.profiling.gate import ClaimDraft
from grice.profiling.norms import WEAK, NormComparison, NormRow, compare_with_norms, within
from grice.profiling.phrases import count
from grice.profiling.sheets import FAMILY, AnswerSheet, plain_name
from grice.reporting.claims import CORRELATION, PeopleBeside
from grice.reporting.model import Figure, Mark, Number, Query
from grice.theory.norms import OPERATORS, NormSource, scale_key

# Which norms stand beside which claim, and what both numbers are of.
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
# With fewer words than this their class is told of.
FEWEST = 3
PRAGMATIC, TAKEN = "pragmatic", "its presupposition"
NormsByKind = Mapping[str, NormComparison]


def add_people(chapter: str, found: Findings, sheet: AnswerSheet) -> Findings:
    """The findings of a chapter with people's means in its claims, its figures and its panel of the
    overview.
    """
    if chapter in ("certainty", "people"):
        return replace(
            found, findings=tuple(_with_ceiling(draft, sheet) for draft in found.findings)
        )
    if chapter not in CHAPTERS or sheet.data.scale.numeric:
        return found
    known = _compared(sheet.first)
    open_items = (
        sheet.first.filter(gold)
        if (gold := _nothing_follows(sheet.first)) is not None
        else sheet.first.clear()
    )
    asked = (
        {**known, "happened": _compared(open_items).get("happened")}
        if chapter == "veridicality"
        else known
    )
    drafts = tuple(_with_norms(draft, asked) for draft in found.findings)
    figures = tuple(_drawn(figure, known, sheet) for figure in found.figures)
    if chapter != "implicature":
        return replace(found, findings=drafts, figures=figures)
    shown = {number.row for number in found.overview}
    marks, first = _scale_marks(known, sheet, shown, "tag.phenomenon", "tag.set"), found.fingerprint
    if first is not None:
        others = {number.row for number in first.numbers} - shown
        first = replace(first, marks=(*first.marks, *_scale_marks(known, sheet, others, FAMILY)))
    return replace(
        found, findings=drafts, figures=figures, marks=(*found.marks, *marks), fingerprint=first
    )


def _compared(frame: pl.DataFrame) -> dict[str, NormComparison]:
    """For each kind of norms the comparison over all environments."""
    return {one.kind: one for one in compare_with_norms(frame) if one.rows or one.classes}


def _nothing_follows(frame: pl.DataFrame) -> pl.Expr | None:
    return pl.col("gold.signature") == "neutral" if "gold.signature" in frame.columns else None


def _with_norms(draft: ClaimDraft, known: Mapping[str, NormComparison | None]) -> ClaimDraft:
    kind, what, of = CLAIMS.get(draft.name, ("", "", ""))
    one = known.get(kind)
    if one is None:
        return draft
    rows, words = _enough(one)
    people, said = _means(rows)
    over = (
        count(len(rows), of.removesuffix("s"))
        if words
        else "factive predicates"
        if kind != "happened"
        else "classes of verbs"
    )
    return replace(draft, people=PeopleBeside(people, said, what, one.source.citation, over))


def _enough(one: NormComparison, condition: str = "") -> tuple[list[NormRow], bool]:
    """The words of a comparison, in one environment or in all, if there are enough; else their
    classes. Which of both.
    """
    words, classes = (
        [row for row in rows if condition in ("", row.people.condition)]
        for rows in (one.rows, one.classes)
    )
    return (words, True) if len(words) >= FEWEST or not classes else (classes, False)


def _means(rows: Sequence[NormRow]) -> tuple[Estimate, Estimate]:
    """People's mean and the judge's over the same words, each weighing the same.

    The interval is over words; where there are too few of them, people's is over their replies.
    """
    said, theirs = ([row.said.value for row in rows], [row.people.mean for row in rows])
    if len(rows) >= FEWEST:
        both = mean(pl.Series(theirs)), mean(pl.Series(said))
        assert both[0] is not None and both[1] is not None
        return within(both[0]), within(both[1])
    half = Z95 * sqrt(sum(row.people.noise for row in rows)) / len(rows)
    middle = fmean(theirs)
    people = within(
        Estimate(middle, sum(row.people.n for row in rows), middle - half, middle + half)
    )
    return people, (
        rows[0].said if len(rows) == 1 else Estimate(fmean(said), sum(row.said.n for row in rows))
    )


def _with_ceiling(draft: ClaimDraft, sheet: AnswerSheet) -> ClaimDraft:
    """Beside a correlation with people the one that other people would reach."""
    if draft.verdict != "people":
        return draft
    one = _compared(sheet.first).get(draft.name)
    top, said, source = _of_norms(one) if one else _of_replies(sheet)
    if top is None or said is None:
        return draft
    over = "" if one else f"{top.n:,} items"
    return replace(draft, people=PeopleBeside(top, said, CORRELATION, source, over))


def _of_norms(one: NormComparison) -> tuple[Estimate | None, Estimate | None, str]:
    top = Estimate(one.ceiling, len(one.rows)) if one.ceiling is not None else None
    return top, one.pearson, one.source.citation


def _of_replies(sheet: AnswerSheet) -> tuple[Estimate | None, Estimate | None, str]:
    """The ceiling that the replies of the data's own people give, and the judge's correlation with
    their means.
    """
    if (
        TAG + PEOPLE not in sheet.first.columns
        or read_replies(sheet.first)["value"].drop_nulls().is_empty()
    ):
        return None, None, ""
    found = score_likeness(sheet.first)
    if found is None:
        return None, None, ""
    top, likeness = found.ceiling, found.likeness
    low, high = (
        end * top.value if end is not None else None for end in (likeness.low, likeness.high)
    )
    return top, Estimate(found.correlation, likeness.n, low, high), sheet.data.card.citation


def _drawn(figure: Figure, known: NormsByKind, sheet: AnswerSheet) -> Figure:
    """The figure with people's marks at its rows, and a note of where they come from."""
    kind, add = ADDS.get(figure.id, ("", None))
    if add is None or kind not in known:
        return figure
    made = add(figure, known[kind], sheet)
    return (
        replace(made, note=f"{made.note} People: {known[kind].source.citation}.")
        if made != figure
        else figure
    )


def _at(
    figure: Figure, rows: Sequence[NormRow], row: str, series: str, source: NormSource, what: str
) -> Figure:
    """The figure with a mark at this row, if it has the row and people told something of it."""
    if not rows or row not in figure.rows:
        return figure
    mark = Mark(row, series, _means(rows)[0].value, f"people, {what} ({source.citation})")
    return replace(figure, marks=(*figure.marks, mark))


def _conditions(figure: Figure, one: NormComparison, _sheet: AnswerSheet) -> Figure:
    """The condition that people were asked about."""
    return _at(figure, one.rows, WEAK, PRAGMATIC, one.source, "mean over scales")


def _scale_marks(
    known: NormsByKind, sheet: AnswerSheet, there: set[str], *columns: str
) -> Iterator[Mark]:
    """Give one mark per set of scales, by the first of the columns: what people conclude from its
    weaker words.

    A scale that belongs to several sets counts in each of them.
    """
    one = known.get("scale")
    column = next((c for c in columns if c in sheet.first.columns), "")
    if one is None or not column:
        return
    asked = sheet.first.drop_nulls(["tag.scale", column])
    asked = (
        asked.filter(pl.col("tag.condition") == WEAK) if "tag.condition" in asked.columns else asked
    )
    means = {row.people.key: row.people.mean for row in one.rows}
    label = f"people, from W to not S alone ({one.source.citation})"
    for name in sorted(asked[column].unique()):
        keys = {scale_key(scale) for scale in asked.filter(pl.col(column) == name)["tag.scale"]}
        measured = [means[key] for key in sorted(keys & set(means))]
        if measured and plain_name(name) in there:
            yield Mark(plain_name(name), PRAGMATIC, fmean(measured), label)


def _operators(figure: Figure, one: NormComparison, _sheet: AnswerSheet) -> Figure:
    for ours, theirs in OPERATORS.items():
        figure = _at(
            figure,
            _enough(one, theirs)[0],
            ours,
            TAKEN,
            one.source,
            "certain of a factive predicate's clause",
        )
    return figure


def _factives(figure: Figure, one: NormComparison, _sheet: AnswerSheet) -> Figure:
    return _at(figure, _enough(one)[0], "factives", TAKEN, one.source, "it follows")


def _plane(figure: Figure, one: NormComparison, sheet: AnswerSheet) -> Figure:
    """People's dots on the plane of signatures, where the data have no ratings of their own: twice
    the mean less 1.
    """
    if any(number.judge == PEOPLE for number in figure.numbers):
        return figure
    of = {number.row: number for number in figure.numbers}
    sides: dict[str, dict[str, NormRow]] = {}
    for row in one.rows:
        sides.setdefault(row.where.get("tag.construction", ""), {})[row.people.condition] = row
    dots = []
    for verb, found in sides.items():
        if verb in of and {"positive", "negative"} <= set(found):
            x, y = (2 * found[side].people.mean - 1 for side in ("positive", "negative"))
            query = Query(sheet.index, {"tag.construction": verb})
            dots.append(
                Number(
                    verb,
                    of[verb].series,
                    PEOPLE,
                    Estimate(x, found["positive"].people.n),
                    query,
                    x,
                    y,
                )
            )
    return replace(figure, numbers=(*figure.numbers, *dots))


ADDS: Mapping[str, tuple[str, Callable[[Figure, NormComparison, AnswerSheet], Figure]]] = {
    "conditions": ("scale", _conditions),
    "accommodation": ("follows", _factives),
    "projection": ("projection", _operators),
    "plane": ("happened", _plane),
}
