"""Rows of the first screen: for each claim its question, a pair, and how answers divide."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import polars as pl

from grice.analysis.accuracy import accuracy
from grice.analysis.entailed import entailed
from grice.analysis.share import share
from grice.core.scale import NLI
from grice.profiling.chapter import Findings
from grice.profiling.draft import ClaimDraft
from grice.profiling.gate import RELIABLE
from grice.profiling.phrases import data_name, is_above, is_below
from grice.profiling.sheets import (
    AGREED,
    COUNTED,
    DIFFER,
    AnswerSheet,
    examples,
    filter_rows,
    plain_name,
)
from grice.reporting.claims import Diagnosis, DiagnosisResult, Test
from grice.reporting.formats import count
from grice.reporting.model import ALL_ROWS, ExamplePair, ProfileSection, Query
from grice.reporting.question import RIGHT, AnswerBar, AnswerPart, QuestionRow, label_word
from grice.reporting.sentences import OPERATORS, diagnosis_text, reason_text
from grice.tables.table import Measure

# Operators under which a presupposition is tested, in the two groups of the first screen.
DENIALS = ("negated", "modal", "perhaps", "it may be that")
QUESTIONS = ("interrogative", "question", "conditional")
BASELINES = {
    "majority baseline": Test.MAJORITY,
    "shuffled baseline": Test.SHUFFLED,
    "hypothesis-only baseline": Test.HYPOTHESIS_ONLY,
    "premise-only baseline": Test.PREMISE_ONLY,
}
# What the answers go by, as a chip. The other diagnoses are reasons why there is no verdict.
DIAGNOSIS_CHIPS = {
    Diagnosis.LOW_LABEL_MASS: "Hardly chooses a label",
    Diagnosis.CONSTANT_ANSWER: "Always the same answer",
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
    Diagnosis.MANY_FAULTS: "Many answers unreadable",
}
READINGS = ("pragmatic", "logical", "neither")
IS_PROJECTED = (
    (pl.col("tag.role") == "target")
    & (pl.col("tag.presupposition") == "positive")
    & (pl.col("gold.label") == "entailment")
)


@dataclass(frozen=True)
class Ending:
    """What a verdict means on the first screen: its chip, the answer that decides, a clause.

    The clause follows the share of the answer. `lead` is how the first sentence of the page says
    the same, with the share in brackets after it.
    """

    chip: str
    decides: str
    finding: str
    lead: str


@dataclass(frozen=True)
class QuestionSpec:
    """A question about one claim: its words, and the rows and answers that are counted.

    `rows` selects the counted rows of all models, `parts` measures each kind of answer, and
    `golds` are the readings whose gold answers stand beside the example. `where` is the address of
    the rows. `people` is the answer that published means of people are about. With `by_row`, the
    verdict of the claim is refined by the interval of this row.
    """

    chapter: str
    claim: str
    question: str
    column: str
    expected: str
    parts: Mapping[str, Measure]
    golds: tuple[str, ...]
    rows: Callable[[AnswerSheet, Findings], pl.DataFrame | None]
    endings: Mapping[str, Ending]
    where: Mapping[str, str] = field(default_factory=dict)
    reading: str = ""
    people: str = ""
    by_row: bool = False


def _columns(sheet: AnswerSheet, *names: str) -> bool:
    return set(names) <= set(sheet.frame.columns)


def _scalar_rows(sheet: AnswerSheet, findings: Findings) -> pl.DataFrame | None:
    """Return the targets of the sets whose controls hold; of all sets if they hold in none."""
    if not _columns(sheet, "gold.logical", "gold.pragmatic", "tag.role", DIFFER):
        return None
    targets = sheet.frame.filter(
        (pl.col("tag.role") == "target") & (pl.col(DIFFER) == "differ")
    ).filter(pl.col("gold.logical").is_not_null() & pl.col("gold.pragmatic").is_not_null())
    closed = {row for judge, row in findings.gated if judge == sheet.judges[0]}
    sets = "tag.phenomenon"
    if sets not in targets.columns or not closed:
        return targets
    open_sets = [
        name for name in targets[sets].drop_nulls().unique() if plain_name(name) not in closed
    ]
    return targets.filter(pl.col(sets).is_in(open_sets)) if open_sets else targets


def _unembedded_rows(sheet: AnswerSheet, _findings: Findings) -> pl.DataFrame | None:
    if not _columns(sheet, "tag.operator", "tag.presupposition", "gold.label", "tag.role"):
        return None
    return sheet.frame.filter(IS_PROJECTED & (pl.col("tag.operator") == "unembedded"))


def _embedded_rows(
    operators: Sequence[str],
) -> Callable[[AnswerSheet, Findings], pl.DataFrame | None]:
    """Return a selection of presuppositions under operators, where a model's controls hold."""

    def select(sheet: AnswerSheet, _findings: Findings) -> pl.DataFrame | None:
        if not _columns(sheet, "tag.operator", "tag.presupposition", "gold.label", COUNTED):
            return None
        rows = sheet.frame.filter(IS_PROJECTED & pl.col("tag.operator").is_in(list(operators)))
        counted = rows.filter(pl.col(COUNTED).list.contains(pl.col("judge")).fill_null(value=False))
        return counted if not counted.filter(judge=sheet.judges[0]).is_empty() else rows

    return select


def _signature_rows(sheet: AnswerSheet, _findings: Findings) -> pl.DataFrame | None:
    if not _columns(sheet, "tag.environment", "gold.signature"):
        return None
    return sheet.rows_with("tag.environment", "gold.signature")


def _conjunction_rows(sheet: AnswerSheet, _findings: Findings) -> pl.DataFrame | None:
    if not _columns(sheet, "tag.conjunction", "gold.label"):
        return None
    return sheet.rows_with("tag.conjunction", "gold.label")


def _denied_rows(sheet: AnswerSheet, _findings: Findings) -> pl.DataFrame | None:
    if not _columns(sheet, "tag.inference", "tag.move", "tag.role"):
        return None
    return sheet.frame.filter((pl.col("tag.move") == "denied") & (pl.col("tag.role") == "target"))


def _labelled_rows(sheet: AnswerSheet, _findings: Findings) -> pl.DataFrame | None:
    return sheet.frame.drop_nulls(AGREED) if AGREED in sheet.frame.columns else None


LABELS = {label: entailed(label) for label in NLI.labels}
PROJECTS = {
    "projects": Ending("Yes: projects", "entailment", "still conclude it.", "keeps it under {}"),
    "projects_not": Ending(
        "No: does not project", "entailment", "still conclude it.", "loses it under {}"
    ),
    "projects_some": Ending(
        "Mixed", "entailment", "still conclude it.", "sometimes keeps it under {}"
    ),
}


def _projection(question: str, column: str, operators: Sequence[str], name: str) -> QuestionSpec:
    endings = {
        verdict: Ending(ending.chip, ending.decides, ending.finding, ending.lead.format(name))
        for verdict, ending in PROJECTS.items()
    }
    return QuestionSpec(
        "presupposition",
        "projection",
        question,
        column,
        "entailment",
        LABELS,
        ("label",),
        _embedded_rows(operators),
        endings,
        {"tag.role": "target", "tag.presupposition": "positive"},
        "label",
        "entailment",
        by_row=True,
    )


SPECS = (
    QuestionSpec(
        "implicature",
        "readings",
        "Does “some” mean “not all”?",
        "“some” → “not all”",
        "pragmatic",
        {reading: share(reading) for reading in READINGS},
        ("pragmatic", "logical"),
        _scalar_rows,
        {
            "pragmatic": Ending(
                "Yes: pragmatic",
                "pragmatic",
                "draw the implicature.",
                "takes “not all” from “some”",
            ),
            "logical": Ending(
                "No: logical",
                "logical",
                "go by logic alone: “some, perhaps all”.",
                "leaves open whether “some” is “not all”",
            ),
            "mixed": Ending(
                "Mixed", "pragmatic", "draw the implicature.", "draws some scalar implicatures"
            ),
            "neither": Ending(
                "Neither reading",
                "neither",
                "fit neither reading.",
                "reads “some” neither logically nor pragmatically",
            ),
        },
        {"tag.role": "target", DIFFER: "differ"},
        people="pragmatic",
    ),
    QuestionSpec(
        "presupposition",
        "accommodation",
        "Does it notice what a sentence takes for granted?",
        "takes for granted",
        "entailment",
        LABELS,
        ("label",),
        _unembedded_rows,
        {
            "infers_trigger": Ending(
                "Yes: infers it",
                "entailment",
                "conclude what is taken for granted.",
                "infers what a sentence takes for granted",
            ),
            "infers_trigger_some": Ending(
                "Mixed: by the trigger",
                "entailment",
                "conclude what is taken for granted.",
                "infers what some triggers take for granted",
            ),
        },
        {"tag.role": "target", "tag.operator": "unembedded", "tag.presupposition": "positive"},
        "label",
        "entailment",
    ),
    _projection(
        "Still there under “not” and “perhaps”?", "… under “not”", DENIALS, "“not” and “perhaps”"
    ),
    _projection(
        "… and in questions and after “if”?",
        "… in questions, “if”",
        QUESTIONS,
        "questions and “if”",
    ),
    QuestionSpec(
        "veridicality",
        "signatures",
        "Does the verb tell whether it happened?",
        "“didn’t forget to”",
        RIGHT,
        {RIGHT: accuracy("signature")},
        ("signature",),
        _signature_rows,
        {
            "signatures": Ending(
                "Yes: goes by the verb",
                RIGHT,
                "are what the verb says.",
                "knows which verbs say that it happened",
            ),
            "signatures_partly": Ending(
                "Partly: goes by the verb",
                RIGHT,
                "are what the verb says.",
                "knows some of the verbs that say whether it happened",
            ),
        },
        reading="signature",
    ),
    QuestionSpec(
        "conjunction",
        "right",
        "Does it read “and” and “or”?",
        "“and”, “or”",
        RIGHT,
        {RIGHT: accuracy("label")},
        ("label",),
        _conjunction_rows,
        {
            "conjunctions": Ending("Yes: all uses", RIGHT, "are right.", "reads conjunctions"),
            "boolean": Ending(
                "Logical uses only",
                RIGHT,
                "are right, most of them logical uses.",
                "reads logical uses of “and” and “or” only",
            ),
        },
        reading="label",
    ),
    QuestionSpec(
        "cancellability",
        "denied",
        "Can what was implied be taken back?",
        "“in fact, all”",
        RIGHT,
        {RIGHT: accuracy("label")},
        ("label",),
        _denied_rows,
        {
            "cancellable": Ending(
                "Yes: can be cancelled",
                RIGHT,
                "are as theory says.",
                "lets implicatures be cancelled, and nothing else",
            ),
            "cancellable_not": Ending(
                "No: not as theory says",
                RIGHT,
                "are as theory says.",
                "does not tell what can be cancelled from what cannot",
            ),
        },
        {"tag.move": "denied", "tag.role": "target"},
        "label",
    ),
    QuestionSpec(
        "other",
        "right",
        "How often is it right?",
        "right",
        RIGHT,
        {RIGHT: accuracy("agreed")},
        ("agreed",),
        _labelled_rows,
        {"right": Ending("Yes: above the baselines", RIGHT, "are right.", "is right")},
        reading="agreed",
    ),
)


def question_rows(
    section: ProfileSection, chapter: str, sheet: AnswerSheet, findings: Findings
) -> list[QuestionRow]:
    """Return the rows of one section: those of its claims that have a question."""
    drafts = {draft.name: draft for draft in findings.findings}
    pairs = [
        (spec, drafts[spec.claim])
        for spec in SPECS
        if spec.chapter == chapter and spec.claim in drafts
    ]
    rows = (_row(spec, draft, section, sheet, findings) for spec, draft in pairs)
    return [row for row in rows if row is not None]


def _row(
    spec: QuestionSpec,
    draft: ClaimDraft,
    section: ProfileSection,
    sheet: AnswerSheet,
    findings: Findings,
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
        reason="" if ending else reason_text(draft.reason),
        remedy="" if ending else _remedy(draft, sheet),
        baselines=_baselines(draft),
        query=Query(sheet.index, spec.where, sheet.judges[0], spec.reading),
        lead=ending.lead if ending else "",
    )
    shown = next((d for d in draft.diagnoses if d.code in DIAGNOSIS_CHIPS), None)
    if ending or shown is None:
        return row
    return _with_diagnosis(row, shown, draft, sheet, findings)


def _with_diagnosis(
    row: QuestionRow,
    diagnosis: DiagnosisResult,
    draft: ClaimDraft,
    sheet: AnswerSheet,
    findings: Findings,
) -> QuestionRow:
    """Return the row with what its answers go by, and the pairs that show it if these are known."""
    chip = DIAGNOSIS_CHIPS[diagnosis.code].format(
        label=label_word(str(diagnosis.values.get("label", diagnosis.given))),
        operator=OPERATORS.get(str(diagnosis.values.get("operator", "")), "operators"),
    )
    row = replace(row, status="diagnosis", chip=chip, finding=diagnosis_text(diagnosis))
    pairs = sheet.frame.filter(pl.col("id").is_in(diagnosis.items))
    # A habit on all items shows in the row's own pair too.
    if diagnosis.where and not pairs.is_empty():
        row = replace(row, example=next(iter(examples(pairs, tuple(sheet.data.readings), 1))))
    if not diagnosis.where or not set(diagnosis.where) <= set(sheet.frame.columns):
        return replace(row, decides="")
    shown = filter_rows(sheet.frame, diagnosis.where)
    bars = _bars(LABELS, "", draft, sheet, shown, findings)
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
    if spec.by_row and part is not None:
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
    """Return the shortest pair, of the most common words for scalar terms, with gold answers."""
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


def _baselines(draft: ClaimDraft) -> tuple[tuple[str, float], ...]:
    known = {name: draft.gate.baseline(test) for name, test in BASELINES.items()}
    return tuple((name, value) for name, value in known.items() if value is not None)


def _remedy(draft: ClaimDraft, sheet: AnswerSheet) -> str:
    """Return what would settle an inconclusive claim, as far as its test says."""
    gate, run = draft.gate, sheet.runs[0]
    if gate.controls and gate.controls.value < RELIABLE:
        return f"A verdict needs {RELIABLE:.0%} of the controls right."
    needed = gate.paradigms_needed
    if needed and needed > gate.paradigms:
        return f"About {count(needed, 'paradigm')} would settle it; there are {gate.paradigms:,}."
    if run.open:
        return f"{count(run.open, 'more pair')} of {data_name(sheet.data.name)} can be asked."
    return ""
