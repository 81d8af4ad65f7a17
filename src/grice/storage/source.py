"""Published dataset: its card, its parts, and how to read it from the data folder."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from grice.core.dataset import Dataset
from grice.core.errors import InputError, MissingData, unknown
from grice.core.files import data_folder, is_file
from grice.core.item import Card
from grice.storage.run import Run

PartReader = Callable[[Path, str], Dataset]
RunReader = Callable[[Path, Dataset], Sequence[Run]]


@dataclass(frozen=True)
class Source:
    """Source of a dataset: `read(folder, part)` makes it, `recorded` gives the published runs.

    Each published run has its kind: of a model, a person or a pool.

    The name alone loads the first of `parts`. Without `has_default_part` one must be named, because
    the parts have different scales.
    """

    name: str
    card: Card
    parts: tuple[str, ...]
    read: PartReader
    recorded: RunReader = lambda _folder, _data: ()
    has_default_part: bool = True

    def load(self, part: str = "", folder: Path | None = None) -> Dataset:
        """Load a part of the set, the first if none is named, from the data folder."""
        if not part and not self.has_default_part:
            first = f"{self.name}/{self.parts[0]}"
            raise InputError(
                f"the parts of {self.name} have different labels, so pass one part: {first}, …"
            )
        part = part or self.parts[0]
        if part not in self.parts:
            raise unknown(f"part of {self.name}", part, self.parts)
        return self.read(folder or data_folder(), part)

    def runs(self, data: Dataset, folder: Path | None = None) -> list[Run]:
        """Return the runs that were published with a part."""
        return list(self.recorded(folder or data_folder(), data))


def find_published(folder: Path, *candidates: str, source: str) -> Path:
    """Return the first of these files that is in the data folder; if none is, say how to get it.

    A file may have been packed with gzip: `NAME.gz` takes the place of `NAME`.
    """
    for name in candidates:
        for path in (folder / name, folder / f"{name}.gz"):
            if is_file(path):
                return path
    raise MissingData(
        f"{candidates[0]} is not in the data folder {folder}; put it there, or run: grice fetch"
        f" {source}"
    )
