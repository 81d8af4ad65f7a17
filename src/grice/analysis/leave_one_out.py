"""Leave-one-out correlation of each judge with the mean of the others."""

from __future__ import annotations

import numpy as np
import polars as pl

from grice.analysis.statistics.correlation import moments, r_of, ranks
from grice.analysis.statistics.resample import estimate_sums
from grice.analysis.statistics.several import ratings
from grice.core.errors import unknown
from grice.core.estimate import Estimate, Floats
from grice.tables.table import Measure


def leave_one_out(kind: str = "pearson") -> Measure:
    """Measure the mean correlation of each judge's numbers with the mean of the others'.

    `leave_one_out:spearman` correlates ranks. Each column must be one rater. Where a release sorts
    the ratings of an item, the columns are not raters and this comes out too high.
    """
    if kind not in ("pearson", "spearman"):
        raise unknown("kind of correlation", kind, ("pearson", "spearman"))

    def compute(frame: pl.DataFrame) -> Estimate | None:
        table, groups = ratings(frame)
        table_mask = np.isfinite(table)
        count, total = table_mask.sum(axis=1), np.where(table_mask, table, 0.0).sum(axis=1)
        parts = [
            _against_rest(table[:, j], table_mask[:, j], count, total, kind)
            for j in range(table.shape[1])
        ]
        columns = np.concatenate(
            [part for part in parts if part is not None] or [np.empty((0, 0))], axis=1
        )
        if not columns.size:
            return None

        def average(sums: Floats) -> Floats:
            parts = [r_of(part) for part in np.split(sums, sums.shape[-1] // 6, axis=-1)]
            mean: Floats = np.mean(parts, axis=0)
            return mean

        n = int((count >= 2).sum())
        return estimate_sums(columns, groups, average, n=n, least=-1.0)

    empty = "no correlation where a judge has fewer than two items with others, or is constant"
    return Measure(f"leave_one_out:{kind}", compute, many=True, empty=empty)


def _against_rest(
    values: Floats, is_rated: Floats, count: Floats, total: Floats, kind: str
) -> Floats | None:
    """Return the sums of one judge against the rest; None for fewer than two items.

    Rows without an answer of the judge or of the rest are zero.
    """
    rows = is_rated.astype(bool) & (count >= 2)
    if rows.sum() < 2:
        return None
    rest = (total[rows] - values[rows]) / (count[rows] - 1)
    own = values[rows]
    if kind == "spearman":
        own, rest = ranks(own), ranks(rest)
    columns = np.zeros((len(values), 6))
    columns[rows] = moments(own, rest)
    return columns
