"""Scalar implicature: logical, pragmatic or neither, controls first (IMPPRES, Figs. 2–4, 8–13)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from statistics import fmean

import polars as pl

from grice.analysis.balanced_accuracy import balanced_accuracy
from grice.analysis.share import share
from grice.analysis.statistics.baselines import correctness, excess, p_above, set_column
from grice.core.estimate import Estimate
from grice.core.scale import NLI
from grice.papers.imppres.printed import FIGURES
from grice.profiling.asking import settle
from grice.profiling.chapter import Chapter, Findings
from grice.profiling.diagnoses import answer_habits, ignored_negation
from grice.profiling.draft import ClaimDraft
from grice.profiling.fingerprint import fingerprint_rows
from grice.profiling.gate import (
    LEVEL,
    ScoreSpec,
    behaviour_gate,
    claim_gate,
    closed_rivals,
    controls_gate,
    is_mixed,
    shuffled_marks,
    strata_of,
    sure_rows,
)
from grice.profiling.implicature_figures import (
    CONTROL,
    IS_TARGET,
    PRINTED,
    READINGS,
    SCORES,
    TARGETS,
    conditions_figure,
    controls_figure,
    follows_reading,
    matrix_figure,
    readings_figure,
    scale_rows,
)
from grice.profiling.phrases import is_above
from grice.profiling.rivals import describe_rivals
from grice.profiling.sheets import (
    FAMILY,
    AnswerSheet,
    examples,
    filter_rows,
    kind_tag,
    numbers,
    plain_name,
)
from grice.profiling.triangle import triangle_figure
from grice.reporting.claims import ClaimNumber, Gate, GateCheck, State, Test, Value, Verdict
from grice.reporting.formats import count, interval, round_percent
from grice.reporting.model import Number
from grice.reporting.sentences import control_warning, partial_controls_text

CLAUSES = (
    " {logical:interval} of its answers are the logical one, {pragmatic:interval} the pragmatic"
    " one, {neither:interval} neither (n = {n:n})",
    "; shuffled answers would be {shuffled_logical:round} logical and {shuffled_pragmatic:round}"
    " pragmatic",
    ".",
    " Logical on {logical_sets}.",
    " Pragmatic on {pragmatic_sets}.",
    " Controls over all sets: {controls_all:interval} correct; {passing:n} of {sets:n} sets pass.",
)


def _verdict_of(code: str, headline: str, opening: str, chip: str = "") -> Verdict:
    return Verdict(code, chip or code, headline, (opening, *CLAUSES))


LOGICAL = _verdict_of(
    "logical",
    "Reads scalar terms logically: it does not draw the implicatures.",
    "It reads scalar terms logically:",
)
PRAGMATIC = _verdict_of(
    "pragmatic",
    "Draws scalar implicatures: “some” means “not all”.",
    "It reads scalar terms pragmatically:",
)
MIXED = _verdict_of(
    "mixed",
    "Draws some scalar implicatures and reads others logically.",
    "It mixes both readings of scalar terms:",
)
NEITHER = _verdict_of(
    "neither",
    "Reads scalar terms neither logically nor pragmatically.",
    "It follows neither reading of scalar terms:",
)
FEW = _verdict_of(
    "few_implicatures",
    "Draws few scalar implicatures.",
    "It draws few scalar implicatures:",
    chip="few",
)
VERDICTS = {"logical": LOGICAL, "pragmatic": PRAGMATIC}
TOPIC = "reading of scalar terms"
PREVAILING = "gold.prevailing"
IS_CONTROL = pl.col("tag.role") == "control"
WHAT = (
    "A weaker word suggests that the stronger one would not do: who says “some” is taken to mean"
    " “not all”. Logic alone does not give that. Each paradigm pairs a weaker (W) and a stronger"
    " (S) sentence and their negations; on its targets the logical and the pragmatic answer part."
)
GOOD = (
    "A logician answers neutral from “some” to “not all” and entailment from “all” to “some”; a"
    " listener who draws the implicature answers entailment to the first and contradiction to the"
    " second. Either is a coherent reading. The controls have the same correct answer under both; a"
    " model must answer those correctly before its targets are interpreted."
)

# Columns that the data must have.
NEEDS = ("gold.logical", "gold.pragmatic", "tag.role")


def _write(sheet: AnswerSheet) -> Findings:
    frame = sheet.rows_with("gold.logical", "gold.pragmatic")
    rows, judge = set_column(frame), sheet.judges[0]
    judge_rows, strata = frame.filter(judge=judge), strata_of(rows)
    balanced = {"": balanced_accuracy("logical")}
    controls = numbers(sheet, frame, rows, balanced, where=CONTROL, reading="logical")
    targets = filter_rows(frame, TARGETS)
    by_row = numbers(sheet, targets, rows, {name: share(name) for name in READINGS}, where=TARGETS)
    gated = _gated(sheet, frame, rows)
    baseline_marks = shuffled_marks(judge_rows, SCORES, rows, strata=strata, of=IS_TARGET)
    finding = _claim(judge_rows, rows, gated, _beside(sheet, targets, by_row), judge)
    warning = control_warning(judge, finding.gate) or partial_controls_text(finding.gate)
    right = {"": correctness("gold.logical")}
    passed = shuffled_marks(judge_rows, right, rows, strata=strata, of=IS_CONTROL)
    conditions = "tag.condition" in targets.columns
    figures = (
        controls_figure(controls, judge, gated, passed),
        triangle_figure(by_row, baseline_marks, judge),
        readings_figure(sheet, targets, by_row, rows, gated, baseline_marks),
        *([conditions_figure(sheet, targets, judge_rows, strata)] if conditions else []),
        *([matrix_figure(sheet, targets, rows, baseline_marks)] if conditions else []),
    )
    controls_only = judge_rows.filter(IS_CONTROL)
    return Findings(
        figures,
        examples=examples(targets, ("logical", "pragmatic")),
        warnings=(warning,) if warning else (),
        findings=(finding,),
        candidates=(
            *answer_habits(judge_rows.filter(~IS_TARGET), "gold.logical"),
            *ignored_negation(controls_only, "gold.logical"),
        ),
        gated=gated,
        fingerprint=fingerprint_rows(sheet, frame, scale_rows(frame, rows)),
    )


def _gated(sheet: AnswerSheet, frame: pl.DataFrame, rows: str) -> frozenset[tuple[str, str]]:
    """Return the sets of each model whose controls fail: too few right, or not above baseline."""
    cuts = dict.fromkeys(column for column in (rows, FAMILY) if column in frame.columns) or {
        "": None
    }
    sets = frozenset(
        (str(judge), plain_name(str(rest[0])) if rest else "")
        for cut in cuts
        for (judge, *rest), part in frame.partition_by(
            "judge", *([cut] if cut else []), as_dict=True
        ).items()
        if not controls_gate(part, "gold.logical", thorough=False).passed
    )
    return sets | closed_rivals(
        sheet.judges[0],
        frame,
        lambda judge_rows: controls_gate(judge_rows, "gold.logical", strata=strata_of(rows)),
    )


def _leans(answer: pl.Expr) -> pl.Expr:
    """Score 1 where the answer is the pragmatic one, −1 where it is the logical one."""
    return correctness("gold.pragmatic")(answer) - correctness("gold.logical")(answer)


def _claim(
    judge_rows: pl.DataFrame, rows: str, gated: frozenset[tuple[str, str]], beside: str, judge: str
) -> ClaimDraft:
    """Return the claim on the sets whose controls hold."""
    strata = strata_of(rows)
    names = judge_rows[rows].drop_nulls().unique().sort().to_list() if rows else []
    failing = [name for name in names if (judge, plain_name(name)) in gated]
    some_pass = failing and len(failing) < len(names)
    passing_rows = judge_rows.filter(~pl.col(rows).is_in(failing)) if some_pass else judge_rows
    all_controls = balanced_accuracy("logical")(filter_rows(judge_rows, CONTROL))
    controls = controls_gate(passing_rows, "gold.logical", strata=strata)
    controls = _without_failing(controls, failing, len(names), all_controls)
    targets = passing_rows.filter(IS_TARGET)
    shares = {name: share(name)(targets) for name in READINGS}
    # Kinds of scale have more paradigms than single sets.
    kinds = FAMILY if FAMILY in targets.columns else rows
    followed = {name: SCORES[name] for name in READINGS[:2]}
    by_set = sure_rows(targets, kinds, followed) if kinds else {}
    verdict, gate = _verdict(passing_rows, strata, shares, controls, by_set)
    if verdict is None or not gate.passed or gate.p >= LEVEL:
        few = _few_gate(passing_rows, strata, controls)
        verdict, gate = (FEW, few) if few.passed else (verdict, gate)
    marks = shuffled_marks(passing_rows, SCORES, "", strata=strata, of=IS_TARGET)
    shuffled = {mark.series: mark.value for mark in marks}
    values = _values(shuffled, shares, by_set)
    values |= {"sets": len(names), "passing": len(names) - len(failing)}
    values |= {"controls_all": all_controls} if all_controls else {}
    where = kind_tag(judge_rows) | {"role": "target"}
    claim_numbers = tuple(
        ClaimNumber(f"share:{name}", estimate, shuffled.get(name), where)
        for name, estimate in shares.items()
        if estimate
    )
    return ClaimDraft(
        "readings", TOPIC, gate, verdict, values, beside=beside, numbers=claim_numbers
    )


def _values(
    shuffled: Mapping[str, float],
    shares: Mapping[str, Estimate | None],
    by_set: Mapping[str, Sequence[str]],
) -> dict[str, Value]:
    """Return the rates of each reading, those of shuffled answers, and the sets that follow it."""
    rates = {name: rate for name, rate in shares.items() if rate}
    return {
        **rates,
        **{f"shuffled_{name}": share for name, share in shuffled.items()},
        "n": max((rate.n for rate in rates.values()), default=0),
        **{f"{name}_sets": tuple(map(plain_name, sets)) for name, sets in by_set.items() if sets},
    }


def _without_failing(
    controls: Gate, failing: Sequence[str], n_sets: int, over_all: Estimate | None
) -> Gate:
    """Add the sets whose controls fail to the gate; close it if those are all sets."""
    if not failing:
        return controls
    state = State.FAIL if len(failing) == n_sets else State.PARTIAL
    values: dict[str, Value] = {"failing": tuple(map(plain_name, failing))}
    values |= {"kept": n_sets - len(failing), "sets": n_sets}
    values |= {"over_all": over_all} if over_all else {}
    check = GateCheck(Test.CONTROLS, state, values, "control")
    return replace(controls, checks=(*controls.checks, check))


def _verdict(
    passing_rows: pl.DataFrame,
    strata: Sequence[str],
    shares: Mapping[str, Estimate | None],
    controls: Gate,
    by_set: Mapping[str, Sequence[str]],
) -> tuple[Verdict | None, Gate]:
    """Return which reading the model follows, and the gate of that claim.

    Each reading is tested against answers of neither reading and against the shuffled-answer
    baseline. Kinds of scale that significantly follow different readings make it mixed.
    """
    if is_above(shares["neither"], 0.5):
        targets = passing_rows.filter(pl.col("tag.role") == "target")
        gate = behaviour_gate(targets, SCORES["neither"], of=IS_TARGET, strata=strata)
        checks = (*controls.checks, *gate.checks)
        return NEITHER, replace(gate, checks=checks, p=max(controls.p, gate.p))
    net = {reading: _net(passing_rows, reading, strata) for reading in READINGS[:2]}
    clear = [reading for reading, (_, p) in net.items() if p < LEVEL]
    first = max(clear, key=lambda reading: net[reading][0], default="pragmatic")
    both = len(clear) > 1 and is_mixed(shares["logical"], shares["pragmatic"])
    mixed = both or all(by_set.get(name) for name in READINGS[:2])
    sign = 1 if first == "pragmatic" else -1
    p_lean = p_above(passing_rows.filter(IS_TARGET), lambda answer: sign * _leans(answer), 0.0)
    gold = PREVAILING if mixed else f"gold.{first}"
    if mixed:
        passing_rows = passing_rows.with_columns(_prevailing(strata).alias(PREVAILING))
    # Targets with the same premise share their logical answer, so use the gold of the reading that
    # is followed, which varies.
    spec = ScoreSpec(
        follows_reading, gold, strata, IS_TARGET, labels=NLI.labels, text_score=correctness(gold)
    )
    gate = claim_gate(passing_rows, spec, controls)
    gate = settle(
        gate,
        passing_rows,
        _leans,
        IS_TARGET,
        line=0.0,
        what="points more pragmatic than logical answers",
    )
    if mixed:
        return MIXED, gate
    # Either direction could have been reported, so p is doubled.
    gate = replace(gate, p=min(1.0, max(gate.p, 2 * p_lean)))
    return (VERDICTS[first] if clear and p_lean < LEVEL else None), gate


def _few_gate(passing_rows: pl.DataFrame, strata: Sequence[str], controls: Gate) -> Gate:
    """Return the gate of the claim that the pragmatic answer is rare where the readings differ.

    Other answers must be more frequent there than half, and than by the shuffled-answer and the
    partial-input baselines of these items alone, so that guesses do not count.
    """
    pragmatic = correctness("gold.pragmatic")

    def not_pragmatic(answer: pl.Expr) -> pl.Expr:
        return 1 - pragmatic(answer)

    rows = passing_rows.filter(IS_TARGET)
    gate = claim_gate(rows, ScoreSpec(not_pragmatic, "gold.pragmatic", strata), controls)
    p_most = p_above(rows, not_pragmatic, 0.5)
    if p_most >= LEVEL:
        gate = replace(gate, checks=(*gate.checks, GateCheck(Test.DIRECTION, State.FAIL)))
    # It is tested only where no reading prevails, so p is doubled.
    return replace(gate, p=min(1.0, 2 * max(gate.p, p_most)))


def _prevailing(strata: Sequence[str]) -> pl.Expr:
    """Return the gold answer of the reading that the model follows more often in a set."""
    more = [
        ((pl.col("answer") == pl.col(f"gold.{name}")) & IS_TARGET).sum() for name in READINGS[:2]
    ]
    logical, pragmatic = (n_followed.over(strata) if strata else n_followed for n_followed in more)
    return (
        pl.when(logical > pragmatic)
        .then(pl.col("gold.logical"))
        .otherwise(pl.col("gold.pragmatic"))
    )


def _net(passing_rows: pl.DataFrame, reading: str, strata: Sequence[str]) -> tuple[float, float]:
    """Return by how much a reading is followed more often than neither reading, and its p.

    The difference must be above 0 and above that of the shuffled answers.
    """

    def score(answer: pl.Expr) -> pl.Expr:
        return SCORES[reading](answer) - SCORES["neither"](answer)

    surplus = excess(passing_rows, score, over=strata, of=IS_TARGET)
    if surplus is None:
        return 0.0, 1.0
    p = max(surplus.p, p_above(passing_rows.filter(IS_TARGET), score, 0.0))
    return surplus.score.value, p


def _beside(sheet: AnswerSheet, targets: pl.DataFrame, by_row: Sequence[Number]) -> str:
    """List comparison models on all targets, then the paper's model.

    Targets count whether or not the controls hold. The paper's numbers are averaged over the scales
    of these data.
    """

    def describe(model_rows: pl.DataFrame) -> str:
        logical, pragmatic = share("logical")(model_rows), share("pragmatic")(model_rows)
        both = f"{interval(logical)} logical, {interval(pragmatic)} pragmatic"
        return both if logical else "no items"

    rows = {number.row for number in by_row}
    scales = [name for row, name in PRINTED.items() if row in rows]
    if not scales:
        return describe_rivals(sheet, targets, describe)
    printed = {
        reading: fmean(FIGURES["FIGURE_3"][f"{scale}, {reading}", "BERT"] for scale in scales)
        for reading in READINGS[:2]
    }
    shares = ", ".join(f"{round_percent(mean)} {reading}" for reading, mean in printed.items())
    note = f"its sentences, mean of {count(len(scales), 'scale')}, as printed"
    paper = f"BERT in IMPPRES {shares} ({note})"
    return describe_rivals(sheet, targets, describe, paper)


implicature = Chapter(
    "implicature",
    "Scalar implicature",
    WHAT,
    GOOD,
    write=_write,
    order=10,
    needs=NEEDS,
    also=("tag.condition",),
)
