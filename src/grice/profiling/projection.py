"""Projection: under which operators presuppositions are kept, in paradigms with correct controls.

Each operator has its own controls, its own tests and its own number of surviving paradigms.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import polars as pl

from grice.analysis.accuracy import accuracy
from grice.analysis.entailed import entailed
from grice.analysis.statistics.baselines import correctness, is_label, p_above
from grice.analysis.statistics.paired import holm
from grice.core.estimate import Estimate, mean
from grice.core.scale import NLI
from grice.profiling.asking import settle
from grice.profiling.draft import ClaimDraft
from grice.profiling.gate import (
    FEWEST_PARADIGMS,
    LEVEL,
    ScoreSpec,
    behaviour_gate,
    claim_gate,
    controls_gate,
    shuffled_share,
)
from grice.profiling.phrases import is_above
from grice.profiling.presupposition_figures import (
    ENTAILS,
    IS_PLAIN,
    IS_POSITIVE,
    IS_TARGET,
    OPERATORS,
    PROJECTION,
    TARGET,
    embedding_operators,
)
from grice.profiling.sheets import COUNTED, kind_tag
from grice.reporting.claims import ClaimNumber, Gate, GateCheck, State, Test, Value, Verdict

PROJECTED = (
    " Of the presuppositions in paradigms whose control and plain case are correct it keeps"
    " {survivors:share}",
    "; with the plain case correct {plain_correct:interval}",
    "; of all {every:interval}",
    ". The filter is unbiased only if errors on controls and targets are independent.",
    " Correctly blocked under {blocked}.",
)
PROJECTS = Verdict(
    "projects",
    "projects",
    "Keeps presuppositions under operators.",
    ("It keeps presuppositions under {kept}.", *PROJECTED),
)
PROJECTS_NOT = Verdict(
    "projects_not",
    "no projection",
    "Loses presuppositions under operators.",
    ("It loses presuppositions under {lost}.", *PROJECTED),
)
PROJECTS_SOME = Verdict(
    "projects_some",
    "some project",
    "Keeps presuppositions under some operators, not under others.",
    ("It keeps presuppositions under {kept} and loses them under {lost}.", *PROJECTED),
)
TOPIC = "projection"
RIGHT = correctness("gold.label")
NEUTRAL = is_label("neutral")


@dataclass(frozen=True)
class OperatorTest:
    """The tests of one operator: whether presuppositions are kept under it, or lost."""

    operator: str
    keeps: Gate
    loses: Gate
    controls_hold: bool


def is_control(operator: str = "") -> pl.Expr:
    """Return whether a row is a control of an operator: not a sentence without the trigger."""
    control = (pl.col("tag.role") == "control") & pl.col("tag.operator").is_in(OPERATORS)
    return control & (pl.col("tag.operator") == operator) if operator else control


def with_trigger(rows: pl.DataFrame) -> pl.DataFrame:
    """Return the rows whose premise has the trigger."""
    if "tag.trigger" not in rows.columns:
        return rows
    return rows.filter(pl.col("tag.trigger").fill_null("") != "absent")


def embedded_controls_gate(judge_rows: pl.DataFrame, strata: Sequence[str]) -> Gate:
    """Return the gate of the four embedded controls over all operators, which closes nothing."""
    gate = controls_gate(
        with_trigger(judge_rows), "gold.label", strata=strata, of=is_control(), thorough=False
    )
    return replace(
        gate,
        checks=tuple(
            replace(check, state=State.PARTIAL) if check.state is State.FAIL else check
            for check in gate.checks
        ),
    )


def trigger_contrast(judge_rows: pl.DataFrame, operator: str) -> Estimate | None:
    """Return how much more often the presupposition is inferred with its trigger than without.

    Both rates are of the same paradigm and hypothesis; None without such pairs.
    """
    if "tag.trigger" not in judge_rows.columns:
        return None
    rows = judge_rows.filter(
        (pl.col("tag.operator") == operator) & IS_POSITIVE & pl.col("answer").is_not_null()
    )
    is_absent = pl.col("tag.trigger").fill_null("") == "absent"
    with_trigger, without = (
        rows.filter(condition)
        .group_by("group", "hypothesis", maintain_order=True)
        .agg(ENTAILS(pl.col("answer")).mean().alias(name))
        for condition, name in (((~is_absent) & IS_TARGET, "with"), (is_absent, "without"))
    )
    pairs = with_trigger.join(without, on=["group", "hypothesis"], maintain_order="left")
    return mean(pairs["with"] - pairs["without"], pairs["group"])


def projection_claim(
    judge_rows: pl.DataFrame,
    accommodation: ClaimDraft,
    blocked: set[str],
    judge: str,
    strata: Sequence[str],
) -> ClaimDraft:
    """Return the claim on the operators under which presuppositions are kept, or lost.

    It counts paradigms whose control under the operator and whose plain case are correct. Each
    operator has its own tests; Holm's correction covers both directions under all operators.
    """
    survives = (
        pl.col(COUNTED).list.contains(judge) if COUNTED in judge_rows.columns else pl.lit(False)
    )
    tests = [
        _operator_test(judge_rows, operator, survives, strata)
        for operator in embedding_operators(judge_rows, TARGET)
        if operator not in blocked
    ]
    tests = [test for test in tests if test.keeps.n]
    ps = holm([p for test in tests for p in (_p(test.keeps), _p(test.loses))])
    projecting_operators = tuple(
        t.operator for t, p in zip(tests, ps[::2], strict=True) if p < LEVEL
    )
    lost = tuple(t.operator for t, p in zip(tests, ps[1::2], strict=True) if p < LEVEL)
    free = IS_TARGET & survives & pl.col("tag.operator").is_in([t.operator for t in tests])
    rate = entailed()(judge_rows.filter(free & IS_POSITIVE))
    values = _rates(judge_rows, blocked, rate)
    values |= {
        name: names for name, names in (("kept", projecting_operators), ("lost", lost)) if names
    }
    gate = _projection_gate(judge_rows, accommodation, tests, min(ps, default=1.0), free, strata)
    verdict = (
        PROJECTS_SOME
        if projecting_operators and lost
        else PROJECTS
        if projecting_operators
        else PROJECTS_NOT
        if lost
        else None
    )
    blind = shuffled_share(judge_rows, ENTAILS, strata, free & IS_POSITIVE)
    return ClaimDraft(
        PROJECTION,
        TOPIC,
        gate,
        verdict,
        values,
        numbers=(ClaimNumber("projection", rate, blind, kind_tag(judge_rows)),) if rate else (),
    )


def _p(gate: Gate) -> float:
    return gate.p if gate.passed else 1.0


def _operator_test(
    judge_rows: pl.DataFrame, operator: str, survives: pl.Expr, strata: Sequence[str]
) -> OperatorTest:
    of = IS_TARGET & survives & (pl.col("tag.operator") == operator)
    spec = ScoreSpec(RIGHT, "gold.label", strata, of, "gold.label", NLI.labels)
    gate = claim_gate(judge_rows, spec)
    positives = judge_rows.filter(of & IS_POSITIVE)
    p_side = max(p_above(positives, ENTAILS, 0.5), _p_contrast(judge_rows, operator))
    rate = entailed()(positives)
    side = State.PASS if p_side < LEVEL and is_above(rate, 0.5) else State.FAIL
    controls = controls_gate(
        with_trigger(judge_rows),
        "gold.label",
        strata=strata,
        of=is_control(operator),
        thorough=False,
    )
    has_controls = bool(controls.n)
    holds = not has_controls or not any(check.test is Test.SHUFFLED for check in controls.reasons)
    checks = (
        *gate.checks,
        GateCheck(Test.DIRECTION, side, {"operator": operator}),
        *([] if holds else [GateCheck(Test.CONTROLS, State.FAIL, role="control")]),
    )
    conveyed = of & (pl.col("tag.presupposition") != "neutral")
    # Neutral must be more frequent than over the plain sentences and this operator together.
    compared = judge_rows.filter(IS_TARGET & pl.col("tag.operator").is_in(["unembedded", operator]))
    lost = behaviour_gate(compared, NEUTRAL, of=conveyed, strata=strata)
    if not holds:
        lost = replace(lost, checks=(*lost.checks, checks[-1]))
    return OperatorTest(operator, replace(gate, checks=checks, p=max(gate.p, p_side)), lost, holds)


def _p_contrast(judge_rows: pl.DataFrame, operator: str) -> float:
    """Return the p that the inference needs the trigger; 0 where the data have no such controls."""
    contrast = trigger_contrast(judge_rows, operator)
    if contrast is None or contrast.n < FEWEST_PARADIGMS:
        return 0.0
    return 0.0 if is_above(contrast, 0.0) else 1.0


def _projection_gate(
    judge_rows: pl.DataFrame,
    accommodation: ClaimDraft,
    tests: Sequence[OperatorTest],
    p: float,
    free: pl.Expr,
    strata: Sequence[str],
) -> Gate:
    """Return the gate of projection: the plain case is inferred, and some operator is decided."""
    spec = ScoreSpec(RIGHT, "gold.label", strata, free, "gold.label", NLI.labels)
    pooled = claim_gate(judge_rows, spec)
    failing = tuple(test.operator for test in tests if not test.controls_hold)
    checks = [check for check in accommodation.gate.checks if check.role == "control"]
    if failing:
        values = {"failing": failing}
        checks.append(GateCheck(Test.CONTROLS, State.PARTIAL, values, "control"))
    checks += [
        replace(check, state=State.PASS) if check.test is not Test.SAMPLE_SIZE else check
        for check in pooled.checks
    ]
    if not accommodation.supported:
        parent = accommodation.reason
        checks = [parent, *checks]
    elif p >= LEVEL:
        checks.append(GateCheck(Test.DIRECTION, State.FAIL))
    gate = replace(pooled, checks=tuple(checks), p=max(p, accommodation.gate.p))
    return settle(
        gate, judge_rows, ENTAILS, free & IS_POSITIVE, line=0.5, what="share of presuppositions"
    )


def _rates(judge_rows: pl.DataFrame, blocked: set[str], rate: Estimate | None) -> dict[str, Value]:
    """Return the rate among survivors, with the plain case correct, and of all paradigms."""
    embedded = judge_rows.filter(
        IS_TARGET
        & IS_POSITIVE
        & (pl.col("tag.operator") != "unembedded")
        & ~pl.col("tag.operator").is_in(sorted(blocked))
    )
    plain = judge_rows.filter(IS_PLAIN & IS_POSITIVE & (pl.col("answer") == pl.col("gold.label")))
    with_plain = embedded.join(plain.select("group").unique(), on="group", how="semi")
    estimates = {
        "survivors": rate,
        "plain_correct": entailed()(with_plain),
        "every": entailed()(embedded),
    }
    held_back = judge_rows.filter(IS_TARGET & IS_POSITIVE)
    held = tuple(
        operator
        for operator in sorted(blocked)
        if is_above(accuracy("label")(held_back.filter(pl.col("tag.operator") == operator)), 0.5)
    )
    values: dict[str, Value] = {name: value for name, value in estimates.items() if value}
    return values | ({"blocked": held} if held else {})
