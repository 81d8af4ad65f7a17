"""Entailment score: the mean of P(entailment) − P(contradiction)."""

from __future__ import annotations

import polars as pl

from grice.analysis.statistics.crossed import pooled_mean
from grice.analysis.statistics.readings import score_ends, score_of, score_of_reply
from grice.core.estimate import Estimate, mean_of
from grice.tables.table import Measure


def score() -> Measure:
    """Measure the mean entailment score, from −1 to 1, or the mean of a numeric judge's numbers.

    Of pooled people it is the mean of all their answers, with an interval over items and people.
    """

    def compute(frame: pl.DataFrame) -> Estimate | None:
        ends = score_ends(frame)
        pooled = pooled_mean(frame, score_of_reply(), ends=ends)
        return pooled or mean_of(frame, score_of(frame), ends=ends)

    return Measure("score", compute)
