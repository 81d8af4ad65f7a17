"""The first screen of a page: the answer in a sentence, how it was asked, and its rows."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from grice.core.estimate import mean
from grice.profiling.chapter import Chapter, Findings
from grice.profiling.draft import ClaimDraft
from grice.profiling.gate import RELIABLE
from grice.profiling.phrases import data_name
from grice.profiling.questions import question_rows
from grice.profiling.sheets import AGREED, AnswerSheet
from grice.reporting.bars import MANY_MODELS
from grice.reporting.formats import count, join_names, percent, round_percent
from grice.reporting.model import ProfileSection
from grice.reporting.question import RIGHT, FirstScreen, QuestionRow, ScaleRow, label_word
from grice.reporting.sentences import diagnosis_text, reason_text

# How many verdicts and how many other models are named in the first sentences.
MAX_CLAUSES, MAX_NAMES = 4, 3
CHIPS = {
    "people": "Yes: correlates",
    "calibrated": "Yes: calibrated",
    "overconfident": "No: too sure",
    "underconfident": "No: not sure enough",
    "miscalibrated": "No: miscalibrated",
}
QUESTIONS = {
    "people": "Do its answers vary with the words as people’s do?",
    "certainty": "Is its confidence justified?",
}
COLUMNS = {"people": "like people", "certainty": "calibration error"}
Part = tuple[ProfileSection, tuple[Chapter, AnswerSheet, Findings]]


def first_screen(parts: Sequence[Part]) -> FirstScreen:
    """Return the first screen of sections with their chapters, answers and findings."""
    rows, scales, drafts = [], [], []
    for section, (chapter, sheet, findings) in parts:
        drafts += list(findings.findings)
        rows += question_rows(section, chapter.name, sheet, findings)
        scales += [
            _scale_row(section, draft, sheet)
            for draft in findings.findings
            if chapter.name in QUESTIONS
        ]
    sheets = list({sheet.index: sheet for _, (_, sheet, _) in parts}.values())
    errors = _errors(sheets[0]) if len(rows) == 1 and rows[0].decides == RIGHT else ""
    lead = " ".join(filter(None, (_lead(rows, drafts), errors)))
    return FirstScreen(lead, _asked(sheets, rows), tuple(rows), tuple(scales))


def _errors(sheet: AnswerSheet) -> str:
    """Return the most frequent wrong answer, with its share of all errors."""
    wrong = sheet.first.drop_nulls([AGREED, "answer"]).filter(pl.col("answer") != pl.col(AGREED))
    counts = wrong.group_by(AGREED, "answer").len().sort("len", AGREED, descending=[True, False])
    if counts.is_empty():
        return ""
    gold, answer, n = counts.row(0)
    return (
        f"{n:,} of its {count(wrong.height, 'error')} say “{label_word(answer)}” where the data say"
        f" “{label_word(gold)}”."
    )


def page_title(judges: Sequence[str], parts: Sequence[Part], screen: FirstScreen) -> str:
    """Return the title: what the models infer, or of own data how often the model is right."""
    has_phenomenon = any(chapter.phenomenon for _, (chapter, _, _) in parts)
    [only] = screen.rows if len(screen.rows) == 1 else [None]
    if only and only.share and not has_phenomenon and only.decides == RIGHT:
        return f"{judges[0]} on {only.topic}: {round_percent(only.share.value)} right"
    n_more = len(judges) - 1
    if n_more < MANY_MODELS - 1:
        return f"What {judges[0]} infers"
    return f"What {judges[0]} and {n_more} other models infer"


def _scale_row(section: ProfileSection, draft: ClaimDraft, sheet: AnswerSheet) -> ScaleRow:
    verdict = draft.verdict.code if draft.verdict and draft.supported else ""
    number = next(iter(draft.numbers), None)
    is_calibration = number is not None and number.measure.startswith("calibration")
    known = draft.people
    return ScaleRow(
        section.id,
        section.title,
        QUESTIONS["certainty" if is_calibration else "people"],
        COLUMNS["certainty" if is_calibration else "people"],
        "verdict" if verdict in CHIPS else "inconclusive",
        CHIPS.get(verdict, "Inconclusive"),
        draft.topic,
        "points" if is_calibration else "r",
        number.estimate if number else None,
        people=known.people.value if known and not is_calibration else None,
        pair=_confidence(sheet) if is_calibration else (),
        reason="" if verdict in CHIPS else reason_text(draft.reason),
    )


def _confidence(sheet: AnswerSheet) -> tuple[tuple[str, float], ...]:
    """Return the mean confidence and the share right of the same answers."""
    rows = sheet.first.drop_nulls([AGREED, "sure", "answer"])
    sure = mean(rows["sure"])
    right = mean((rows["answer"] == rows[AGREED]).cast(pl.Float64))
    return (("mean confidence", sure.value), ("right", right.value)) if sure and right else ()


def _asked(sheets: Sequence[AnswerSheet], rows: Sequence[QuestionRow]) -> str:
    """Return one line on what was asked, and what stands for comparison."""
    n_answered = sum(sheet.runs[0].answered for sheet in sheets)
    n_asked = sum(sheet.runs[0].asked for sheet in sheets)
    names = join_names(dict.fromkeys(data_name(sheet.data.name) for sheet in sheets), MAX_NAMES)
    unread = (
        f"; {count(n_asked - n_answered, 'answer')} could not be read"
        if n_asked > n_answered
        else ""
    )
    references = list(
        dict.fromkeys(bar.name for row in rows for bar in row.references if bar.parts)
    )
    compared = ["people in published experiments"] if any(row.people for row in rows) else []
    compared += [join_names(references, MAX_NAMES)] if references else []
    beside = f" For comparison: {join_names(compared)}." if compared else ""
    return (
        f"Asked {count(n_answered, 'pair')} of {names}{unread}. In brackets: 95% interval, and n,"
        f" the number of answers.{beside}"
    )


def _lead(rows: Sequence[QuestionRow], drafts: Sequence[ClaimDraft]) -> str:
    """Return the verdicts as one sentence with their shares, or why there are none."""
    verdicts = [row for row in rows if row.status == "verdict" and row.share and row.lead]
    if not verdicts:
        return _no_verdict(rows, drafts)
    listed = [_clause(row) for row in verdicts[:MAX_CLAUSES]]
    n_open = sum(row.status == "inconclusive" for row in rows)
    rest = (
        f" {count(n_open, 'question')} of {len(rows)} {'is' if n_open == 1 else 'are'} inconclusive."
        if n_open
        else ""
    )
    spread = _spread(rows)
    return f"It {join_names(listed)}.{rest}{spread}"


def _clause(row: QuestionRow) -> str:
    """Return the finding of a row with its share, and people's."""
    assert row.share is not None
    known = row.people.part(row.decides) if row.people else None
    people = f"; people {round_percent(known.estimate.value)}" if known else ""
    if row.decides == "right" and row.lead == "is right":
        others = dict(row.baselines)
        best = max(others, key=lambda name: others[name], default="")
        beaten = f"; the {best} gets {round_percent(others[best])}" if best else ""
        return f"gets {percent(row.share)} of the labels right{beaten}"
    return f"{row.lead} ({round_percent(row.share.value)}{people})"


def _no_verdict(rows: Sequence[QuestionRow], drafts: Sequence[ClaimDraft]) -> str:
    """Return why no question has an answer: failing controls first."""
    failed = {
        draft.gate.controls.value
        for draft in drafts
        if draft.gate.controls and draft.gate.controls.value < RELIABLE
    }
    if not rows:
        return ""
    explained = [row for row in rows if row.status == "diagnosis"]
    if explained:
        diagnosis = next(d for draft in drafts for d in draft.diagnoses)
        touched = f"{len(explained)} of {count(len(rows), 'question')}"
        return f"{diagnosis_text(diagnosis)} Such habits decide its answers to {touched}."
    text = f"None of {count(len(rows), 'question')} can be answered about it."
    if not failed:
        return text if len(rows) > 1 else f"Inconclusive: {reason_text(drafts[0].reason)}."
    ends = "–".join(dict.fromkeys(f"{100 * x:.0f}" for x in (min(failed), max(failed))))
    return (
        f"{text} It gets {ends}% of the controls right, where {RELIABLE:.0%} are needed: pairs with"
        " one right answer whatever the reading."
    )


def _spread(rows: Sequence[QuestionRow]) -> str:
    """Return where the models differ most, if there are several."""
    row = FirstScreen(rows=tuple(rows)).widest
    if row is None:
        return ""
    shares = {
        bar.name: part.estimate.value
        for bar in (row.model, *row.references)
        if (part := bar.part(row.expected)) and not bar.without_verdict
    }
    if len(shares) < MANY_MODELS:
        return ""
    by_share = sorted(shares, key=lambda name: shares[name])
    low, high = by_share[0], by_share[-1]
    return (
        f" The models differ most in {row.column}: from {round_percent(shares[low])} ({low}) to"
        f" {round_percent(shares[high])} ({high})."
    )
