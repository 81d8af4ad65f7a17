"""Which gold column a measure reads."""

from __future__ import annotations

import polars as pl

from grice.core.dataset import GOLD
from grice.core.errors import InputError, unknown


def gold_column(frame: pl.DataFrame, reading: str) -> str:
    """The column of a reading; without a name, the only reading the rows have."""
    golds = [c for c in frame.columns if c.startswith(GOLD)]
    if reading:
        if GOLD + reading not in golds:
            raise unknown("reading", reading, [c.removeprefix(GOLD) for c in golds])
        return GOLD + reading
    filled = [c for c in golds if frame[c].null_count() < frame.height]
    if len(filled) != 1:
        names = ", ".join(c.removeprefix(GOLD) for c in filled) or "none"
        raise InputError(
            f"the items have the readings {names}; say which one, as in 'accuracy:{names.split(', ')[0]}'"
        )
    return filled[0]
