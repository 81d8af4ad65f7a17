"""Cancellability: implicatures can be cancelled, entailments and presuppositions cannot."""

from __future__ import annotations

from dataclasses import replace

import polars as pl

from grice.analysis.accuracy import accuracy
from grice.analysis.entailed import entailed
from grice.analysis.statistics.baselines import correctness, is_label
from grice.analysis.statistics.paired import holm
from grice.core.estimate import Estimate
from grice.core.scale import NLI
from grice.profiling.chapter import Chapter, Findings
from grice.profiling.diagnoses import habits
from grice.profiling.draft import ClaimDraft
from grice.profiling.fingerprint import fingerprint_rows, right_rows
from grice.profiling.gate import (
    LEVEL,
    ScoreSpec,
    behaviour_gate,
    claim_gate,
    closed_rivals,
    controls_gate,
    shuffled_marks,
    shuffled_share,
)
from grice.profiling.phrases import is_above
from grice.profiling.rivals import describe_rivals
from grice.profiling.sheets import AnswerSheet, examples, filter_rows, kind_tag, numbers
from grice.reporting.claims import ClaimNumber, Gate, GateCheck, State, Test, Value, Verdict
from grice.reporting.model import Figure
from grice.reporting.sentences import control_warning

RATES = (
    " {implicature:interval} of the cancelled implicatures",
    ", {entailment:interval} of the denied entailments",
    ", {presupposition:interval} of the denied presuppositions",
    "; {shuffled:round} expected by chance",
    ".",
)
CANCELS = Verdict(
    "cancellable",
    "cancellable",
    "Lets implicatures be cancelled, not entailments or presuppositions.",
    ("It answers as predicted on", *RATES),
)
CANCELS_SOME = Verdict(
    "cancellable_some",
    "implicatures only",
    "Lets implicatures be cancelled; no result on entailments and presuppositions.",
    ("On implicatures it answers as predicted. It does so on", *RATES),
)
CANCELS_NOT = Verdict(
    "cancellable_not",
    "not as predicted",
    "Does not distinguish what can be cancelled from what cannot.",
    ("On {wrong_kinds} it answers {wrong_answers} instead. It answers as predicted on", *RATES),
)
TOPIC = "cancellability"
KINDS = ("implicature", "entailment", "presupposition")
TARGET = {"tag.role": "target"}
IS_TARGET = pl.col("tag.role") == "target"
RIGHT = correctness("gold.label")
WHAT = (
    "“Jo ate some of the cakes. In fact, Jo ate all of them.” A speaker can cancel what was only"
    " implicated, but not what was said or presupposed."
)
GOOD = (
    "After “in fact, all of them did”, “not all” no longer follows from “some” and nothing is"
    " contradictory. The denial of an entailment or of a presupposition is a contradiction."
)
# Columns that the data must have.
NEEDS = ("tag.inference", "tag.move", "gold.label", "tag.role")


def _write(sheet: AnswerSheet) -> Findings:
    frame = sheet.rows_with("tag.inference", "tag.move")
    judge = sheet.judges[0]
    judge_rows, denied = frame.filter(judge=judge), filter_rows(frame, TARGET)
    labels = {label: entailed(label) for label in NLI.labels}
    shares = numbers(
        sheet, denied, "tag.inference", labels, where=TARGET, reading="label", only=KINDS
    )
    draft = _claim(judge_rows, describe_rivals(sheet, denied, accuracy("label")))
    answer_scores = {label: is_label(label) for label in NLI.labels}
    figure = Figure(
        "denied",
        "Answers to a denial",
        "stack",
        tuple(shares),
        draft.sentence,
        names="what is denied",
        across="answers to “In fact, …”",
        marks=shuffled_marks(judge_rows, answer_scores, "tag.inference", of=IS_TARGET),
        note=(
            "An implicature can be cancelled without contradiction, an entailment or a"
            " presupposition cannot."
        ),
    )
    warning = control_warning(judge, draft.gate)
    return Findings(
        (figure,),
        examples=examples(denied, ("label",)),
        warnings=(warning,) if warning else (),
        findings=(draft,),
        candidates=habits(judge_rows, "gold.label"),
        gated=closed_rivals(judge, frame, lambda own: controls_gate(own, "gold.label")),
        fingerprint=fingerprint_rows(
            sheet,
            frame,
            right_rows(
                "tag.inference", "label", "denials answered as predicted", where=TARGET, only=KINDS
            ),
        ),
    )


def _claim(judge_rows: pl.DataFrame, beside: str) -> ClaimDraft:
    """Return the claim that denials are answered as theory predicts, or in another way."""
    controls = controls_gate(judge_rows, "gold.label")
    spec = ScoreSpec(RIGHT, "gold.label", (), IS_TARGET, "gold.label", NLI.labels)
    gate = claim_gate(judge_rows, spec, controls)
    denied = judge_rows.filter(IS_TARGET)
    by_kind = {
        kind: estimate
        for kind in KINDS
        if (estimate := accuracy("label")(denied.filter(pl.col("tag.inference") == kind)))
    }
    overall = accuracy("label")(denied)
    shuffled = shuffled_share(judge_rows, RIGHT, of=IS_TARGET)
    where = kind_tag(judge_rows) | {"role": "target"}
    values: dict[str, Value] = {**by_kind}
    if shuffled is not None:
        values["shuffled"] = shuffled
    draft = ClaimDraft(
        "denied",
        TOPIC,
        gate,
        CANCELS if by_kind and all(is_above(rate, 0.5) for rate in by_kind.values()) else None,
        values,
        beside,
        numbers=(ClaimNumber("accuracy:label", overall, shuffled, where),) if overall else (),
    )
    if draft.verdict is None and controls.passed:
        draft = _wrong(draft, judge_rows, controls, by_kind)
    if draft.supported or not is_above(by_kind.get("implicature"), 0.5):
        return draft
    controls = controls_gate(judge_rows, "gold.label", thorough=False)
    implicated = IS_TARGET & (pl.col("tag.inference") == "implicature")
    some = claim_gate(judge_rows, replace(spec, of=implicated), controls)
    if not some.passed:
        return draft
    # It is tested only where nothing holds of all kinds, so p is doubled.
    return replace(draft, gate=replace(some, p=min(1.0, 2 * some.p)), verdict=CANCELS_SOME)


def _wrong(
    draft: ClaimDraft, judge_rows: pl.DataFrame, controls: Gate, by_kind: dict[str, Estimate]
) -> ClaimDraft:
    """Return the claim that a wrong answer prevails on some kind of denial.

    It must be more frequent there than among the answers to all targets, shuffled, so that random
    answers do not count, whatever their frequencies.
    """
    targets = judge_rows.filter(IS_TARGET)
    kinds = [kind for kind in by_kind if by_kind[kind].value < 0.5]
    gates = {}
    for kind in kinds:
        of = IS_TARGET & (pl.col("tag.inference") == kind)
        wrong = targets.filter(of & (pl.col("answer") != pl.col("gold.label")))
        answer = str(wrong["answer"].mode().sort()[0])
        gates[kind, answer] = behaviour_gate(targets, is_label(answer), of=of)
    # Two wrong answers are possible for each kind.
    ps = holm([p for gate in gates.values() for p in (gate.p if gate.passed else 1.0, 1.0)])
    significant = {key: p for key, p in zip(gates, ps[::2], strict=True) if p < LEVEL}
    if not significant:
        failed = GateCheck(Test.DIRECTION, State.FAIL)
        return draft if draft.gate.reasons else draft.fail(failed)
    named = {
        "wrong_kinds": tuple(f"{kind}s" for kind, _ in significant),
        "wrong_answers": tuple(dict.fromkeys(answer for _, answer in significant)),
    }
    first = gates[next(iter(significant))]
    gate = replace(
        draft.gate,
        checks=(*controls.checks, *first.checks),
        p=max(controls.p, min(significant.values())),
    )
    return replace(draft, gate=gate, verdict=CANCELS_NOT, values={**draft.values, **named})


cancellability = Chapter(
    "cancellability", "Cancellability", WHAT, GOOD, write=_write, order=50, needs=NEEDS
)
