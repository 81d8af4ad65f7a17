"""Label rate: the share of answers that are one label, whatever the gold."""

from __future__ import annotations

import polars as pl

from grice.analysis.statistics.baselines import is_label
from grice.analysis.statistics.crossed import pooled_mean
from grice.core.estimate import Estimate, mean
from grice.tables.table import Measure


def entailed(label: str = "entailment") -> Measure:
    """Measure the rate of entailment answers, or with `entailed:neutral` of another label.

    Of pooled people it is the share of all their answers, with an interval over items and people.
    """

    def compute(frame: pl.DataFrame) -> Estimate | None:
        pooled = pooled_mean(frame, (pl.col("answer") == label).cast(pl.Float64), ends=(0.0, 1.0))
        if pooled is not None:
            return pooled
        return mean((frame["answer"] == label).cast(pl.Float64), frame["group"])

    name = "entailed" if label == "entailment" else f"entailed:{label}"
    return Measure(name, compute, score=is_label(label))
