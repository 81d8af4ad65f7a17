"""Top of the page: general warnings, the basis of the numbers, and the claims."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from textwrap import shorten

import polars as pl

from grice.analysis.entailed import entailed
from grice.core.scale import NLI
from grice.profiling.belief import LONGEST
from grice.profiling.chapter import Findings
from grice.profiling.draft import ClaimDraft
from grice.profiling.phrases import data_name
from grice.profiling.sheets import AGREED, AnswerSheet
from grice.reporting.claims import CORRELATION, Claim
from grice.reporting.formats import interval, join_clauses, join_names, percent, round_percent
from grice.reporting.model import ProfileSection
from grice.reporting.sentences import claim_chip
from grice.storage.run_warnings import LOW_MASS, WarningKind, find_warning
from grice.tables.tabular import ends_text

ONE_LABEL = 0.95
MUCH = 0.1
MOST_WARNINGS = 3
FEW_NAMES = 4
Warn = Callable[[AnswerSheet], list[str]]


def warnings(sheets: Sequence[AnswerSheet]) -> tuple[str, ...]:
    """Return warnings about nearly constant answers, rare labels and unanswered items."""
    kinds = (_one_label, _seldom, _unanswered)
    by_sheet = [
        (sheet, [(kind, text) for kind in kinds for text in kind(sheet)]) for sheet in sheets
    ]
    many = [
        kind
        for kind in kinds
        if sum(kind is text_kind for _, texts in by_sheet for text_kind, _ in texts) > MOST_WARNINGS
    ]
    single = [text for _, texts in by_sheet for kind, text in texts if kind not in many]
    return (
        *_low_mass(sheets),
        *(_together(kind, sheets) for kind in many),
        *single,
        *_silent(sheets),
    )


def _low_mass(sheets: Sequence[AnswerSheet]) -> list[str]:
    """Return the warning of low label mass, as one text for all datasets that it holds for."""
    low = [
        sheet
        for sheet in sheets
        if (run_warning := sheet.runs[0].warning) and run_warning.kind is WarningKind.LOW_MASS
    ]
    if not low:
        return []
    masses = [mass for sheet in low for mass in sheet.runs[0].frame["mass"].drop_nulls()]
    warning = find_warning(len(masses), [], masses, low[0].runs[0].settings, LOW_MASS)
    prefix = "" if len(low) == len(sheets) else f"{_named(low)}: "
    return [f"{prefix}{warning.text}"] if warning else []


def _silent(sheets: Sequence[AnswerSheet]) -> list[str]:
    """Return a warning for each comparison model without a usable answer."""
    runs = [
        (run, sheet)
        for sheet in sheets
        for run in sheet.runs[1:]
        if run.faults and not run.answered
    ]
    return [
        f"{run.judge} gave no usable answer to any of {run.faults:,} items of"
        f" {data_name(sheet.data.name)}: it is in no number."
        for run, sheet in runs
    ]


def _together(kind: Warn, sheets: Sequence[AnswerSheet]) -> str:
    """Return one sentence for a warning that concerns many datasets."""
    struck = [sheet for sheet in sheets if kind(sheet)]
    judge, names = struck[0].judges[0], _named(struck)
    if kind is _one_label:
        return (
            f"{judge} nearly always gives the same answer in {len(struck)} of {len(sheets)}"
            f" datasets ({names}), so accuracy there reflects a constant answer, not inference."
        )
    if kind is _seldom:
        return (
            f"{judge} gives one of the labels less than half as often as it is right in"
            f" {len(struck)} of {len(sheets)} datasets ({names}). This bias affects their results."
        )
    runs = [sheet.runs[0] for sheet in struck]
    faults, left, n_items = (
        sum(getattr(run, name) for run in runs) for name in ("faults", "open", "total")
    )
    counts = [f"no usable answer to {faults:,}"] if faults else []
    counts += [f"{left:,} not asked"] if left else []
    return (
        f"Of {n_items:,} items in {len(struck)} datasets ({names}): {', '.join(counts)}; numbers"
        " are of the others."
    )


def claims(findings_by_section: Sequence[tuple[ProfileSection, Findings]]) -> tuple[Claim, ...]:
    """Return the claims, inconclusive results and descriptions under their sections' titles."""
    return tuple(
        claim
        for section, findings in findings_by_section
        for claim in (
            *(
                Claim(
                    draft.sentence,
                    section.id,
                    section.title,
                    _beside(draft),
                    draft.verdict.code if draft.verdict and draft.supported else None,
                    draft.gate,
                    draft.headline,
                    draft.people,
                    draft.numbers,
                    draft.topic,
                    claim_chip(draft.verdict, draft.gate, draft.diagnoses),
                    draft.diagnoses,
                    draft.values,
                )
                for draft in findings.findings
            ),
            *(
                Claim(
                    text,
                    section.id,
                    section.title,
                    headline=shorten(text, LONGEST, placeholder="…"),
                )
                for text in findings.sentences
            ),
        )
    )


def _beside(draft: ClaimDraft) -> str:
    """Return the values that a claim is compared with: other models, then people.

    The model's own number is added only if its claim is supported.
    """
    known = draft.people if draft.people and draft.people.over else None
    if known and known.what == CORRELATION:
        ends = ends_text(known.people.low, known.people.high, " ({:.2f} to {:.2f})")
        people_text = (
            f"other people would reach r = {known.people.value:.2f}{ends} over {known.over}"
            f" ({known.source.rstrip('.')})"
        )
    else:
        model_text = f", it in {interval(known.said)}" if known and draft.supported else ""
        people_text = (
            f"people {known.what} in {interval(known.people)}{model_text}, over {known.over}"
            f" ({known.source})"
            if known
            else ""
        )
    return join_clauses(filter(None, (draft.beside.removesuffix("."), people_text)))


def basis(sheets: Sequence[AnswerSheet]) -> str:
    """Describe what all numbers are based on, for a reader who sees nothing else."""
    answered = sum(sheet.runs[0].answered for sheet in sheets)
    rated = any(scale.numeric for sheet in sheets for scale in sheet.data.readings.values())
    labelled = any(sheet.data.readings for sheet in sheets)
    people = (
        ""
        if rated
        else (
            " The right answers are the data's labels."
            if labelled
            else " There are no right answers in the data."
        )
    )
    return (
        f"From {answered:,} answers on {_named(sheets)}. In brackets: the 95% interval and n, the"
        f" number of answers.{people}"
    )


def _named(sheets: Sequence[AnswerSheet]) -> str:
    """Join the names of the datasets; many parts of one dataset are counted."""
    names = [data_name(sheet.data.name) for sheet in sheets]
    if len(names) <= FEW_NAMES:
        return join_names(names)
    stems = Counter(name.partition("/")[0] for name in names)
    return join_names(
        f"{count} parts of {stem}" if count > 1 else stem for stem, count in stems.items()
    )


def _one_label(sheet: AnswerSheet) -> list[str]:
    first = sheet.first.filter(pl.col("answer").is_not_null())
    if first.is_empty() or sheet.data.scale.numeric:
        return []
    label = str(first["answer"].mode().sort()[0])
    share = entailed(label)(first)
    if share is None or share.value < ONE_LABEL:
        return []
    return [
        f"{sheet.judges[0]} answers {label} to {round_percent(share.value)} of the items of"
        f" {data_name(sheet.data.name)}, so the results below reflect a constant answer, not"
        " inference."
    ]


def _seldom(sheet: AnswerSheet) -> list[str]:
    """Warn of frequent gold labels that are predicted less than half as often, or never."""
    if AGREED not in sheet.frame.columns or sheet.data.scale != NLI:
        return []
    first = sheet.first.filter(pl.col("answer").is_not_null() & pl.col(AGREED).is_not_null())
    if first.is_empty() or first["answer"].n_unique() == 1:
        return []
    texts = []
    for label in sheet.data.scale.labels:
        given_share, wanted = (
            entailed(label)(first.with_columns(pl.col(c).alias("answer")))
            for c in ("answer", AGREED)
        )
        if (
            given_share is None
            or wanted is None
            or wanted.value < MUCH
            or given_share.value >= wanted.value / 2
        ):
            continue
        how = (
            f"answers {label} to none"
            if given_share.value == 0
            else f"answers {label} to {percent(given_share)}"
        )
        texts.append(
            f"{sheet.judges[0]} {how} of the items of {data_name(sheet.data.name)} with one right"
            f" answer, and {label} is right for {percent(wanted)}. This bias affects all results."
        )
    return texts


def _unanswered(sheet: AnswerSheet) -> list[str]:
    run = sheet.runs[0]
    items_text, texts = f"{run.total:,} items of {data_name(sheet.data.name)}", []
    if run.faults:
        kinds = ", ".join(f"{count} {kind}" for kind, count in run.fault_kinds.items())
        fact = f"{run.judge} gave no usable answer to {run.faults:,} of {items_text} ({kinds})"
        texts.append(f"{fact}; they are outside every number.")
    if run.open:
        fact = f"{run.open:,} of {items_text} were not evaluated"
        texts.append(f"{fact}; the numbers are based on the others.")
    return texts
