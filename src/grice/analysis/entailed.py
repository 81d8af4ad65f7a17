"""Label rate: the share of answers that are one label, whatever the gold."""

from __future__ import annotations

import polars as pl

from grice.analysis.statistics.baselines import is_label
from grice.core.estimate import Estimate, mean
from grice.tables.table import Measure


def entailed(label: str = "entailment") -> Measure:
    """Measure the rate of entailment answers, or with `entailed:neutral` of another label."""

    def compute(frame: pl.DataFrame) -> Estimate | None:
        return mean((frame["answer"] == label).cast(pl.Float64), frame["group"])

    name = "entailed" if label == "entailment" else f"entailed:{label}"
    return Measure(name, compute, score=is_label(label))
