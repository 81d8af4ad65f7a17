"""Share of responses without a valid answer."""

from __future__ import annotations

import polars as pl

from grice.analysis.statistics.readings import named
from grice.core.estimate import Estimate, mean_of
from grice.tables.table import Measure


def invalid(kind: str = "") -> Measure:
    """Measure the share of responses that give no valid answer, or those of one kind.

    `invalid:refused` counts refusals among all responses; kinds are those of `grice show RUN`. Rows
    of one paradigm are resampled together.
    """

    def compute(frame: pl.DataFrame) -> Estimate | None:
        is_invalid = pl.col("fault").is_not_null()
        if kind:
            is_invalid &= pl.col("fault").str.split(":").list.first().eq_missing(kind)
        return mean_of(frame, is_invalid)

    return Measure(named("invalid", kind), compute)
