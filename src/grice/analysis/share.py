"""Reading rate: the share of answers that follow one reading where the readings differ."""

from __future__ import annotations

import polars as pl

from grice.analysis.statistics.baselines import correctness, neither
from grice.analysis.statistics.readings import gold_column
from grice.core.dataset import GOLD
from grice.core.errors import unknown
from grice.core.estimate import Estimate, mean_of
from grice.tables.table import Measure

READINGS = ("logical", "pragmatic")


def share(reading: str = "pragmatic") -> Measure:
    """Measure the rate of `share:logical`, `share:pragmatic` or `share:neither` answers.

    Only items whose logical and pragmatic answers differ count, so that the three add up to 1.
    """

    if reading not in (*READINGS, "neither"):
        raise unknown("reading of 'share'", reading, (*READINGS, "neither"))
    golds = [GOLD + name for name in READINGS]
    score = neither(*golds) if reading == "neither" else correctness(GOLD + reading)

    def compute(frame: pl.DataFrame) -> Estimate | None:
        logical, pragmatic = (gold_column(frame, name) for name in READINGS)
        rows = frame.filter((pl.col(logical) != pl.col(pragmatic)) & pl.col("answer").is_not_null())
        return mean_of(rows, score(pl.col("answer")))

    return Measure(f"share:{reading}", compute, score=score)
