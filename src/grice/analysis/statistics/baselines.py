"""Shuffled-answer, constant and partial-input baselines, and a judge's excess over them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from grice.core.distributions import student_cdf, student_quantile
from grice.core.estimate import Estimate, Floats
from grice.core.measure import Score, ScoreKind

ParadigmIndex = npt.NDArray[np.int64]
# The score of an answer against the columns of its item, as a function of expressions.
AnswerScore = Callable[[pl.Expr], pl.Expr]
# The strata of the partial-input baselines: items of a paradigm with the same text share answers.
HYPOTHESIS, PREMISE = ("group", "hypothesis"), ("group", "premise")


@dataclass(frozen=True)
class Excess:
    """A judge's mean score, that of its baseline, and the difference of the two.

    `p` is one-sided: the probability of such a difference over paradigms if the judge's answers do
    not depend on what the baseline lacks.
    """

    score: Estimate
    baseline: float
    above: Estimate
    paradigms: int
    p: float


# The columns that name the sets of a dataset, within which answers are shuffled.
SETS = ("tag.phenomenon", "tag.set", "tag.trigger", "tag.task")


def set_column(frame: pl.DataFrame) -> str:
    """Return the column that names a phenomenon in this data, or an empty name."""
    return next(
        (c for c in SETS if c in frame.columns and frame[c].null_count() < frame.height), ""
    )


def correctness(gold: str) -> Score:
    """Return the score that is 1 where the answer is the gold one of a column, else 0."""
    return Score(ScoreKind.RIGHT, (gold,))


def is_label(label: str) -> Score:
    """Return the score that is 1 where the answer is this label, else 0."""
    return Score(ScoreKind.ANSWER, (label,))


def neither(*golds: str) -> Score:
    """Return the score that is 1 where the answer is that of none of these gold columns."""
    return Score(ScoreKind.NEITHER, golds)


def difference(first: str, second: str) -> Score:
    """Return the score of being right by one gold column minus being right by another."""
    return Score(ScoreKind.DIFFERENCE, (first, second))


def baseline_scores(
    rows: pl.DataFrame, score: AnswerScore, over: Sequence[str], constant: str = ""
) -> pl.DataFrame:
    """Return the answered rows of one judge with `own` and `twin`, its and the baseline's score.

    `twin` is the score that the answers of the stratum get when they are shuffled over its items:
    the exact mean over all orders. A stratum has the same values in all columns of `over`; without
    columns all rows are one. With `constant` the baseline gives that answer throughout.
    """
    answered = rows.filter(pl.col("answer").is_not_null())
    labels = [constant] if constant else answered["answer"].unique().sort().to_list()

    def share(label: str) -> pl.Expr:
        frequency = (pl.col("answer") == label).mean() if not constant else pl.lit(1.0)
        return frequency.over(over) if over else frequency

    expected = [share(label) * score(pl.lit(label)) for label in labels]
    twin = pl.sum_horizontal(expected, ignore_nulls=False) if expected else pl.lit(None, pl.Float64)
    return answered.with_columns(
        score(pl.col("answer")).alias("own"), twin.alias("baseline")
    ).drop_nulls(["own", "baseline"])


def excess(
    rows: pl.DataFrame,
    score: AnswerScore,
    *,
    over: Sequence[str],
    of: pl.Expr | None = None,
    balance: str = "",
    constant: str = "",
) -> Excess | None:
    """Compare the judge with its baseline on the rows `of`; None without such rows.

    The baseline draws on all of `rows`. With `balance`, every value of that column has the same
    weight, however many rows it has.
    """
    scored = baseline_scores(rows, score, over, constant)
    scored = scored if of is None else scored.filter(of)
    weights = 1 / pl.len().over(balance) if balance else pl.lit(1.0)
    scored = scored.drop_nulls(balance or "own").with_columns(weights.alias("weight"))
    if scored.is_empty():
        return None
    own, twin = (scored[name].to_numpy() for name in ("own", "baseline"))
    weight = scored["weight"].to_numpy()
    group = _paradigms(scored)
    mean_score, error = _weighted(own, weight, group)
    above, spread = _weighted(own - twin, weight, group)
    paradigms, n = int(group.max()) + 1, len(own)
    return Excess(
        _estimate(mean_score, error, n, paradigms, 0.0),
        float(np.average(twin, weights=weight)),
        _estimate(above, spread, n, paradigms, -1.0),
        paradigms,
        above_zero(above, spread, paradigms),
    )


def gold_varies(gold: str, over: Sequence[str]) -> pl.Expr:
    """Return whether the right answer varies within an item's stratum.

    Only there must a baseline that knows the stratum lose to a judge that reads.
    """
    return (pl.col(gold).drop_nulls().n_unique().over(over) > 1) & pl.all_horizontal(
        pl.col(over[1:]).is_not_null()
    )


def p_above(rows: pl.DataFrame, score: AnswerScore, line: float) -> float:
    """Return the one-sided p that the mean score of these rows is above a line; 1 without rows."""
    scored = rows.filter(pl.col("answer").is_not_null()).with_columns(
        score(pl.col("answer")).alias("own")
    )
    scored = scored.drop_nulls("own")
    if scored.is_empty():
        return 1.0
    own = scored["own"].to_numpy() - line
    group = _paradigms(scored)
    return above_zero(*_weighted(own, np.ones(len(own)), group), int(group.max()) + 1)


def above_zero(value: float, error: float, paradigms: int) -> float:
    """Return the one-sided p of a mean over paradigms.

    If all agree, the error is the one that they would have if one of them showed no difference.
    """
    if paradigms < 2 or value <= 0:
        return 1.0
    error = error if error > 1e-12 else value / (paradigms - 1)
    return 1 - student_cdf(paradigms - 1, value / error)


def _paradigms(rows: pl.DataFrame) -> ParadigmIndex:
    """Return a number for each row's paradigm; a row without one is its own."""
    return (
        rows.select(pl.coalesce("group", "id").rank("dense").alias("place"))["place"]
        .to_numpy()
        .astype(np.int64)
        - 1
    )


def _weighted(values: Floats, weight: Floats, group: ParadigmIndex) -> tuple[float, float]:
    mean = float(np.average(values, weights=weight))
    residual = np.bincount(group, weight * (values - mean))
    clusters = len(residual)
    grow = clusters / (clusters - 1) if clusters > 1 else 1.0
    return mean, math.sqrt(float(residual @ residual) * grow) / float(weight.sum())


def _estimate(value: float, error: float, n: int, paradigms: int, least: float) -> Estimate:
    if paradigms < 2:
        return Estimate(value, n)
    half = student_quantile(paradigms - 1, 0.975) * error
    return Estimate(value, n, max(least, value - half), min(1.0, value + half))
