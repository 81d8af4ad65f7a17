"""What answers tell that the same answers would not tell without reading: a judge against its blind
twins.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from grice.core.distributions import student_cdf, student_quantile
from grice.core.estimate import Estimate, Floats

ParadigmIndex = npt.NDArray[np.int64]
# The score of an answer against the columns of its item: an expression made of an expression.
AnswerScore = Callable[[pl.Expr], pl.Expr]
# A twin that sees one text only gives the answers of all items of the paradigm that share this
# text.
HYPOTHESIS, PREMISE = ("group", "hypothesis"), ("group", "premise")


@dataclass(frozen=True)
class Excess:
    """A judge's mean score, its blind twin's, and how far the first lies above the second.

    `p` is one-sided: how often paradigms would differ from the twin by so much if the judge did not
    read.
    """

    score: Estimate
    twin: float
    above: Estimate
    paradigms: int
    p: float


# What names the sets of a dataset: the twin's answers are shuffled within them, as they were asked.
SETS = ("tag.phenomenon", "tag.set", "tag.trigger", "tag.task")


def row_column(frame: pl.DataFrame) -> str:
    """The column that names a phenomenon in this data, or nothing."""
    return next(
        (c for c in SETS if c in frame.columns and frame[c].null_count() < frame.height), ""
    )


def shuffle_answers(frame: pl.DataFrame, seed: int) -> pl.DataFrame:
    """The same rows with each judge's replies shuffled over the items of a set: what it gives
    without reading.
    """
    replies = [c for c in frame.columns if c in ("answer", "value", "fault") or c.startswith("p.")]
    over = ["judge", *([row_column(frame)] if row_column(frame) else [])]
    order = pl.int_range(pl.len()).shuffle(seed=seed).over(over)
    return frame.with_columns(pl.col(replies).gather(order).over(over))


def right(gold: str) -> AnswerScore:
    """1 where the answer is the gold one of a column, else 0."""
    return lambda answer: (answer == pl.col(gold)).cast(pl.Float64)


def is_label(label: str) -> AnswerScore:
    """1 where the answer is this label, else 0."""
    return lambda answer: (answer == label).cast(pl.Float64)


def twin_scores(
    rows: pl.DataFrame, score: AnswerScore, over: Sequence[str], constant: str = ""
) -> pl.DataFrame:
    """The answered rows of one judge with `own`, its score, and `twin`, the mean score of its
    answers within a stratum.

    `twin` is what the answers of the stratum get when they are shuffled over its items: the exact
    mean over all orders. A stratum has the same values in all columns of `over`; without columns
    all rows are one. With `constant` the twin gives that answer throughout.
    """
    answered = rows.filter(pl.col("answer").is_not_null())
    labels = [constant] if constant else answered["answer"].unique().sort().to_list()

    def share(label: str) -> pl.Expr:
        frequency = (pl.col("answer") == label).mean() if not constant else pl.lit(1.0)
        return frequency.over(over) if over else frequency

    expected = [share(label) * score(pl.lit(label)) for label in labels]
    twin = pl.sum_horizontal(expected, ignore_nulls=False) if expected else pl.lit(None, pl.Float64)
    return answered.with_columns(
        score(pl.col("answer")).alias("own"), twin.alias("twin")
    ).drop_nulls(["own", "twin"])


def excess(
    rows: pl.DataFrame,
    score: AnswerScore,
    *,
    over: Sequence[str],
    of: pl.Expr | None = None,
    balance: str = "",
    constant: str = "",
) -> Excess | None:
    """The judge against its twin on the rows `of`, the twin drawing on all of `rows`; None without
    such rows.

    With `balance`, every value of that column weighs the same, however many rows it has.
    """
    scored = twin_scores(rows, score, over, constant)
    scored = scored if of is None else scored.filter(of)
    if balance:
        scored = scored.drop_nulls(balance).with_columns(
            (1 / pl.len().over(balance)).alias("weight")
        )
    else:
        scored = scored.with_columns(pl.lit(1.0).alias("weight"))
    if scored.is_empty():
        return None
    own, twin = (scored[name].to_numpy() for name in ("own", "twin"))
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


def informative(gold: str, over: Sequence[str]) -> pl.Expr:
    """Whether the right answer varies within an item's stratum, so that a twin kept to it must lose
    to a reader.
    """
    return (pl.col(gold).drop_nulls().n_unique().over(over) > 1) & pl.all_horizontal(
        pl.col(over[1:]).is_not_null()
    )


def surely_above(rows: pl.DataFrame, score: AnswerScore, line: float) -> float:
    """The one-sided p that the mean score of these rows lies above a line; 1 without rows."""
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
    """The one-sided p of a mean over paradigms; where all agree, that of as many equal signs."""
    if paradigms < 2 or value <= 0:
        return 1.0
    if error <= 1e-12:
        return 0.5**paradigms
    return 1 - student_cdf(paradigms - 1, value / error)


def _paradigms(rows: pl.DataFrame) -> ParadigmIndex:
    """A number for each row's paradigm; a row without one stands alone."""
    return (
        rows.select(pl.coalesce("group", "id").rank("dense").alias("place"))["place"]
        .to_numpy()
        .astype(np.int64)
        - 1
    )


def _weighted(values: Floats, weight: Floats, group: ParadigmIndex) -> tuple[float, float]:
    """A weighted mean and its standard error, paradigms being the units that vary."""
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
