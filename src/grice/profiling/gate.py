"""Tests that decide whether a claim is made: controls, baselines and enough paradigms.

The baselines are the model's own answers, shuffled; the best constant answer; and one text alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import polars as pl

from grice.analysis.statistics.baselines import (
    HYPOTHESIS,
    PREMISE,
    AnswerScore,
    Excess,
    baseline_scores,
    correctness,
    excess,
    gold_varies,
    p_above,
)
from grice.analysis.statistics.paired import holm
from grice.analysis.statistics.planning import Spread, measure_spread, smallest_difference
from grice.core.estimate import Estimate, mean
from grice.profiling.asking import reading_effects
from grice.profiling.phrases import is_above, is_below
from grice.profiling.sheets import plain_name
from grice.reporting.claims import Gate, GateCheck, State, Test, Values
from grice.reporting.model import ALL_ROWS, Mark, MarkKind

# Significance level, minimum balanced accuracy on controls (a constant answer gets a third), and
# minimum difference to the shuffled-answer baseline. Below: minimum items and paradigms of a claim.
LEVEL, RELIABLE, MARGIN = 0.05, 0.6, 0.05
FEWEST_ITEMS, FEWEST_PARADIGMS = 20, 6
# A model is mixed where the interval of the share of an answer lies within 1 - PURE and PURE.
PURE = 0.85
PARTIAL_INPUTS = {Test.HYPOTHESIS_ONLY: HYPOTHESIS, Test.PREMISE_ONLY: PREMISE}
CONTROL, TARGET = pl.col("tag.role") == "control", pl.col("tag.role") == "target"
BLIND_KEY = "shuffled-answer baseline"
Role = Literal["target", "control"]


@dataclass(frozen=True)
class ScoreSpec:
    """What a claim counts: the `score` of an answer on the rows `of`.

    The shuffled-answer baseline permutes answers within `strata`. Partial-input baselines permute
    them within a paradigm, on the items whose `gold` label varies there; they are compared by
    `text_score`, if given, instead of `score`. `labels` are the answers that a constant model may
    give. With `balance`, every value of that column has the same weight. With `every_label` each
    gold label must be predicted more often where it is correct than by the shuffled answers.
    """

    score: AnswerScore
    gold: str
    strata: Sequence[str] = ()
    of: pl.Expr | None = None
    balance: str = ""
    labels: Iterable[str] = ()
    every_label: bool = False
    text_score: AnswerScore | None = None


def claim_gate(rows: pl.DataFrame, spec: ScoreSpec, controls: Gate | None = None) -> Gate:
    """Return the gate of a claim that a model's answers come from reading the items.

    `rows` are all rows of one model that belong together. `controls` is the gate of the chapter's
    controls: its tests are part of this gate.
    """
    shuffled = excess(rows, spec.score, over=spec.strata, of=spec.of, balance=spec.balance)
    base = controls or Gate()
    if shuffled is None:
        unanswered = GateCheck(Test.ANSWERED, State.FAIL)
        return replace(base, checks=(*base.checks, unanswered), p=1.0)
    by_test = {Test.SHUFFLED: shuffled}
    best = _best_constant(rows, spec.score, spec.labels, spec.of, spec.balance)
    if best:
        by_test[Test.MAJORITY] = best
    by_test |= _partial_inputs(rows, spec)
    labels = _label_checks(rows, spec, "target") if spec.every_label else ()
    spread = _spread(rows, spec)
    return Gate(
        n=shuffled.score.n,
        paradigms=shuffled.paradigms,
        score=shuffled.score,
        checks=(
            *base.checks,
            _size_check(shuffled, "target"),
            *_checks(by_test, "target"),
            *labels,
        ),
        p=max([base.p if controls else 0.0, *(test.p for test in by_test.values())]),
        min_detectable_difference=smallest_difference(shuffled.paradigms, spread)
        if spread
        else None,
        methods=reading_effects(rows, spec.score, spec.strata, spec.of),
    )


def controls_gate(
    rows: pl.DataFrame,
    gold: str,
    *,
    strata: Sequence[str] = (),
    of: pl.Expr = CONTROL,
    thorough: bool = True,
) -> Gate:
    """Return the gate of a model's controls: balanced accuracy against its baselines.

    Every label must also be predicted more often where it is correct. With `thorough` off, for a
    single set, only the balanced accuracy counts.
    """
    spec = ScoreSpec(correctness(gold), gold, strata, of & pl.col(gold).is_not_null(), gold)
    shuffled = excess(rows, spec.score, over=strata, of=spec.of, balance=gold)
    if shuffled is None:
        return Gate(checks=(GateCheck(Test.CONTROLS, State.FAIL, role="control"),))
    by_test = {Test.SHUFFLED: shuffled, **(_partial_inputs(rows, spec) if thorough else {})}
    state = State.PASS if shuffled.score.value >= RELIABLE else State.FAIL
    values: Values = {"score": shuffled.score, "baseline": shuffled.baseline, "needed": RELIABLE}
    several = thorough and not single_answer(rows, gold)
    return Gate(
        n=shuffled.score.n,
        paradigms=shuffled.paradigms,
        checks=(
            GateCheck(Test.CONTROLS, state, values, "control"),
            *([_size_check(shuffled, "control")] if thorough else []),
            *_checks(by_test, "control"),
            *(_label_checks(rows, spec, "control") if several else ()),
        ),
        p=max(test.p for test in by_test.values()),
    )


def behaviour_gate(
    rows: pl.DataFrame, score: AnswerScore, *, of: pl.Expr, strata: Sequence[str] = ()
) -> Gate:
    """Return the gate of a claim that the rows `of` are answered in one way.

    That answer must be given to more than half of them, and more often than among the same
    answers shuffled over all `rows`. This is the alternative of negative verdicts: an answer given
    at random over the rows, however frequent, does not pass.
    """
    shuffled = excess(rows, score, over=strata, of=of)
    if shuffled is None:
        return Gate(checks=(GateCheck(Test.ANSWERED, State.FAIL),))
    p_line = p_above(rows.filter(of), score, 0.5)
    rate: Values = {"score": shuffled.score, "line": 0.5}
    side = State.PASS if p_line < LEVEL else State.FAIL
    return Gate(
        n=shuffled.score.n,
        paradigms=shuffled.paradigms,
        score=shuffled.score,
        checks=(
            _size_check(shuffled, "target"),
            *_checks({Test.SHUFFLED: shuffled}, "target"),
            GateCheck(Test.DIRECTION, side, rate),
        ),
        p=max(shuffled.p, p_line),
    )


def closed_rivals(
    judge: str, frame: pl.DataFrame, gate: Callable[[pl.DataFrame], Gate]
) -> frozenset[tuple[str, str]]:
    """Return the models other than `judge` whose gate is closed, each with all of its rows."""
    parts = frame.filter(pl.col("judge") != judge).partition_by("judge", as_dict=True).items()
    return frozenset((str(rival), ALL_ROWS) for (rival,), rows in parts if not gate(rows).passed)


def strata_of(rows: str) -> list[str]:
    """Return the columns within which answers are shuffled: that of the sets, if there is one."""
    return [rows] if rows else []


def single_answer(rows: pl.DataFrame, gold: str) -> str:
    """Return the only gold label of all controls, or "" if there are several.

    Controls with one gold label cannot distinguish reading from a constant answer.
    """
    answers = rows.filter(CONTROL)[gold].drop_nulls().unique(maintain_order=True).to_list()
    return str(answers[0]) if len(answers) == 1 else ""


def shuffled_marks(
    rows: pl.DataFrame,
    scores: Mapping[str, AnswerScore],
    by: str,
    *,
    strata: Sequence[str] = (),
    of: pl.Expr | None = None,
) -> tuple[Mark, ...]:
    """Mark the mean score of one model's answers, shuffled within `strata`.

    There is one mark for each score and each value of the column `by`; without `by`, one for all
    rows.
    """
    marks = []
    for series, score in scores.items():
        scored = baseline_scores(rows, score, strata)
        scored = scored if of is None else scored.filter(of)
        means = scored.select(
            pl.col(by) if by else pl.lit("").alias("row"), "baseline"
        ).drop_nulls()
        means = means.explode(by) if by and means.schema[by] == pl.List(pl.String) else means
        means = means.group_by(by or "row", maintain_order=True).agg(
            pl.col("baseline").drop_nulls().mean()
        )
        for row, baseline in means.sort(by or "row").iter_rows():
            marks.append(
                Mark(plain_name(row), series, float(baseline), BLIND_KEY, kind=MarkKind.SHUFFLED)
            )
    return tuple(marks)


def shuffled_share(
    rows: pl.DataFrame, score: AnswerScore, strata: Sequence[str] = (), of: pl.Expr | None = None
) -> float | None:
    """Return the mean score of shuffled answers over all rows; None without answers."""
    return next(
        (mark.value for mark in shuffled_marks(rows, {"": score}, "", strata=strata, of=of)), None
    )


def is_mixed(*shares: Estimate | None) -> bool:
    """Return whether the interval of each share lies between `1 - PURE` and `PURE`."""
    return all(is_above(share, 1 - PURE) and is_below(share, PURE) for share in shares)


def _partial_inputs(rows: pl.DataFrame, spec: ScoreSpec) -> dict[Test, Excess]:
    """Compare the model with partial-input baselines.

    Only rows whose gold label varies with the other text count.
    """
    excess_by_test = {}
    for test, over in PARTIAL_INPUTS.items():
        if not set(over) <= set(rows.columns):
            continue
        varied = rows.with_columns(gold_varies(spec.gold, over).alias("varied"))
        counted = pl.col("varied") if spec.of is None else pl.col("varied") & spec.of
        score = spec.text_score or spec.score
        text_excess = excess(varied, score, over=over, of=counted, balance=spec.balance)
        if text_excess is not None and _is_enough(text_excess):
            excess_by_test[test] = text_excess
    return excess_by_test


def _best_constant(
    rows: pl.DataFrame, score: AnswerScore, labels: Iterable[str], of: pl.Expr | None, balance: str
) -> Excess | None:
    """Compare the model with the constant answer that scores highest."""
    candidates = [
        compared
        for label in labels
        if (compared := excess(rows, score, over=(), of=of, balance=balance, constant=label))
        is not None
    ]
    return max(candidates, key=lambda candidate: candidate.baseline, default=None)


def sure_rows(
    rows: pl.DataFrame, by: str, scores: Mapping[str, AnswerScore]
) -> dict[str, list[str]]:
    """Return for each score the values of a column whose mean is significantly above half.

    Holm's correction covers all scores and values; the interval of the mean must also lie above.
    """

    def lies_above(part: pl.DataFrame, score: AnswerScore) -> bool:
        own = part.filter(pl.col("answer").is_not_null()).select(
            "group", score(pl.col("answer")).alias("own")
        )
        return is_above(mean(own["own"], own["group"]), 0.5)

    tested = [
        (name, str(value), p_above(part, score, 0.5) if lies_above(part, score) else 1.0)
        for (value,), part in sorted(
            rows.drop_nulls(by).partition_by(by, as_dict=True).items(), key=str
        )
        if enough_paradigms(part)
        for name, score in scores.items()
    ]
    significant: dict[str, list[str]] = {name: [] for name in scores}
    for (name, value, _), p in zip(tested, holm([p for _, _, p in tested]), strict=True):
        if p < LEVEL:
            significant[name].append(value)
    return significant


def enough_paradigms(rows: pl.DataFrame) -> bool:
    """Return whether rows of one model can be tested: enough paradigms, or ungrouped items."""
    return rows["group"].n_unique() >= FEWEST_PARADIGMS or rows["group"].null_count() > 0


def _checks(by_test: Mapping[Test, Excess], role: Role) -> list[GateCheck]:
    """Return the check of each baseline: the score must exceed it significantly.

    The difference to the shuffled-answer baseline must also be at least `MARGIN`.
    """
    checks = []
    for test, compared in by_test.items():
        least = MARGIN if test is Test.SHUFFLED else 0.0
        passed = compared.p < LEVEL and compared.above.value >= least
        values: Values = {
            "score": compared.score,
            "baseline": compared.baseline,
            "above": compared.above,
        }
        checks.append(GateCheck(test, State.PASS if passed else State.FAIL, values, role))
    return checks


def _label_checks(rows: pl.DataFrame, spec: ScoreSpec, role: Role) -> list[GateCheck]:
    """Return a check for each label: it is predicted more often where it is correct."""
    counted = rows if spec.of is None else rows.filter(spec.of)
    checks = []
    for label in counted[spec.gold].drop_nulls().unique().sort().to_list():
        here = pl.col(spec.gold) == label
        of = here if spec.of is None else here & spec.of
        label_excess = excess(rows, correctness(spec.gold), over=spec.strata, of=of)
        if label_excess is not None:
            state = State.PASS if label_excess.p < LEVEL else State.FAIL
            values: Values = {"label": label, "score": label_excess.score, "p": label_excess.p}
            checks.append(GateCheck(Test.LABELS_USED, state, values, role))
    return checks


def _is_enough(counted: Excess) -> bool:
    return counted.score.n >= FEWEST_ITEMS and counted.paradigms >= FEWEST_PARADIGMS


def _size_check(counted: Excess, role: Role) -> GateCheck:
    state = State.PASS if _is_enough(counted) else State.FAIL
    values: Values = {
        "n": counted.score.n,
        "paradigms": counted.paradigms,
        "needed_paradigms": FEWEST_PARADIGMS,
        "unit": "paradigms",
    }
    return GateCheck(Test.SAMPLE_SIZE, state, values, role)


def _spread(rows: pl.DataFrame, spec: ScoreSpec) -> Spread | None:
    """Return the spread of the scores; None where they are constant, which gives no variance."""
    counted = rows if spec.of is None else rows.filter(spec.of)
    counted = counted.filter(pl.col("answer").is_not_null())
    values = counted.select(spec.score(pl.col("answer")).alias("own"))["own"]
    if values.null_count() == len(values):
        return None
    spread = measure_spread(values - values.mean(), counted["group"])
    return spread if spread and spread.variance > 1e-6 else None
