"""Accuracy averaged over the values of a tag, with equal weight for each value."""

from __future__ import annotations

import numpy as np
import polars as pl

from grice.analysis.statistics.readings import answered, gold_column, named
from grice.analysis.statistics.resample import share_interval, sums_by_cluster
from grice.core.dataset import column_of
from grice.core.estimate import Estimate, Floats, mean
from grice.tables.table import Measure


def macro(reading: str = "", by: str = "scale") -> Measure:
    """Measure the mean accuracy over the values of a tag, by default over lexical scales.

    `macro:pragmatic` is how IMPPRES reports its scalar results.
    """

    def compute(frame: pl.DataFrame) -> Estimate | None:
        column = gold_column(frame, reading)
        tag = column_of(frame, by)
        rows = answered(frame, column).filter(pl.col(tag).is_not_null())
        right = (rows["answer"] == rows[column]).cast(pl.Float64)
        kinds = rows[tag].unique().sort()
        if len(kinds) < 2:
            return mean(right, rows["group"])
        members = [(rows[tag] == kind).to_numpy() for kind in kinds]
        member = np.stack(members, axis=1).astype(np.float64)
        columns = np.concatenate([member * right.to_numpy()[:, None], member], axis=1)
        ends = share_interval(sums_by_cluster(columns, rows["group"]), _mean_of_shares)
        return Estimate(float(_mean_of_shares(columns.sum(axis=0))), rows.height, *ends)

    return Measure(named("macro", reading), compute)


def _mean_of_shares(sums: Floats) -> Floats:
    right, count = np.split(sums, 2, axis=-1)
    shares: Floats = (right / count).mean(axis=-1)
    return shares
