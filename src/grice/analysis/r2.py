"""Variance of a judge's numbers that a tag explains: R² of group means."""

from __future__ import annotations

import math

import numpy as np
import polars as pl

from grice.analysis.statistics.readings import score_of
from grice.analysis.statistics.resample import Z95, clusters
from grice.core.dataset import GOLD, column_of
from grice.core.estimate import Estimate
from grice.tables.table import Measure


def r2(tag: str = "construction", of: str = "") -> Measure:
    """Measure how much variance of the judge's numbers a tag explains, e.g. `r2:signature`.

    `of="human"` explains that gold instead. R² is that of group means, not of a regression on a
    full set of dummies with a constant, which is rank-deficient.
    """

    def compute(frame: pl.DataFrame) -> Estimate | None:
        outcome = pl.col(GOLD + of) if of else score_of(frame)
        rows = frame.select(
            outcome.alias("y"), pl.col(column_of(frame, tag)).alias("x"), "group"
        ).drop_nulls(["x", "y"])
        return explained(rows["y"], rows["x"], rows["group"])

    return Measure(f"r2:{tag}", compute)


def explained(outcome: pl.Series, kinds: pl.Series, groups: pl.Series) -> Estimate | None:
    """Return R² of a categorical predictor; None for fewer than two rows or a constant outcome.

    The interval is Olkin and Finn's, with a cluster counting as one row: resampling rows would be
    optimistic for many small kinds.
    """
    y = outcome.to_numpy().astype(np.float64)
    if len(y) < 2 or float(np.ptp(y)) == 0:
        return None
    y = y - y.mean()
    kind_index = kinds.rank("dense").to_numpy().astype(np.intp) - 1
    count = np.bincount(kind_index)
    value = float((np.bincount(kind_index, y) ** 2 / count).sum() / (y @ y))
    rows = int(clusters(groups).max()) + 1
    return Estimate(value, len(y), *_olkin_finn(value, rows, len(count)))


def _olkin_finn(value: float, rows: int, kinds: int) -> tuple[float | None, float | None]:
    left = rows - kinds
    if left < 1:
        return None, None
    spread = 4 * value * (1 - value) ** 2 * left**2 / ((rows**2 - 1) * (rows + 3))
    half = Z95 * math.sqrt(spread)
    return max(0.0, value - half), min(1.0, value + half)
