"""Mean squared error of a judge's numbers."""

from __future__ import annotations

import polars as pl

from grice.analysis.statistics.readings import named, numeric_gold
from grice.core.errors import InputError
from grice.core.estimate import Estimate, mean_of
from grice.tables.table import Measure


def mse(reading: str = "") -> Measure:
    """Measure the mean squared error of a judge's numbers, e.g. `mse:probability`.

    It needs numbers on the gold's own scale, so labels are refused and not converted.
    """

    def compute(frame: pl.DataFrame) -> Estimate | None:
        if (
            frame["value"].null_count() == frame.height
            and frame["answer"].null_count() < frame.height
        ):
            raise InputError(
                "'mse' needs a judge that answers with numbers; ask it on the gold's scale"
            )
        return mean_of(frame, (pl.col("value") - pl.col(numeric_gold(frame, reading))) ** 2)

    return Measure(named("mse", reading), compute)
