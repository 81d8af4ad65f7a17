"""Prompt sensitivity of claims: whether a claim holds under every prompt variant of a run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import polars as pl

from grice.analysis.statistics.baselines import AnswerScore, baseline_scores
from grice.analysis.statistics.methods import effects
from grice.core.estimate import Estimate
from grice.core.methods import (
    DEPENDS,
    METHOD,
    METHOD_VERDICTS,
    ROBUST,
    MethodEffects,
    expand_methods,
    has_methods,
)
from grice.profiling.sheets import AnswerSheet
from grice.reporting.claims import Gate, GateCheck, State, Test, Values
from grice.reporting.model import EVIDENCE, Figure, Number, Query

# More prompt variants than this are shown by factor level, one row per level.
MOST_ROWS = 24
# With fewer answers, variants are not ranked.
LEAST_RANKED = 5
READS = "points above the shuffled-answer baseline"


def reading_effects(
    rows: pl.DataFrame, score: AnswerScore, over: Sequence[str], of: pl.Expr | None
) -> MethodEffects | None:
    """Return how far a score exceeds that of shuffled answers, by prompt variant.

    None where the rows have a single prompt variant.

    A method has few answers in a set, so the baseline draws on the other methods' answers.
    """
    answers = _several(rows)
    if answers is None:
        return None
    strata = [*over, METHOD]
    scored = baseline_scores(answers, score, strata).with_columns(
        pl.len().over(strata).alias("size")
    )
    counted = (scored if of is None else scored.filter(of)).filter(pl.col("size") > 1)
    above = (pl.col("own") - pl.col("baseline")) * pl.col("size") / (pl.col("size") - 1)
    return _effects(counted, above, READS, 0.0)


def settle(
    gate: Gate, rows: pl.DataFrame, score: AnswerScore, of: pl.Expr, *, line: float, what: str
) -> Gate:
    """Return the gate with the weaker of two verdicts on prompt sensitivity.

    The first is that the score lies on one side of `line`, the second (`gate.methods`) that it
    exceeds the score of the model's own answers, shuffled.
    """
    answers = _several(rows)
    side = (
        _effects(answers.filter(of), score(pl.col("answer")), what, line)
        if answers is not None
        else None
    )
    if side is None:
        return gate
    both = [side] if gate.methods is None else [side, gate.methods]
    # Dependence on the prompt variant takes precedence, then an inconclusive result.
    rank = [METHOD_VERDICTS.index(name) for name in (DEPENDS, METHOD_VERDICTS[2], ROBUST)]
    worst = min(both, key=lambda candidate: rank.index(METHOD_VERDICTS.index(candidate.verdict)))
    return replace(gate, methods=worst)


def prompt_check(gate: Gate) -> GateCheck | None:
    """Return the failed check of a claim that holds with some prompt variants only, else None."""
    effects_by_method = gate.methods
    if effects_by_method is None or effects_by_method.verdict != DEPENDS:
        return None
    (best_name, best), (worst_name, worst) = effects_by_method.best, effects_by_method.worst
    values: Values = {
        "what": effects_by_method.what,
        "best": _share(best.value, effects_by_method),
        "best_name": best_name,
        "worst": _share(worst.value, effects_by_method),
        "worst_name": worst_name,
        "estimate": effects_by_method.mean,
    }
    return GateCheck(Test.PROMPT_VARIANTS, State.FAIL, values)


def method_figures(sheet: AnswerSheet, drafts: Iterable[tuple[str, Gate]]) -> tuple[Figure, ...]:
    """Draw the numbers of the claims by prompt variant, or by level where there are many variants.

    Claims that count the same thing share a figure; each further thing that is counted gets a
    figure of its own.
    """
    groups: dict[tuple[str, float], dict[str, MethodEffects]] = {}
    for name, gate in drafts:
        if gate.methods is not None:
            groups.setdefault((gate.methods.what, gate.methods.threshold), {})[name] = gate.methods
    titles = ["By prompt variant", *(f"By prompt variant: {what}" for what, _ in list(groups)[1:])]
    return tuple(
        _figure(sheet, claims, f"methods{number or ''}", title)
        for number, (claims, title) in enumerate(zip(groups.values(), titles, strict=False))
    )


def _figure(sheet: AnswerSheet, claims: Mapping[str, MethodEffects], id: str, title: str) -> Figure:
    numbers = []
    for name, method_effects in claims.items():
        query, series = (
            Query(sheet.index, {}, method_effects.judge),
            name if len(claims) > 1 else "",
        )
        numbers += [
            Number(row, series, method_effects.judge, mean, query)
            for row, mean in _rows(method_effects).items()
        ]
    first = next(iter(claims.values()))
    low = min(0.0, *(number.value for number in numbers))
    verdicts = "; ".join(
        f"{name}: {method_effects.verdict}" for name, method_effects in claims.items()
    )
    rows = sorted(_rows(first).items(), key=lambda row: row[1].value)
    ends = [
        f"{name} ({_share(mean.value, first)}, n = {mean.n:,})"
        for name, mean in (rows[-1], rows[0])
    ]
    few = min(mean.n for _, mean in (rows[-1], rows[0])) < LEAST_RANKED
    ranked = (
        "The answers are too few to rank the prompt variants."
        if few
        else f"Most favourable: {ends[0]}; least: {ends[1]}."
    )
    return Figure(
        id,
        title,
        "dots",
        tuple(numbers),
        f"{ranked} Over all prompt variants, {verdicts}.",
        names="method",
        across=first.what,
        line=first.threshold,
        domain=(-1.0 if low < 0 else 0.0, 1.0),
        rests_on=EVIDENCE,
        note=(
            "Each item was asked with a few of these prompt variants; items differ between rows by"
            " chance. The command grice methods gives the variance by factor."
        ),
    )


def _share(value: float, method_effects: MethodEffects) -> str:
    """Format a share, or signed percentage points where a difference is counted."""
    return (
        f"{100 * value:+.0f}".replace("-", "−")
        if method_effects.threshold == 0.0
        else f"{value:.0%}"
    )


def _rows(method_effects: MethodEffects) -> Mapping[str, Estimate]:
    """Return the mean under each variant, or under each level of a factor if there are many."""
    if len(method_effects.methods) <= MOST_ROWS:
        return method_effects.methods
    return {
        f"{part.source} {level}": mean
        for part in method_effects.components
        for level, mean in part.levels.items()
    }


def _several(rows: pl.DataFrame) -> pl.DataFrame | None:
    answers = expand_methods(rows, samples=True) if has_methods(rows) else None
    return (
        answers
        if answers is not None
        and answers.filter(pl.col("answer").is_not_null())[METHOD].n_unique() > 1
        else None
    )


def _effects(rows: pl.DataFrame, value: pl.Expr, what: str, line: float) -> MethodEffects | None:
    answered = rows.filter(value.is_not_null())
    return (
        effects(answered, value, what=what, threshold=line)
        if answered[METHOD].n_unique() > 1
        else None
    )
