"""Rate of inferences where a verb's signature licenses none (Ross & Pavlick §5)."""

from __future__ import annotations

import polars as pl

from grice.analysis.statistics.readings import gold_column, named
from grice.core.estimate import Estimate, mean_of
from grice.tables.table import Measure

# The bins of their footnote 13: a rating in [−2/3, 2/3) is neutral.
NEUTRAL = 2 / 3


def veridicality_bias(reading: str = "signature") -> Measure:
    """Measure the share of answers that are not neutral among the items whose gold is neutral.

    A judge of numbers infers something below −2/3 and from 2/3 on, on a scale from −2 to 2.
    """

    def compute(frame: pl.DataFrame) -> Estimate | None:
        rows = frame.filter(pl.col(gold_column(frame, reading)) == "neutral")
        far = (pl.col("value") < -NEUTRAL - 1e-9) | (pl.col("value") >= NEUTRAL - 1e-9)
        return mean_of(rows, pl.coalesce(pl.col("answer") != "neutral", far))

    return Measure(named("veridicality_bias", reading), compute)
