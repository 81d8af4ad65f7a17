"""How far a judge goes with people, as a share of how far people go with each other: correlation over ceiling."""

from __future__ import annotations

import numpy as np
import polars as pl

from grice.analysis.statistics.correlation import moments, r_of
from grice.analysis.statistics.raters import beside_people, explainable, rater_variance, widen
from grice.analysis.statistics.readings import named
from grice.analysis.statistics.resample import interval, sums_by_cluster
from grice.core.estimate import Estimate, Floats
from grice.core.table import Measure


def human_likeness(tag: str = "") -> Measure:
    """`human_likeness:people`: Pearson's r of a judge's numbers with people's means, over the `ceiling` of such an r.

    1 is a judge that knows what people say on average, 0 one that knows nothing of it. The interval is over items
    (by group) and, where the persons are told apart, over people. A judge of labels says P(entailment) − P(contradiction).
    """

    def compute(frame: pl.DataFrame) -> Estimate | None:
        rows = beside_people(frame, tag)
        if rows.height < 3:
            return None
        said, mean = rows["said"].to_numpy(), rows["mean"].to_numpy()
        columns = np.concatenate([moments(said, mean), rows["noise"].to_numpy()[:, None]], axis=1)
        value = float(_likeness(columns.sum(axis=0)))
        if not np.isfinite(value):
            return None
        ends = interval(sums_by_cluster(columns, rows["group"]), _likeness)
        top = float(explainable(columns[:, [0, 2, 4, 6]].sum(axis=0)))
        return Estimate(value, rows.height, *widen(value, ends, rater_variance(frame, rows, tag) / top**2))

    return Measure(named("human_likeness", tag), compute)


def _likeness(sums: Floats) -> Floats:
    value: Floats = r_of(sums[..., :6]) / explainable(sums[..., [0, 2, 4, 6]])
    return value
