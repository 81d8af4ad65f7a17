"""Calibration of a judge's probabilities: expected calibration error and Brier score."""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np
import polars as pl

from grice.analysis.statistics.readings import PROB, answered, gold_column, label_set
from grice.analysis.statistics.resample import Z95, sums_by_cluster
from grice.core.distributions import student_quantile
from grice.core.errors import unknown
from grice.core.estimate import Estimate, Floats, mean, wilson
from grice.tables.table import Measure

BINS = 15
# The fraction of its bias that is estimated on average for a bin without a gap: E|N(x, 1)| − |x|
# for x of N(0, 1).
BIAS_FOUND = math.sqrt(2) - 1


def calibration(kind: str = "ece", reading: str = "") -> Measure:
    """Measure calibration: `calibration:ece` over 15 equal bins, or `calibration:brier`.

    The expected calibration error is the gap between confidence and accuracy. The Brier score is
    the squared error, summed over the labels, from 0 to 2. Rows without probabilities do not count.
    The gap is biased upwards, since chance makes gaps in bins that have none: the value is the
    usual one, 0.08 for a perfectly calibrated judge on 80 items, and the lower end of the interval
    is corrected for that bias (`gap_interval`).
    """
    if kind not in ("ece", "brier"):
        raise unknown("kind of calibration", kind, ("ece", "brier"))

    def compute(frame: pl.DataFrame) -> Estimate | None:
        column, labels = gold_column(frame, reading), label_set(frame)
        rows = answered(frame, column).drop_nulls([PROB + label for label in labels])
        if rows.is_empty():
            return None
        probs = rows.select(PROB + label for label in labels).to_numpy().astype(np.float64)
        meant = np.stack([(rows[column] == label).to_numpy() for label in labels], axis=1)
        if kind == "brier":
            errors = pl.Series(((probs - meant) ** 2).sum(axis=1))
            return mean(errors, rows["group"], ends=(0.0, 2.0))
        columns = _bins(probs, meant)
        value = float(np.abs(columns[:, :BINS].sum(axis=0)).sum() / rows.height)
        return Estimate(value, rows.height, *gap_interval(sums_by_cluster(columns, rows["group"])))

    return Measure(f"calibration:{kind}", compute, soft=True)


def _bins(probs: Floats, meant: Floats) -> Floats:
    """Return rows × (right − confidence in each bin, 1); upper edges belong to the bin below."""
    confidence, best = probs.max(axis=1), probs.argmax(axis=1)
    right = meant[np.arange(len(meant)), best].astype(np.float64)
    bin_index = np.clip(np.ceil(confidence * BINS).astype(np.intp) - 1, 0, BINS - 1)
    columns = np.zeros((len(probs), BINS + 1))
    columns[np.arange(len(probs)), bin_index] = right - confidence
    columns[:, BINS] = 1.0
    return columns


def gap_interval(sums: Floats) -> tuple[float | None, float | None]:
    """Return the interval of the gap for infinitely many items.

    `sums` are clusters × (right − confidence in each bin, rows). The interval is Student's t on
    paradigms, with the gap of each bin counted in the observed direction; from the lower end the
    bias of a sum of absolute values is subtracted, bin by bin. The upper end stays, since gaps that
    all go one way have no bias. It covers 94–99% with 8, 20 and 100 paradigms, most where gaps are
    as large as their errors; a percentile bootstrap never covers the truth of a calibrated judge
    (benchmarks/coverage.py). If all paradigms agree, it is as for `mean`.
    """
    gaps, sizes, count = sums[:, :BINS], sums[:, BINS], len(sums)
    if count < 2:
        return None, None
    rows = float(sizes.sum())
    means = gaps.sum(axis=0) / rows
    beyond, scale = gaps - np.outer(sizes, means), math.sqrt(count / (count - 1)) / rows
    value = float(np.abs(means).sum())
    error = scale * float(np.linalg.norm(beyond @ np.sign(means)))
    if error <= 1e-12:
        unlike = wilson(0.0, count)[1]
        return value - value * unlike, value + (1 - value) * unlike
    t = student_quantile(count - 1, 0.975)
    errors = t / Z95 * scale * np.linalg.norm(beyond, axis=0)
    bias = sum(
        _bias(abs(float(gap)), float(bin_error))
        for gap, bin_error in zip(means, errors, strict=True)
        if bin_error > 0
    )
    return max(0.0, value - bias / BIAS_FOUND - t * error), min(1.0, value + t * error)


def _bias(gap: float, error: float) -> float:
    """Return the bias of a folded normal mean: E|X| − gap for X ~ N(gap, error²), gap ≥ 0."""
    normal, z = NormalDist(), gap / error
    return 2 * error * (normal.pdf(z) - z * normal.cdf(-z))
