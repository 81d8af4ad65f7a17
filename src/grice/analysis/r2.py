"""How much of the variation of a judge's numbers a tag explains: R² of group means."""

from __future__ import annotations

import numpy as np
import polars as pl

from grice.analysis._readings import score_of
from grice.analysis._resample import interval, sums_by_cluster
from grice.core.dataset import GOLD, column_of
from grice.core.estimate import Estimate, Floats
from grice.core.table import Measure


def r2(tag: str = "construction", of: str = "") -> Measure:
    """`r2:signature` explains the judge's numbers; `of="human"` explains that gold instead.

    Group means, not a regression on a full set of dummies with a constant, which is rank-deficient.
    """

    def compute(frame: pl.DataFrame) -> Estimate | None:
        outcome = pl.col(GOLD + of) if of else score_of(frame)
        rows = frame.select(outcome.alias("y"), pl.col(column_of(frame, tag)).alias("x"), "group").drop_nulls(
            ["x", "y"]
        )
        return explained(rows["y"], rows["x"], rows["group"])

    return Measure(f"r2:{tag}", compute)


def explained(outcome: pl.Series, kinds: pl.Series, groups: pl.Series) -> Estimate | None:
    """R² of a categorical predictor; None where there are fewer than two rows or nothing varies."""
    y = outcome.to_numpy().astype(np.float64)
    if len(y) < 2 or float(np.ptp(y)) == 0:
        return None
    y = y - y.mean()
    member = kinds.to_frame("kind").to_dummies().to_numpy().astype(np.float64)
    columns = np.concatenate([(y * y)[:, None], member, member * y[:, None]], axis=1)
    ends = interval(sums_by_cluster(columns, groups), _explained)
    return Estimate(float(_explained(columns.sum(axis=0))), len(y), *ends)


def _explained(sums: Floats) -> Floats:
    squares, (count, total) = sums[..., 0], np.split(sums[..., 1:], 2, axis=-1)
    middle = total.sum(axis=-1) ** 2 / count.sum(axis=-1)
    between = (total**2 / np.where(count > 0, count, 1)).sum(axis=-1) - middle
    value: Floats = between / (squares - middle)
    return value
