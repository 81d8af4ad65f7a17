"""Rows of the first screen: for each claim its question, a pair, and how answers divide."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import polars as pl

from grice.core.estimate import Estimate
from grice.profiling.chapter import Findings
from grice.profiling.draft import ClaimDraft
from grice.profiling.gate import RELIABLE
from grice.profiling.phrases import data_name, is_above, is_below
from grice.profiling.question_specs import LABELS, SPECS, Ending, QuestionSpec
from grice.profiling.sheets import AnswerSheet, examples, filter_rows
from grice.reporting.bars import whole_percent
from grice.reporting.claims import Diagnosis, DiagnosisResult, GateCheck, Test
from grice.reporting.formats import count, percent
from grice.reporting.model import ALL_ROWS, ExamplePair, ProfileSection, Query
from grice.reporting.question import AnswerBar, AnswerPart, QuestionRow, label_word
from grice.reporting.sentences import OPERATORS, diagnosis_text, reason_text
from grice.tables.table import Measure

BASELINES = {
    "majority baseline": Test.MAJORITY,
    "shuffled baseline": Test.SHUFFLED,
    "hypothesis-only baseline": Test.HYPOTHESIS_ONLY,
    "premise-only baseline": Test.PREMISE_ONLY,
}
# What the answers go by, as a chip. The other diagnoses are reasons why there is no verdict.
DIAGNOSIS_CHIPS = {
    Diagnosis.LOW_LABEL_MASS: "Hardly chooses a label",
    Diagnosis.CONSTANT_ANSWER: "Always answers the same",
    Diagnosis.POSITION_BIAS: "Answers by option order",
    Diagnosis.WORD_OVERLAP: "Goes by shared words",
    Diagnosis.HYPOTHESIS_ONLY: "Reads the hypothesis alone",
    Diagnosis.PREMISE_ONLY: "Reads the premise alone",
    Diagnosis.IGNORES_PREMISE: "Ignores the premise",
    Diagnosis.NEVER_ANSWERS: "Never says “{label}”",
    Diagnosis.RARELY_ANSWERS: "Rarely says “{label}”",
    Diagnosis.IGNORES_NEGATION: "Ignores negation",
    Diagnosis.READS_OPERATOR_AS_STATEMENT: "Reads {operator} as statements",
    Diagnosis.DEPENDS_ON_PROMPT: "Depends on the prompt",
    Diagnosis.MANY_FAULTS: "Gives many unreadable answers",
    Diagnosis.GUESSES: "Answers as if it guessed",
}


def question_rows(
    section: ProfileSection,
    chapter: str,
    sheet: AnswerSheet,
    findings: Findings,
    explained: set[str],
) -> list[QuestionRow]:
    """Return the rows of one section: those of its claims that have a question.

    `explained` collects the sentences of diagnoses, so that the page says each of them once.
    """
    drafts = {draft.name: draft for draft in findings.findings}
    pairs = [
        (spec, drafts[spec.claim])
        for spec in SPECS
        if spec.chapter == chapter and spec.claim in drafts
    ]
    rows = (_row(spec, draft, section, sheet, findings, explained) for spec, draft in pairs)
    return [row for row in rows if row is not None]


def _row(
    spec: QuestionSpec,
    draft: ClaimDraft,
    section: ProfileSection,
    sheet: AnswerSheet,
    findings: Findings,
    explained: set[str],
) -> QuestionRow | None:
    rows = spec.rows(sheet, findings)
    if rows is None or rows.filter(judge=sheet.judges[0]).is_empty():
        return None
    bars = _bars(spec.parts, spec.people, draft, sheet, rows, findings)
    if not bars or not bars[0].parts:
        return None
    ending = _ending(spec, draft, bars[0])
    first = next(iter(spec.endings.values()))
    row = QuestionRow(
        section.id,
        section.title,
        spec.question,
        spec.column,
        "verdict" if ending else "inconclusive",
        ending.chip if ending else "Inconclusive",
        ending.finding if ending else first.finding,
        ending.decides if ending else first.decides,
        spec.expected,
        bars,
        example=_example(spec, rows, sheet.judges[0]),
        reason="" if ending else reason_text(_with_share(draft.reason, bars[0], first.decides)),
        remedy="" if ending else _remedy(draft, sheet),
        baselines=_baselines(draft),
        query=Query(sheet.index, spec.where, sheet.judges[0], spec.reading),
        lead=ending.lead if ending else "",
    )
    diagnosis = next((d for d in draft.diagnoses if d.code in DIAGNOSIS_CHIPS), None)
    if ending or diagnosis is None:
        return row
    sentence = diagnosis_text(diagnosis)
    if sentence in explained and row.share:
        why = "it guesses" if diagnosis.code is Diagnosis.GUESSES else "the same habit"
        text = f"{percent(row.share)} {row.finding.rstrip('.')}: {why}."
        return replace(row, status="diagnosis", chip=_diagnosis_chip(diagnosis), finding=text)
    explained.add(sentence)
    return _with_diagnosis(row, diagnosis, draft, sheet, findings)


def _diagnosis_chip(diagnosis: DiagnosisResult) -> str:
    return DIAGNOSIS_CHIPS[diagnosis.code].format(
        label=label_word(str(diagnosis.values.get("label", diagnosis.given))),
        operator=OPERATORS.get(str(diagnosis.values.get("operator", "")), "operators"),
    )


def _with_diagnosis(
    row: QuestionRow,
    diagnosis: DiagnosisResult,
    draft: ClaimDraft,
    sheet: AnswerSheet,
    findings: Findings,
) -> QuestionRow:
    """Return the row with what its answers go by, and the pairs that show it if these are known."""
    row = replace(
        row, status="diagnosis", chip=_diagnosis_chip(diagnosis), finding=diagnosis_text(diagnosis)
    )
    pairs = sheet.frame.filter(pl.col("id").is_in(diagnosis.items))
    # A habit on all items shows in the row's own pair too.
    if diagnosis.where and not pairs.is_empty():
        row = replace(row, example=next(iter(examples(pairs, tuple(sheet.data.readings), 1))))
    if not diagnosis.where or not set(diagnosis.where) <= set(sheet.frame.columns):
        return replace(row, decides="")
    evidence_rows = filter_rows(sheet.frame, diagnosis.where)
    bars = _bars(LABELS, "", draft, sheet, evidence_rows, findings)
    part = bars[0].part(diagnosis.given) if bars else None
    # The bar must show the rate of the sentence.
    if part is None or diagnosis.estimate is None or part.estimate != diagnosis.estimate:
        return replace(row, decides="")
    query = Query(sheet.index, diagnosis.where, sheet.judges[0])
    return replace(row, bars=bars, decides=diagnosis.given, query=query)


def _ending(spec: QuestionSpec, draft: ClaimDraft, bar: AnswerBar) -> Ending | None:
    """Return what the verdict says; of a claim with several rows, by the row's interval."""
    if not draft.supported or draft.verdict is None:
        return None
    code, part = draft.verdict.code, bar.part(spec.expected)
    if spec.operators and part is not None:
        code = (
            "projects"
            if is_above(part.estimate, 0.5)
            else "projects_not"
            if is_below(part.estimate, 0.5)
            else "projects_some"
        )
    first = next(iter(spec.endings.values()))
    chip = f"{draft.verdict.chip[:1].upper()}{draft.verdict.chip[1:]}"
    return spec.endings.get(code, Ending(chip, first.decides, first.finding, ""))


def _bars(
    measures: Mapping[str, Measure],
    answer_of_people: str,
    draft: ClaimDraft,
    sheet: AnswerSheet,
    rows: pl.DataFrame,
    findings: Findings,
) -> tuple[AnswerBar, ...]:
    """Return the bars of the model, of people if known, and of the other models."""
    bars = []
    for judge in sheet.judges_in(rows):
        own = rows.filter(judge=judge).drop_nulls("answer")
        estimates = {answer: measure(own) for answer, measure in measures.items()}
        parts = tuple(
            AnswerPart(answer, estimate) for answer, estimate in estimates.items() if estimate
        )
        is_model = judge == sheet.judges[0]
        bars.append(
            AnswerBar(
                judge,
                "model" if is_model else "reference",
                parts,
                without_verdict=not is_model and (judge, ALL_ROWS) in findings.gated,
            )
        )
        if is_model and answer_of_people and draft.people:
            known = draft.people
            note = f"{known.what}: {known.source}"
            bars.append(
                AnswerBar("people", "people", (AnswerPart(answer_of_people, known.people),), note)
            )
    return tuple(bars)


def _example(spec: QuestionSpec, rows: pl.DataFrame, judge: str) -> ExamplePair | None:
    """Return the shortest pair with its gold answers; for scalar terms one with common words."""
    own = rows.filter(judge=judge)
    if "tag.scale" in own.columns and spec.chapter == "implicature":
        usual = own.filter(
            (pl.col("tag.scale") == "some - all") & (pl.col("gold.pragmatic") == "entailment")
        )
        own = usual if not usual.is_empty() else own
    if spec.chapter == "veridicality":
        telling = filter_rows(own, {"tag.environment": "negative", "gold.signature": "entailment"})
        own = telling if not telling.is_empty() else own
    length = pl.col("premise").str.len_chars() + pl.col("hypothesis").fill_null("").str.len_chars()
    return next(iter(examples(own.sort(length, "id"), spec.golds, 1)), None)


def _with_share(check: GateCheck, bar: AnswerBar, decides: str) -> GateCheck:
    """Return the check with the bar's interval where its score is the share of the bar.

    A test and a bar may weigh the paradigms differently; a row says one interval per number.
    """
    part, score = bar.part(decides), check.values.get("score")
    if part is None or not isinstance(score, Estimate) or check.role == "control":
        return check
    if whole_percent(part.estimate) != whole_percent(score):
        return check
    return replace(check, values={**check.values, "score": part.estimate})


def _baselines(draft: ClaimDraft) -> tuple[tuple[str, float], ...]:
    known = {name: draft.gate.baseline(test) for name, test in BASELINES.items()}
    return tuple((name, value) for name, value in known.items() if value is not None)


def _remedy(draft: ClaimDraft, sheet: AnswerSheet) -> str:
    """Return what would settle an inconclusive claim, as far as its test says."""
    gate, run = draft.gate, sheet.runs[0]
    if gate.controls and gate.controls.value < RELIABLE:
        return f"A verdict needs {RELIABLE:.0%} of the controls right."
    needed = gate.paradigms_needed
    said_by_reason = any(result.code is Diagnosis.TOO_FEW_ITEMS for result in draft.diagnoses)
    if needed and needed > gate.paradigms and not said_by_reason:
        return f"About {count(needed, 'paradigm')} would settle it; there are {gate.paradigms:,}."
    if run.open:
        return f"{count(run.open, 'more pair')} of {data_name(sheet.data.name)} can be asked."
    return ""
