"""Presupposition: inference from the trigger, and projection by operator (IMPPRES, Figures 5–7)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import polars as pl

from grice.analysis.accuracy import accuracy
from grice.analysis.entailed import entailed
from grice.analysis.statistics.baselines import correctness, set_column
from grice.core.scale import NLI
from grice.papers.imppres.printed import FIGURE_6, FIGURE_7
from grice.profiling.asking import settle
from grice.profiling.chapter import Chapter, Findings
from grice.profiling.diagnoses import habits, read_as_statements
from grice.profiling.draft import ClaimDraft
from grice.profiling.fingerprint import fingerprint_rows
from grice.profiling.gate import (
    FEWEST_ITEMS,
    ScoreSpec,
    claim_gate,
    closed_rivals,
    is_mixed,
    shuffled_marks,
    shuffled_share,
    strata_of,
    sure_rows,
)
from grice.profiling.phrases import is_above, is_below
from grice.profiling.presupposition_figures import (
    ENTAILS,
    IS_PLAIN,
    IS_POSITIVE,
    NOUNS,
    OPERATORS,
    PLAIN,
    POSITIVE,
    SIDES,
    TAKEN,
    TARGET,
    accommodation_figure,
    control_tags,
    controls_figure,
    embedding_operators,
    filter_figure,
    operator_rows,
    projected_numbers,
    projection_figure,
)
from grice.profiling.projection import (
    embedded_controls_gate,
    is_control,
    projection_claim,
    trigger_contrast,
    with_trigger,
)
from grice.profiling.rivals import describe_rivals, mean_printed
from grice.profiling.sheets import AnswerSheet, examples, filter_rows, kind_tag, numbers, plain_name
from grice.reporting.claims import ClaimNumber, Gate, GateCheck, State, Test, Value, Verdict
from grice.reporting.formats import round_percent
from grice.reporting.model import Figure
from grice.reporting.sentences import partial_controls_text

INFERS = Verdict(
    "infers_trigger",
    "infers",
    "Infers what triggers convey in plain sentences.",
    (
        "It infers {taken:share} of what triggers convey in plain sentences",
        "; by trigger {low:round} to {high:round}",
        "; significantly most of {most}",
        "; significantly few of {few}",
        "; {contrast:points} more than without the trigger",
        ".",
    ),
)
INFERS_SOME = replace(
    INFERS,
    code="infers_trigger_some",
    chip="some",
    headline="Infers what some triggers convey, not others.",
)
TOPIC = "presuppositions in plain sentences"
RIGHT = correctness("gold.label")
PLAIN_POSITIVE = {"role": "target", "operator": "unembedded", "presupposition": "positive"}
WHAT = (
    "“Jo stopped smoking” presupposes that Jo smoked. A presupposition survives where an entailment"
    " would not: under negation, in a question, under “might” and in an if-clause. A model infers"
    " what the trigger conveys if it draws the inference from the plain sentence; the"
    " presupposition projects if it is still drawn under the operator."
)
GOOD = (
    "From the plain or embedded sentence: entailment for the presupposition, contradiction for its"
    " negation, neutral for unrelated content. A control asks whether the embedded sentence entails"
    " the plain one, which it must not. As in the paper, a paradigm counts for an operator only"
    " where its control and the plain case are correct, and n says how many survive."
)

# Columns that the data must have.
NEEDS = ("tag.operator", "tag.presupposition", "gold.label", "tag.role")


def _write(sheet: AnswerSheet) -> Findings:
    frame = sheet.rows_with("tag.operator", "gold.label")
    judge, rows = sheet.judges[0], set_column(frame)
    judge_rows, strata = frame.filter(judge=judge), strata_of(rows)
    unembedded = filter_rows(frame, PLAIN)
    gate = embedded_controls_gate(judge_rows, strata)
    accommodation = _accommodation(judge_rows, rows, gate)
    projection = projection_claim(judge_rows, accommodation, _blocked(frame), judge, strata)
    parts = [check for check in projection.gate.control_failures if "failing" in check.values]
    checks = (*accommodation.gate.checks, *parts)
    accommodation = replace(accommodation, gate=replace(accommodation.gate, checks=checks))
    beside = _beside(sheet, unembedded)
    plain_example = filter_rows(unembedded, POSITIVE).head(1)
    under = filter_rows(frame, {"tag.operator": "negated", **TARGET, **POSITIVE}).head(1)
    operators = embedding_operators(frame, control_tags(frame))
    warning = partial_controls_text(projection.gate)
    return Findings(
        _figures(sheet, frame, rows, accommodation),
        examples=examples(pl.concat([plain_example, under]), ("label",)),
        warnings=(warning,) if warning else (),
        gated=closed_rivals(judge, frame, lambda own: _accommodation_gate(own, strata, Gate())),
        fingerprint=fingerprint_rows(sheet, frame, operator_rows(frame, rows)),
        findings=(replace(accommodation, beside=beside[0]), replace(projection, beside=beside[1])),
        candidates=(
            *read_as_statements(judge_rows, "gold.label", operators),
            *habits(judge_rows, "gold.label"),
        ),
    )


def _figures(
    sheet: AnswerSheet, frame: pl.DataFrame, rows: str, accommodation: ClaimDraft
) -> tuple[Figure, ...]:
    """Draw controls, plain sentences by trigger, and projection by operator."""
    judge = sheet.judges[0]
    judge_rows, strata = frame.filter(judge=judge), strata_of(rows)
    where = control_tags(frame)
    controls = numbers(
        sheet,
        frame,
        "tag.operator",
        {"": accuracy("label")},
        where=where,
        reading="label",
        only=embedding_operators(frame, where),
    )
    marks = shuffled_marks(
        with_trigger(judge_rows), {"": RIGHT}, "tag.operator", strata=strata, of=is_control()
    )
    taken = [
        number
        for side, named in SIDES.items()
        for number in numbers(
            sheet,
            frame,
            rows,
            {side: entailed()},
            where={**PLAIN, "tag.presupposition": named},
            reading="label",
        )
    ]
    has_enough = any(n.estimate and n.estimate.n >= FEWEST_ITEMS for n in taken)
    by_trigger = accommodation.supported or has_enough
    return (
        controls_figure(controls, judge, embedded_controls_gate(judge_rows, strata), marks),
        *([accommodation_figure(taken, judge, judge_rows, rows)] if by_trigger else []),
        *projection_figure(projected_numbers(sheet, frame), judge, judge_rows, strata),
        *filter_figure(sheet, frame),
    )


def _accommodation_gate(judge_rows: pl.DataFrame, strata: Sequence[str], controls: Gate) -> Gate:
    spec = ScoreSpec(RIGHT, "gold.label", strata, IS_PLAIN, "gold.label", NLI.labels)
    gate = claim_gate(judge_rows, spec)
    return replace(gate, checks=(*controls.checks, *gate.checks))


def _accommodation(judge_rows: pl.DataFrame, rows: str, controls: Gate) -> ClaimDraft:
    """Return the claim that what triggers convey is inferred from plain sentences.

    It holds only where it is distinguished from its negation and from unrelated content.
    """
    plain = judge_rows.filter(IS_PLAIN)
    strata = strata_of(rows)
    taken, denied = (
        entailed()(plain.filter(pl.col("tag.presupposition") == side))
        for side in ("positive", "negated")
    )
    gate = _accommodation_gate(judge_rows, strata, controls)
    gate = settle(
        gate, judge_rows, ENTAILS, IS_PLAIN & IS_POSITIVE, line=0.5, what="share of inferences"
    )
    values: dict[str, Value] = {}
    if taken is not None:
        values["taken"] = taken
    if denied is not None:
        values["denied"] = denied
    if denied and taken and not is_below(denied, 0.5):
        failed = GateCheck(Test.DENIALS, State.FAIL, {"taken": taken, "denied": denied})
        gate = replace(gate, checks=(*gate.checks, failed))
    values |= _by_trigger(plain.filter(IS_POSITIVE), rows)
    contrast = trigger_contrast(judge_rows, "unembedded")
    if contrast is not None:
        values["contrast"] = contrast
    verdict = INFERS if is_above(taken, 0.5) else INFERS_SOME if is_mixed(taken) else None
    blind = shuffled_share(judge_rows, ENTAILS, strata, IS_PLAIN & IS_POSITIVE)
    where = kind_tag(judge_rows) | PLAIN_POSITIVE
    return ClaimDraft(
        TAKEN,
        TOPIC,
        gate,
        verdict,
        values,
        numbers=(ClaimNumber("entailed", taken, blind, where),) if taken else (),
    )


def _by_trigger(positives: pl.DataFrame, rows: str) -> dict[str, Value]:
    """Return the spread over triggers, and those that are significantly above or below half."""
    if not rows:
        return {}
    parts = positives.partition_by(rows, as_dict=True).values()
    rates = [rate.value for part in parts if (rate := entailed()(part)) is not None]
    sure = sure_rows(positives, rows, {"most": ENTAILS, "few": lambda answer: 1 - ENTAILS(answer)})
    spread: dict[str, Value] = (
        {"low": min(rates), "high": max(rates)} if rates and min(rates) < max(rates) else {}
    )
    return spread | {
        name: tuple(plain_name(trigger) for trigger in triggers)
        for name, triggers in sure.items()
        if triggers
    }


def _blocked(frame: pl.DataFrame) -> set[str]:
    """Return the operators under which the gold label of the presupposition is not entailment."""
    rows = filter_rows(frame, {**TARGET, **POSITIVE})
    return set(rows.filter(pl.col("gold.label") != "entailment")["tag.operator"].to_list())


def _beside(sheet: AnswerSheet, unembedded: pl.DataFrame) -> tuple[str, str]:
    """Return comparison text for each finding: other models and the BERT of the paper."""
    positives = filter_rows(unembedded, POSITIVE)
    paper = f"BERT in IMPPRES {mean_printed(FIGURE_6, 'BERT')} (its sentences, mean of 9 triggers)"
    under = ", ".join(
        f"{NOUNS[operator]} {round_percent(FIGURE_7[f'{operator}, positive', 'BERT'])}"
        for operator in OPERATORS
    )
    return (
        describe_rivals(sheet, positives, entailed(), paper),
        f"Presuppositions kept by BERT in IMPPRES, on that paper's sentences: {under}.",
    )


presupposition = Chapter(
    "presupposition", "Presupposition", WHAT, GOOD, write=_write, order=20, needs=NEEDS
)
