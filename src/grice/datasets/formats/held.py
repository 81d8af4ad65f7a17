"""Data that Python holds: a list of dicts, or a frame of polars or pandas."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from grice.core.dataset import Dataset
from grice.core.errors import InputError
from grice.core.progress import say

HeldRows = Sequence[Mapping[str, Any]] | pl.DataFrame


def report_notes(data: Dataset) -> Dataset:
    """Report on stderr what was guessed in reading a table, and return it."""
    if data.card.notes:
        say(f"{data.name}: {'; '.join(data.card.notes)}")
    return data


def read_held(rows: HeldRows, **columns: str) -> Dataset:
    """Read rows as those of a file are read; `columns` are those of `read_file`."""
    from grice.datasets.formats.file import read_mappings

    # Frames of polars and of pandas give their rows as mappings by different names.
    held: Any = rows
    if isinstance(rows, pl.DataFrame):
        held = rows.to_dicts()
    elif hasattr(rows, "to_dict"):
        held = rows.to_dict("records")
    if not isinstance(held, Sequence) or not all(isinstance(row, Mapping) for row in held):
        raise InputError(
            f"data are a name, a file, a list of dicts or a frame, not a {type(rows).__name__}"
        )
    return read_mappings([dict(row) for row in held], **columns)
