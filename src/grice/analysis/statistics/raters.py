"""Human means and their noise, the judge's number, and the variance that raters add."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

import numpy as np
import numpy.typing as npt
import polars as pl

from grice.analysis.statistics.readings import PROB, score_of
from grice.analysis.statistics.resample import Z95
from grice.core.errors import InputError
from grice.core.estimate import Floats, bounded
from grice.core.ratings import POINTS, read_replies

DRAWS = 200
SPLITS = 10
Sampled = TypeVar("Sampled")
RowIndex = npt.NDArray[np.intp]


def label_value(label: str) -> float | None:
    """Return the number of a label on a scale of points, or None: `7`, `yes`."""
    try:
        return POINTS[label] if label in POINTS else float(label)
    except ValueError:
        return None


def graded(frame: pl.DataFrame) -> pl.Expr:
    """Return a judge's answer as one number.

    It is the mean of its probabilities if labels are points of a scale, else its score.
    """
    labels = [c.removeprefix(PROB) for c in frame.columns if c.startswith(PROB)]
    points = {label: value for label in labels if (value := label_value(label)) is not None}
    if not points:
        return score_of(frame)
    weighed = [pl.col(PROB + label) * value for label, value in points.items()]
    has_probabilities = pl.any_horizontal(pl.col(PROB + label).is_not_null() for label in points)
    expected = pl.when(has_probabilities).then(pl.sum_horizontal(weighed))
    label_values = pl.col("answer").replace_strict(points, default=None, return_dtype=pl.Float64)
    return pl.coalesce(expected, label_values, score_of(frame)).alias("score")


def people_means(frame: pl.DataFrame, tag: str) -> pl.DataFrame:
    """Return `id, group, mean, noise` of the items that two people or more answered with numbers.

    `noise` is the variance that the mean has from the draw of people.
    """
    replies = read_replies(frame, tag).drop_nulls("value")
    if replies.is_empty():
        raise InputError(
            f"people's replies '{tag or 'people'}' are labels and no numbers; use total_variation"
        )
    value = pl.col("value")
    noise = value.var() / pl.len()
    of = replies.group_by("id", "group", maintain_order=True).agg(
        value.mean().alias("mean"), noise.alias("noise"), pl.len().alias("n")
    )
    return of.filter(pl.col("n") >= 2).drop("n").sort("id")


def join_people(frame: pl.DataFrame, tag: str) -> pl.DataFrame:
    """Return the rows of `people_means` that the judge answered, with its number in `said`."""
    answers = frame.select("id", graded(frame).alias("said")).drop_nulls("said")
    return people_means(frame, tag).join(answers, on="id", how="inner").sort("id")


def explainable(sums: Floats) -> Floats:
    """Return the noise ceiling √(1 − noise / variance) from the sums (n, mean, mean², noise).

    It is the highest correlation to be expected with these means, as from the Spearman-Brown
    corrected split-half reliability.
    """
    n, total, squares, noise = np.moveaxis(sums, -1, 0)
    with np.errstate(all="ignore"):
        spread = (squares / n - (total / n) ** 2) * n / (n - 1)
        share = np.where(spread > 0, 1 - noise / n / spread, np.nan)
        root: Floats = np.sqrt(np.where(share > 0, share, np.nan))
    return root


def rater_variance(
    frame: pl.DataFrame, rows: pl.DataFrame, tag: str, *, against: str = ""
) -> float:
    """Return the variance of the correlation that the draw of people adds to that of items.

    With `against`, a column of a second judge's numbers, it is that of the difference of two
    correlations.

    It is the variance over draws of persons minus that over draws of single replies (Cameron,
    Gelbach & Miller 2011): 0 if participants are not identified.
    """
    replies = (
        read_replies(frame, tag)
        .drop_nulls("value")
        .join(rows.select("id", "said"), on="id", how="inner", maintain_order="left")
        .sort("id", "rater", maintain_order=True)
    )
    if replies.is_empty() or (replies["rater"] == "").any():
        return 0.0
    item = replies["id"].rank("dense").to_numpy().astype(np.intp) - 1
    rater = replies["rater"].rank("dense").to_numpy().astype(np.intp) - 1
    judge_values = rows.sort("id").select("said", *([against] if against else [])).to_numpy()
    value = replies["value"].to_numpy()
    by_person = _spread(item, value, judge_values, rater)
    by_reply = _spread(item, value, judge_values, np.arange(len(value), dtype=np.intp))
    return max(0.0, by_person - by_reply)


def _spread(item: RowIndex, value: Floats, judge_values: Floats, unit: RowIndex) -> float:
    draw, units, correlations = np.random.default_rng(0), int(unit.max()) + 1, []
    for _ in range(DRAWS):
        weight = np.bincount(draw.integers(units, size=units), minlength=units)[unit]
        count = np.bincount(item, weight, minlength=len(judge_values))
        is_drawn = count > 0
        means = (
            np.bincount(item, weight * value, minlength=len(judge_values))[is_drawn]
            / count[is_drawn]
        )
        with np.errstate(all="ignore"):
            r = np.corrcoef(means, judge_values[is_drawn].T)[0, 1:]
        correlations.append(float(r[0] - (r[1] if len(r) > 1 else 0.0)))
    finite = np.array(correlations)[np.isfinite(correlations)]
    return float(finite.var(ddof=1)) if len(finite) > 1 else 0.0


def widen(
    value: float,
    ends: tuple[float | None, float | None],
    variance: float,
    *,
    least: float | None = None,
) -> tuple[float | None, float | None]:
    """Return an interval over items widened by a further variance.

    With `least`, it stays between `least` and 1.
    """
    low, high = ends
    if low is None or high is None or not variance:
        return ends
    if least is not None:
        error = float(np.sqrt(((high - low) / (2 * Z95)) ** 2 + variance))
        return bounded(value, error, Z95, least=least)
    more = Z95 * Z95 * variance
    return value - float(np.sqrt((value - low) ** 2 + more)), value + float(
        np.sqrt((high - value) ** 2 + more)
    )


def halves(values: Sequence[Sampled]) -> Iterator[tuple[list[Sampled], list[Sampled]]]:
    """Yield people's answers to one item in two halves, by several fixed random splits."""
    draw = np.random.default_rng([0, len(values)])
    for _ in range(SPLITS):
        order = draw.permutation(len(values))
        middle = len(values) // 2
        yield [values[i] for i in order[:middle]], [values[i] for i in order[middle:]]
