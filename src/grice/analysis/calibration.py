"""Whether a judge's probabilities mean what they say."""

from __future__ import annotations

import numpy as np
import polars as pl

from grice.analysis.statistics.readings import PROB, answered, gold_column, label_set
from grice.analysis.statistics.resample import interval, sums_by_cluster
from grice.core.errors import unknown
from grice.core.estimate import Estimate, Floats, mean
from grice.core.table import Measure

BINS = 15


def calibration(kind: str = "ece", reading: str = "") -> Measure:
    """`calibration:ece` is the gap between confidence and accuracy over 15 equal bins; `calibration:brier` the squared error.

    The Brier score sums over the labels, from 0 to 2. Rows without probabilities do not count.
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
            return mean(pl.Series(((probs - meant) ** 2).sum(axis=1)), rows["group"])
        columns = _bins(probs, meant)
        ends = interval(sums_by_cluster(columns, rows["group"]), _gap)
        return Estimate(float(_gap(columns.sum(axis=0))), rows.height, *ends)

    return Measure(f"calibration:{kind}", compute, soft=True)


def _bins(probs: Floats, meant: Floats) -> Floats:
    """Rows × (right − confidence in each bin, 1): an upper edge belongs to the bin below it."""
    sure, best = probs.max(axis=1), probs.argmax(axis=1)
    right = meant[np.arange(len(meant)), best].astype(np.float64)
    place = np.clip(np.ceil(sure * BINS).astype(np.intp) - 1, 0, BINS - 1)
    columns = np.zeros((len(probs), BINS + 1))
    columns[np.arange(len(probs)), place] = right - sure
    columns[:, BINS] = 1.0
    return columns


def _gap(sums: Floats) -> Floats:
    gap: Floats = np.abs(sums[..., :BINS]).sum(axis=-1) / sums[..., BINS]
    return gap
