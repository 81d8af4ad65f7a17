"""The first screen of a page: the answer in a sentence, how it was asked, and its rows."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from grice.analysis.entailed import entailed
from grice.core.estimate import mean
from grice.profiling.chapter import Chapter, Findings
from grice.profiling.draft import ClaimDraft
from grice.profiling.gate import RELIABLE
from grice.profiling.phrases import data_name
from grice.profiling.questions import DIAGNOSIS_CHIPS, question_rows
from grice.profiling.sheets import AGREED, AnswerSheet
from grice.reporting.bars import MANY_MODELS, short_name
from grice.reporting.claims import Diagnosis
from grice.reporting.formats import count, join_names, percent, round_percent
from grice.reporting.model import ProfileSection
from grice.reporting.question import RIGHT, FirstScreen, QuestionRow, ScaleRow, label_word
from grice.reporting.sentences import diagnosis_text, reason_text

# How many verdicts, names and letters of verdicts the first sentences have at most.
MAX_CLAUSES, MAX_NAMES, MAX_LETTERS = 6, 3, 200
# How many letters of the model's name the title has.
MAX_TITLE_NAME = 40
# The most frequent wrong answer is named if it is at least this share of all errors.
TYPICAL_ERROR = 1 / 3
CHIPS = {
    "people": "Yes: correlates",
    "calibrated": "Yes: calibrated",
    "overconfident": "No: too sure",
    "underconfident": "No: not sure enough",
    "miscalibrated": "No: miscalibrated",
}
# Question and name of a comparison with people, by its kind.
QUESTIONS = {
    "scale": ("Do its answers vary from scale to scale like people’s?", "like people, by scale"),
    "projection": ("Does it keep what people keep under operators?", "like people, by operator"),
    "follows": (
        "Do its answers vary from predicate to predicate like people’s?",
        "like people, by predicate",
    ),
    "happened": ("Do its answers vary from verb to verb like people’s?", "like people, by verb"),
    "human": ("Do its probabilities rise and fall with people’s ratings?", "like people’s ratings"),
}
CONFIDENCE = ("Is its confidence justified?", "calibration error")
SCALES = ("people", "certainty")
Part = tuple[ProfileSection, tuple[Chapter, AnswerSheet, Findings]]


def first_screen(parts: Sequence[Part]) -> FirstScreen:
    """Return the first screen of sections with their chapters, answers and findings."""
    rows: list[QuestionRow] = []
    scales, drafts, explained = [], [], set[str]()
    for section, (chapter, sheet, findings) in parts:
        drafts += list(findings.findings)
        rows += question_rows(section, chapter.name, sheet, findings, explained)
        scales += [
            _scale_row(section, draft, sheet)
            for draft in findings.findings
            if chapter.name in SCALES
        ]
    by_index = {sheet.index: sheet for _, (_, sheet, _) in parts}
    sheets = list(by_index.values())
    is_of_labels = len(rows) == 1 and rows[0].decides == RIGHT
    errors = _errors(by_index[rows[0].query.data]) if is_of_labels else ""
    n_labels = max((len(sheet.data.scale.labels) for sheet in sheets), default=0)
    lead = _lead(rows, scales, drafts, n_labels) if rows else _answers(sheets)
    lead = " ".join(filter(None, (lead, errors)))
    return FirstScreen(lead, _asked(sheets, rows), tuple(rows), tuple(scales))


def _errors(sheet: AnswerSheet) -> str:
    """Return the most frequent wrong answer if it is typical, with its share of all errors."""
    if AGREED not in sheet.first.columns:
        return ""
    wrong = sheet.first.drop_nulls([AGREED, "answer"]).filter(pl.col("answer") != pl.col(AGREED))
    counts = wrong.group_by(AGREED, "answer").len().sort("len", AGREED, descending=[True, False])
    if counts.is_empty():
        return ""
    gold, answer, n = counts.row(0)
    if n < TYPICAL_ERROR * wrong.height:
        return ""
    return (
        f"{n:,} of its {count(wrong.height, 'error')} say “{label_word(answer)}” where the data say"
        f" “{label_word(gold)}”."
    )


def _answers(sheets: Sequence[AnswerSheet]) -> str:
    """Return how often each label is given, for data without right answers."""
    sheet = sheets[0]
    answered_rows = sheet.first.drop_nulls("answer")
    if len(sheets) > 1 or AGREED in sheet.frame.columns or answered_rows.is_empty():
        return ""
    shares = [(label, entailed(label)(answered_rows)) for label in sheet.data.scale.labels]
    by_share = sorted(shares, key=lambda pair: -(pair[1].value if pair[1] else 0))[:MAX_CLAUSES]
    listed = join_names(f"“{label_word(label)}” {percent(share)}" for label, share in by_share)
    return f"It answers {listed}. The data have no labels, so whether it is right is not known."


def page_title(judges: Sequence[str], parts: Sequence[Part], screen: FirstScreen) -> str:
    """Return the title: what the models infer, or of own data how often the model is right."""
    has_phenomenon = any(chapter.phenomenon for _, (chapter, _, _) in parts)
    [only] = screen.rows if len(screen.rows) == 1 else [None]
    name = short_name(judges[0], MAX_TITLE_NAME)
    if only and only.share and not has_phenomenon and only.decides == RIGHT:
        return f"{name} on {only.topic}: {round_percent(only.share.value)} right"
    n_more = len(judges) - 1
    if n_more < MANY_MODELS - 1:
        return f"What {name} infers from what is said and not said"
    return f"What {name} and {n_more} other models infer from what is said and not said"


def _scale_row(section: ProfileSection, draft: ClaimDraft, sheet: AnswerSheet) -> ScaleRow:
    verdict = draft.verdict.code if draft.verdict and draft.supported else ""
    number = next(iter(draft.numbers), None)
    is_calibration = number is not None and number.measure.startswith("calibration")
    known = draft.people
    # Ratings have the name of the data's reading.
    kind = draft.name if draft.name in QUESTIONS else "human"
    why = diagnosis_text(draft.diagnoses[0]) if draft.diagnoses else reason_text(draft.reason)
    return ScaleRow(
        section.id,
        section.title,
        *(CONFIDENCE if is_calibration else QUESTIONS[kind]),
        "verdict" if verdict in CHIPS else "inconclusive",
        CHIPS.get(verdict, "Inconclusive"),
        draft.topic,
        "points" if is_calibration else "r",
        number.estimate if number else None,
        people=known.people.value if known and not is_calibration else None,
        pair=_confidence(sheet) if is_calibration else (),
        reason="" if verdict in CHIPS else why.rstrip("."),
    )


def _confidence(sheet: AnswerSheet) -> tuple[tuple[str, float], ...]:
    """Return the mean confidence and the share right of the same answers."""
    rows = sheet.first.drop_nulls([AGREED, "sure", "answer"])
    sure = mean(rows["sure"])
    right = mean((rows["answer"] == rows[AGREED]).cast(pl.Float64))
    return (("mean confidence", sure.value), ("right", right.value)) if sure and right else ()


def _asked(sheets: Sequence[AnswerSheet], rows: Sequence[QuestionRow]) -> str:
    """Return one line on who was asked what, and what stands for comparison."""
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
    people = ["people in published experiments"] if any(row.people for row in rows) else []
    compared = join_names([*people, *references], MAX_NAMES + len(people))
    beside = f" For comparison: {compared}." if compared else ""
    return (
        f"{sheets[0].judges[0]} answered {count(n_answered, 'pair')} of {names}{unread}. In"
        f" brackets: 95% interval, and n, the number of answers.{beside}"
    )


def _lead(
    rows: Sequence[QuestionRow],
    scales: Sequence[ScaleRow],
    drafts: Sequence[ClaimDraft],
    n_labels: int,
) -> str:
    """Return the verdicts as one sentence with their shares, or why there are none."""
    clauses: list[str] = []
    for row in rows:
        if row.status == "verdict" and row.share and row.lead and len(clauses) < MAX_CLAUSES:
            clauses += [_clause(row)]
            clauses = clauses if len("".join(clauses)) < MAX_LETTERS else clauses[:-1]
    if not clauses:
        return _no_verdict(rows, drafts, n_labels)
    n_open = sum(row.status == "inconclusive" for row in rows)
    sentences = [
        f"It {join_names(clauses)}.",
        *_habits(rows),
        *map(_confidence_clause, scales),
        f"{n_open} of {count(len(rows), 'question')} {'is' if n_open == 1 else 'are'} inconclusive."
        if n_open
        else "",
        _spread(rows),
    ]
    return " ".join(filter(None, sentences))


def _habits(rows: Sequence[QuestionRow]) -> list[str]:
    """Return what decides the answers to the questions that a diagnosis explains."""
    topics: dict[str, dict[str, None]] = {}
    for row in rows:
        if row.status == "diagnosis":
            topics.setdefault(row.chip, {})[row.topic] = None
    return [
        f"On {join_names(map(_lower, names))} it {_lower(chip)}."
        for chip, names in list(topics.items())[:MAX_NAMES]
    ]


def _lower(text: str) -> str:
    return f"{text[:1].lower()}{text[1:]}"


def _confidence_clause(row: ScaleRow) -> str:
    """Return mean confidence and share right of a model that is not calibrated."""
    if row.status != "verdict" or len(row.pair) < 2:
        return ""
    (_, sure), (_, right) = row.pair
    return f"It is {round_percent(sure)} confident on average and {round_percent(right)} right."


def _clause(row: QuestionRow) -> str:
    """Return the finding of a row with its share, and people's."""
    assert row.share is not None
    known = row.people.part(row.decides) if row.people else None
    people = f"; people {round_percent(known.estimate.value)}" if known else ""
    if row.query.reading == "agreed":
        return f"gets {percent(row.share)} of the labels right{_best_baseline(row, '; {} gets {}')}"
    return f"{row.lead} ({round_percent(row.share.value)}{people})"


def _best_baseline(row: QuestionRow, text: str) -> str:
    """Fill a text with the best baseline that does not read and its score; empty if unknown."""
    others = dict(row.baselines)
    best = max(others, key=lambda name: others[name], default="")
    return text.format(f"the {best}", round_percent(others[best])) if best else ""


def _no_verdict(rows: Sequence[QuestionRow], drafts: Sequence[ClaimDraft], n_labels: int) -> str:
    """Return why no question has a verdict: a habit, failing controls, or no better than chance."""
    explained = [row for row in rows if row.status == "diagnosis"]
    if explained:
        diagnoses = (result for draft in drafts for result in draft.diagnoses)
        diagnosis = next(result for result in diagnoses if result.code in DIAGNOSIS_CHIPS)
        if diagnosis.code is Diagnosis.GUESSES:
            return f"{diagnosis_text(diagnosis)} The rows below show guesses."
        n_habits = len({row.chip for row in explained})
        what = "This habit explains" if n_habits == 1 else "Such habits explain"
        touched = f"{len(explained)} of {count(len(rows), 'question')}"
        return f"{diagnosis_text(diagnosis)} {what} its answers to {touched}."
    if len(rows) == 1 and rows[0].share:
        beaten = _best_baseline(rows[0], "; {} gets {}")
        why = f"inconclusive, since {rows[0].reason}" if rows[0].reason else "inconclusive"
        return f"It gets {percent(rows[0].share)} of the labels right{beaten}: {why}."
    text = f"None of {count(len(rows), 'question')} can be answered about it"
    failed = {
        draft.gate.controls.value
        for draft in drafts
        if draft.gate.controls and draft.gate.controls.value < RELIABLE
    }
    if not failed:
        return f"{text}."
    ends = "–".join(dict.fromkeys(f"{100 * x:.0f}" for x in (min(failed), max(failed))))
    return (
        f"{text}: it gets {ends}% of the controls right, pairs with one right answer whatever the"
        f" reading. Guessing gets {1 / n_labels:.0%}, and a verdict needs {RELIABLE:.0%}."
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
        f"The models differ most here: {row.column}, from {round_percent(shares[low])} ({low}) to"
        f" {round_percent(shares[high])} ({high})."
    )
