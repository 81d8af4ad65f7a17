"""A paper as data: its exhibits with the printed numbers, each able to recompute itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

import polars as pl

from grice.core.dataset import Dataset
from grice.core.errors import GriceError, unknown
from grice.core.run import Run

if TYPE_CHECKING:
    from grice.core.estimate import Estimate


@dataclass(frozen=True)
class Cell:
    """One number of an exhibit: as printed, and as it comes out here.

    `reading` tells two readings of the same cell apart ("as stated", "as reproduced"). An empty cell has no
    `ours` and says why in `reason`.
    """

    row: str
    column: str
    judge: str = ""
    published: float | None = None
    ours: float | None = None
    n: int = 0
    low: float | None = None
    high: float | None = None
    agrees: bool | None = None
    reading: str = ""
    reason: str = ""

    def to_json(self, exhibit: str) -> dict[str, Any]:
        """The fields as JSON values, with the id of the exhibit."""
        return {"exhibit": exhibit, **vars(self)}


class Bench(Protocol):
    """What an exhibit works with: datasets by name, and the runs of every judge at hand on them."""

    def data(self, name: str) -> Dataset:
        """A dataset by name."""

    def runs(self, name: str) -> Sequence[Run]:
        """The runs on a dataset."""

    def joined(self, name: str) -> pl.DataFrame:
        """A dataset joined with its runs."""


@dataclass(frozen=True)
class Exhibit:
    """A table or figure: `compute` gives its cells; what it cannot give it leaves empty with a reason.

    `by_seed` marks one about the spread over seeds: it sees judges named `MODEL#1`, `MODEL#2`, …, all at once.

    >>> exhibit = grice.Exhibit("Table 1", "Nothing yet", compute=lambda bench: [])
    >>> exhibit.cells(bench=None)
    []
    """

    id: str
    title: str
    compute: Callable[[Bench], Iterable[Cell]]
    notes: tuple[str, ...] = ()
    digits: int = 3
    by_seed: bool = False

    def cells(self, bench: Bench) -> list[Cell]:
        """Compute the exhibit on a bench; an error becomes one empty cell that says it."""
        try:
            return list(self.compute(bench))
        except GriceError as error:
            return [Cell("", "", reason=str(error))]


@dataclass(frozen=True)
class Paper:
    """A paper: who, where, and the exhibits in the order of the paper.

    >>> exhibit = grice.Exhibit("Table 1", "Nothing yet", compute=lambda bench: [])
    >>> grice.Paper("mine", "On mine", "Me (2026)", (exhibit,)).exhibit("table1").title
    'Nothing yet'
    """

    name: str
    title: str
    citation: str
    exhibits: tuple[Exhibit, ...]
    notes: tuple[str, ...] = field(default=())

    def exhibit(self, id: str) -> Exhibit:
        """The exhibit of this id, such as `Table 5`; case and spaces do not count."""
        for exhibit in self.exhibits:
            if exhibit.id.lower().replace(" ", "") == id.lower().replace(" ", ""):
                return exhibit
        raise unknown(f"exhibit of {self.name}", id, [e.id for e in self.exhibits])


def numbers(printed: str) -> dict[tuple[str, str], float]:
    """Printed numbers as a small table: a header of columns, then rows `name | number number …`.

    A dash stands for a cell the paper leaves empty.
    """
    lines = [line.strip() for line in printed.strip().splitlines() if line.strip()]
    columns = lines[0].strip("| ").split()
    found: dict[tuple[str, str], float] = {}
    for line in lines[1:]:
        row, _, values = line.rpartition("|")
        for column, value in zip(columns, values.split(), strict=True):
            if value not in ("-", "–"):
                found[row.strip(), column] = float(value)
    return found


def rounds_to(value: float | None, printed: float | None, style: str) -> bool | None:
    """Whether a value equals the printed one after the paper's own rounding, such as `.2g` or `.2f`."""
    if value is None or printed is None:
        return None
    return float(format(value, style)) == printed


def cell_of(
    row: str,
    column: str,
    estimate: Estimate | None,
    *,
    judge: str = "",
    printed: Mapping[Any, float] | None = None,
    key: Any = None,
    style: str = ".2f",
    reading: str = "",
    reason: str = "",
) -> Cell:
    """A cell from an estimate and the printed table it belongs to."""
    published = (printed or {}).get(key)
    if estimate is None:
        return Cell(row, column, judge, published, reading=reading, reason=reason or "no rows: n = 0")
    agrees = rounds_to(estimate.value, published, style)
    return Cell(
        row,
        column,
        judge,
        published,
        estimate.value,
        estimate.n,
        estimate.low,
        estimate.high,
        agrees,
        reading,
    )
