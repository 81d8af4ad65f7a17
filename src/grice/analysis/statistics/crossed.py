"""Intervals over crossed random factors: items, the words in them, and the people who answered.

The variance of an estimate is the sum over sets of factors of the squared sums of its rows'
influences per combination of units, with alternating signs (Cameron, Gelbach & Miller 2011): what
two factors share is counted once. Quantiles are Student's with Satterthwaite's degrees of freedom.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
import numpy.typing as npt
import polars as pl

from grice.analysis.statistics.resample import clusters
from grice.core.dataset import TAG
from grice.core.distributions import student_cdf, student_quantile
from grice.core.estimate import UNBOUNDED, Ends, Estimate, Floats, all_agree, bounded
from grice.core.ratings import PEOPLE, read_replies

Units = npt.NDArray[np.intp]
# Tags whose values are words drawn from many, and from how many words on they count as a sample.
WORD_TAGS = ("predicate", "verb", "scale", "word")
MIN_WORDS = 6
# The column of a pooled judge's single answers.
REPLIES = "replies"


@dataclass(frozen=True)
class StandardError:
    """Standard error of an estimate, with its degrees of freedom."""

    error: float
    freedom: int

    @property
    def t(self) -> float:
        """The 97.5% quantile of Student's t."""
        return student_quantile(self.freedom, 0.975)

    def around(self, value: float) -> tuple[float, float]:
        """Return the 95% interval of a value."""
        return value - self.t * self.error, value + self.t * self.error

    def p_value(self, value: float) -> float:
        """Return the two-sided p of a value against 0, which agrees with the interval."""
        if not self.error:
            return float(value == 0)
        return 2 * student_cdf(self.freedom, -abs(value) / self.error)


def crossed_error(influence: Floats, factors: Sequence[Units]) -> StandardError | None:
    """Return the error of an estimate whose rows have these influences; None for one unit.

    Influences sum to 0; a factor is the unit of each row. The variance is at least that of each
    factor alone.
    """
    factors = [factor for factor in factors if factor.max() > 0] or list(factors[:1])
    if factors[0].max() == 0:
        return None
    total, alone, n_units = 0.0, [], []
    for size in range(1, len(factors) + 1):
        for chosen in combinations(factors, size):
            cell = _combine(chosen)
            n = int(cell.max()) + 1
            sums = np.bincount(cell, influence, minlength=n)
            variance = float(sums @ sums) * n / max(1, n - 1)
            total += variance if size % 2 else -variance
            if size == 1:
                alone.append(variance)
                n_units.append(n)
    total = max(total, *alone)
    if len(factors) == 1 or not total:
        return StandardError(math.sqrt(total), n_units[0] - 1)
    # What is left of a factor without the replies that every factor's sums contain.
    shared = min(variance, *alone)
    own = [(part - shared) ** 2 / (n - 1) for part, n in zip(alone, n_units, strict=True)]
    spread = sum(own) + shared**2 / (len(influence) - 1)
    df = math.floor(total**2 / spread + 1e-9) if spread else len(influence) - 1
    return StandardError(math.sqrt(total), max(min(n_units) - 1, min(df, sum(n_units) - 2)))


def _combine(factors: Sequence[Units]) -> Units:
    """Return one number per combination of units, without gaps."""
    cell = factors[0]
    for factor in factors[1:]:
        cell = np.unique(cell * (int(factor.max()) + 1) + factor, return_inverse=True)[1]
    return cell


def item_factors(rows: pl.DataFrame) -> list[Units]:
    """Return the factors of items: their paradigm, and the words that are crossed with it."""
    words = [TAG + tag for tag in WORD_TAGS if TAG + tag in rows.columns]
    words = [tag for tag in words if rows[tag].drop_nulls().n_unique() >= MIN_WORDS]
    return [clusters(rows["group"]), *(clusters(rows[tag]) for tag in words)]


def crossed_mean(values: Floats, factors: Sequence[Units], *, ends: Ends = UNBOUNDED) -> Estimate:
    """Return the mean of replies, with its interval over all factors; n is that of the first one.

    Values lie between the `ends`, and so does the interval: Wilson's where every value is an end,
    otherwise Student's, cut there.
    """
    value, units = float(values.mean()), int(factors[0].max()) + 1
    error = crossed_error((values - value) / len(values), factors)
    if error is None:
        return Estimate(value, units)
    least, most = ends
    if ends != UNBOUNDED and error.error <= 1e-12 * abs(value):
        fewest = min(int(factor.max()) + 1 for factor in factors)
        return Estimate(value, units, *all_agree(value, fewest, ends))
    if np.isin(values, ends).all():
        return Estimate(value, units, *bounded(value, error.error, error.t, least=least, most=most))
    low, high = error.around(value)
    return Estimate(value, units, max(least, low), min(most, high))


def pooled_mean(frame: pl.DataFrame, score: pl.Expr, *, ends: Ends = UNBOUNDED) -> Estimate | None:
    """Return the mean score of all answers of a pooled judge; None if the rows have no such.

    The interval is over items and people, and both are counted.
    """
    if REPLIES not in frame.columns or frame[REPLIES].null_count():
        return None
    tags = pl.col("^tag\\.(predicate|verb|scale|word)$")
    rows = frame.drop(TAG + PEOPLE, strict=False).rename({REPLIES: TAG + PEOPLE})
    about = rows.select("id", tags)
    long = read_replies(rows).join(about, on="id", maintain_order="left")
    long = long.with_columns(score.alias("score"), pl.coalesce("group", "id")).drop_nulls("score")
    if long.is_empty():
        return None
    rater = long["rater"].rank("dense").to_numpy().astype(np.intp) - 1
    estimate = crossed_mean(long["score"].to_numpy(), [*item_factors(long), rater], ends=ends)
    return replace(estimate, n=long["id"].n_unique(), people=int(rater.max()) + 1)


def crossed_difference(
    values: Floats, is_first: npt.NDArray[np.bool_], factors: Sequence[Units]
) -> tuple[Estimate, StandardError | None]:
    """Return the mean of some replies minus that of the others, over the same units.

    It is the coefficient of the condition in an additive model with the factors within whose units
    the condition varies, so that a person who saw more of one condition does not shift it.
    """
    within = [factor for factor in factors if _varies_within(is_first, factor)]
    condition = _without_means(is_first.astype(np.float64), within)
    centred = _without_means(values, within)
    slope = float(condition @ centred) / float(condition @ condition)
    error = crossed_error(
        condition * (centred - slope * condition) / float(condition @ condition), factors
    )
    ends = error.around(slope) if error else (None, None)
    return Estimate(slope, int(factors[0].max()) + 1, *ends), error


def _varies_within(is_first: npt.NDArray[np.bool_], factor: Units) -> bool:
    """Return whether most units of a factor have replies in both conditions."""
    shares = np.bincount(factor, is_first) / np.bincount(factor)
    return bool(np.mean((shares > 0) & (shares < 1)) > 0.5)


def _without_means(values: Floats, factors: Sequence[Units]) -> Floats:
    """Return values without the means of the units of all factors, by alternating projections."""
    values = values - values.mean()
    sizes = [np.bincount(factor) for factor in factors]
    for _ in range(200):
        before = values
        for factor, size in zip(factors, sizes, strict=True):
            values = values - (np.bincount(factor, values) / size)[factor]
        if float(np.abs(values - before).max()) < 1e-10:
            break
    return values


def correlation_influence(x: Floats, y: Floats, r: float) -> Floats:
    """Return the influence of each row on Pearson's r, as leaving it out would show it."""
    a, b = ((side - side.mean()) / side.std() for side in (x, y))
    leverage = np.minimum((1 + a * a) / len(x), 0.9)
    influence: Floats = (a * b - r / 2 * (a * a + b * b)) / np.sqrt(1 - leverage) / len(x)
    return influence


def correlation_interval(
    r: float, error: StandardError | None, top: float = 1.0
) -> tuple[float | None, float | None]:
    """Return the interval of r / `top`: Student's t on atanh r; `error` is that of r / `top`."""
    if error is None or abs(r) >= 1:
        return (None, None) if error is None else (r / top, r / top)
    z, half = math.atanh(r), error.t * error.error * top / (1 - r * r)
    return math.tanh(z - half) / top, math.tanh(z + half) / top
