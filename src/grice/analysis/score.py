"""Entailment score: the mean of P(entailment) − P(contradiction)."""

from __future__ import annotations

import polars as pl

from grice.analysis.statistics.readings import score_of
from grice.core.estimate import Estimate, mean
from grice.tables.table import Measure


def score() -> Measure:
    """Measure the mean entailment score, from −1 to 1, or the mean of a numeric judge's numbers."""

    def compute(frame: pl.DataFrame) -> Estimate | None:
        return mean(frame.select(score_of(frame))["score"], frame["group"])

    return Measure("score", compute)
