"""Reading of Parquet with a size limit: a few kilobytes can unpack to gigabytes."""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING

from grice.core.errors import InputError
from grice.core.files import read_bytes
from grice.core.limits import BYTES, limit, raise_with

if TYPE_CHECKING:
    import polars as pl

# Rows of the first part, from which the size of the next is estimated; minimum bytes per cell.
FIRST, CELL = 10_000, 8


def read_parquet(path: Path) -> pl.DataFrame:
    """Read a Parquet file in parts; refuse one of more than `GRICE_MAX_BYTES` unpacked."""
    import polars as pl

    max_bytes, parts, size, begin, step = limit(BYTES), list[pl.DataFrame](), 0, 0, FIRST
    try:
        lazy = pl.scan_parquet(io.BytesIO(read_bytes(path)))
        rows, width = int(lazy.select(pl.len()).collect().item()), len(lazy.collect_schema())
        while (
            size <= max_bytes and CELL * rows * width <= max_bytes and (begin < rows or not parts)
        ):
            parts.append(lazy.slice(begin, step).collect())
            size, begin = size + int(parts[-1].estimated_size()), begin + step
            # The rest at the current size per row; a file far above the limit is never fully in
            # memory.
            step = max(FIRST, min(10 * step, int((max_bytes - size + 1) / max(1, size / begin))))
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
        fact = (str(error).strip().splitlines() or [type(error).__name__])[0][:200]
        raise InputError(f"{path}: not a Parquet file ({fact}); check how it was written") from None
    if begin < rows or size > max_bytes:
        raise InputError(
            f"{path}: holds more than {max_bytes:,} bytes once unpacked; {raise_with(BYTES)}"
        )
    return pl.concat(parts, rechunk=True)
