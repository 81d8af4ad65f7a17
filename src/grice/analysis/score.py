"""How far a judge leans from contradiction to entailment: the mean of P(entailment) −
P(contradiction).
"""

from __future__ import annotations

import polars as pl

from grice.analysis.statistics.readings import score_of
from grice.core.estimate import Estimate, mean
from grice.core.table import Measure


def score() -> Measure:
    """From −1 to 1 for a judge of labels; the mean of its own numbers for one that gives numbers."""

    def compute(frame: pl.DataFrame) -> Estimate | None:
        return mean(frame.select(score_of(frame))["score"], frame["group"])

    return Measure("score", compute)
