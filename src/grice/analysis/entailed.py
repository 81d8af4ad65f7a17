"""Label rate: the share of answers that are one label, whatever the gold."""

from __future__ import annotations

import polars as pl

from grice.analysis.statistics.baselines import is_label
from grice.analysis.statistics.crossed import pooled_mean
from grice.core.estimate import Estimate, mean_of
from grice.tables.table import Measure


def entailed(label: str = "entailment") -> Measure:
    """Measure the rate of entailment answers, or with `entailed:neutral` of another label.

    Of pooled people it is the share of all their answers, with an interval over items and people.
    """

    def compute(frame: pl.DataFrame) -> Estimate | None:
        is_given = (pl.col("answer") == label).cast(pl.Float64)
        return pooled_mean(frame, is_given, ends=(0.0, 1.0)) or mean_of(frame, is_given)

    name = "entailed" if label == "entailment" else f"entailed:{label}"
    return Measure(name, compute, score=is_label(label))
