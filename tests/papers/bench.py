"""A bench of hand-made datasets and answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import polars as pl

from grice.core.dataset import Dataset
from grice.core.errors import MissingData
from grice.core.files import data_folder
from grice.storage.run import Run, join
from grice.storage.source import find_published
from grice.tables.paper import Cell, Computed, DerivedDataset


class HandBench:
    """Has what it is given; anything else is not in the data folder."""

    def __init__(self, *sets: Dataset, runs: Mapping[str, Sequence[Run]] | None = None) -> None:
        self._sets = {data.name: data for data in sets}
        self._runs = runs or {}
        self.targets = 0

    def once(self, key: str, make: Callable[[], Computed]) -> Computed:
        """Every hand-made bench is asked anew."""
        assert key
        return make()

    def data(self, name: str | DerivedDataset) -> Dataset:
        if str(name) not in self._sets:
            raise MissingData(f"{name} is not in the data folder")
        return self._sets[str(name)]

    def runs(self, name: str | DerivedDataset) -> Sequence[Run]:
        self.data(name)
        return self._runs.get(str(name), ())

    def judgements(self, name: str | DerivedDataset) -> pl.DataFrame:
        return join(self.data(name), *self.runs(name))

    def file(self, *paths: str, source: str) -> Path:
        return find_published(data_folder(), *paths, source=source)


def find(cells: Sequence[Cell], row: str, column: str, reading: str = "") -> Cell:
    """The one cell with these names."""
    found = [c for c in cells if (c.row, c.column, c.reading) == (row, column, reading)]
    assert len(found) == 1, f"{len(found)} cells for {row} / {column} / {reading}"
    return found[0]


def agreement(cells: Sequence[Cell], reading: str | None = None) -> tuple[int, int]:
    """How many cells that have a printed number and ours agree, and how many there are."""
    both = [c.agrees for c in cells if c.agrees is not None and reading in (None, c.reading)]
    return sum(both), len(both)


def holding(cells: Sequence[Cell], reading: str | None = None) -> tuple[int, int]:
    """How many checks of the print hold, and how many there are."""
    checked = [c.holds for c in cells if c.holds is not None and reading in (None, c.reading)]
    return sum(checked), len(checked)
