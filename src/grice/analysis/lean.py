"""Label bias: how much more often a judge gives one label than the gold does."""

from __future__ import annotations

import polars as pl

from grice.analysis.statistics.readings import answered, gold_column, label_set, named
from grice.analysis.statistics.swaps import mean_difference
from grice.core.errors import unknown
from grice.core.estimate import Estimate
from grice.tables.table import Measure


def lean(label: str = "entailment", reading: str = "") -> Measure:
    """Measure label bias: the rate of a label among answers minus that among gold answers.

    `lean:contradiction` names the label; 0 is no bias.
    """

    def compute(frame: pl.DataFrame) -> Estimate | None:
        column = gold_column(frame, reading)
        if label not in (known := label_set(frame)):
            raise unknown("label", label, known)
        rows = answered(frame, column)
        more = (rows["answer"] == label).cast(pl.Float64) - (rows[column] == label).cast(pl.Float64)
        return mean_difference(more, rows["group"])

    return Measure(named("lean", label), compute)
