"""A paper as data: exhibits with printed numbers that can be recomputed, and models to train."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, Protocol, TypedDict, TypeVar, Unpack

import polars as pl

from grice.core.dataset import Dataset
from grice.core.errors import GriceError, unknown
from grice.core.estimate import Estimate
from grice.storage.run import Run

Computed = TypeVar("Computed")
# Test whether our number agrees with the printed one, given the paper's rounding.
RoundingRule = Callable[[float, float], bool]
# Kind of the reference number: printed in the paper, or printed and our method was fitted to it.
Reference = Literal["printed", "fitted"]
# What a number is computed from: data, the answers of a model that were released, of one trained
# here, or of the user's, or the print alone.
CellKind = Literal["data", "model", "trained", "yours", "print"]


def rounds_to(style: int | str) -> RoundingRule:
    """Return a rule for agreement after rounding, to so many digits or in a format like `.2g`."""
    form = style if isinstance(style, str) else f".{style}f"
    return lambda ours, printed: float(format(ours, form)) == printed


TWO_DIGITS = rounds_to(2)


class CellAttributes(TypedDict, total=False):
    """Fields of a `Cell` that `Cell.make` passes on."""

    judge: str
    n: int
    reading: str
    reason: str
    kind: CellKind
    reference: Reference
    printed_row: str


@dataclass(frozen=True)
class Cell:
    """Number of an exhibit: as printed, and as computed here. `Cell.make` builds one.

    `reading` distinguishes two readings of the same cell ("as stated", "as reproduced"). An empty
    cell has no `ours` and gives the `reason`. `kind` says what it is computed from: "data", a
    "model" whose answers were released, one "trained" here, "yours", or the "print" alone. The
    last is no result: it has `checked` and `holds`, and no `ours`. Only a cell whose `reference`
    is "printed" counts as agreeing or not. `printed_row` is the paper's row, where ours has
    another name.
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
    kind: CellKind = "data"
    checked: float | None = None
    holds: bool | None = None
    reference: Reference = "printed"
    printed_row: str = ""

    @classmethod
    def make(
        cls,
        row: str,
        column: str,
        ours: Estimate | float | None,
        printed: float | None = None,
        *,
        agreed: RoundingRule = TWO_DIGITS,
        **fields: Unpack[CellAttributes],
    ) -> Cell:
        """Build the cell of an estimate or number; without either, an empty one with the reason.

        Without a `kind`, what a judge is named for comes from a model and all else from data.

        >>> Cell.make("dev", "pairs", 3, 3.0).agrees
        True
        """
        fields["kind"] = fields.get("kind") or ("model" if fields.get("judge") else "data")
        if ours is None:
            fields["reason"] = fields.get("reason") or "no rows: n = 0"
            return cls(row, column, published=printed, **fields)
        fields["reason"] = ""
        value = ours.value if isinstance(ours, Estimate) else ours
        agrees = None if printed is None else agreed(value, printed)
        cell = cls(row, column, published=printed, ours=value, agrees=agrees, **fields)
        if isinstance(ours, Estimate):
            return replace(cell, n=ours.n, low=ours.low, high=ours.high)
        return cell

    @classmethod
    def check(
        cls, row: str, column: str, value: float | None, printed: float | None = None, **more: Any
    ) -> Cell:
        """Build a cell that checks a printed number against other printed numbers or a formula.

        Nothing is computed from data.

        >>> sums = Cell.check("all", "pairs", 3 + 4, 7)
        >>> sums.holds, sums.ours, sums.agrees
        (True, None, None)
        """
        cell = cls.make(row, column, value, printed, **more)
        return replace(
            cell, kind="print", ours=None, agrees=None, checked=cell.ours, holds=cell.agrees
        )

    @property
    def across(self) -> str:
        """Column of the cell, with its judge unless row or column name it."""
        judge = "" if self.judge in ("", self.column, self.row) else self.judge
        return " ".join(filter(None, (judge, self.column)))

    @property
    def heading(self) -> str:
        """Reading of the cell, which sets checks of printed numbers apart."""
        check = "check of the print" if self.kind == "print" else ""
        return ": ".join(filter(None, (check, self.reading)))

    @property
    def empty(self) -> bool:
        """Whether it has no number but the printed one."""
        return self.ours is None and self.checked is None

    def to_json(self, exhibit: str) -> dict[str, Any]:
        """Return the cell as a record, with the id of its exhibit."""
        return {"exhibit": exhibit, **vars(self)}


@dataclass(frozen=True)
class DerivedDataset:
    """Dataset that is no file: a function makes it from others of the bench."""

    name: str
    make: Callable[[Bench], Dataset]

    def __str__(self) -> str:
        return self.name


class Bench(Protocol):
    """Evaluation context of an exhibit: datasets by name, their runs, other published files.

    `targets` is how many verbs are put into each sentence of veridicality; 0 means all.
    """

    targets: int

    def data(self, name: str | DerivedDataset) -> Dataset:
        """Return a dataset by its name, or derived from others."""

    def once(self, key: str, make: Callable[[], Computed]) -> Computed:
        """Return what `make` gives, computed once for all exhibits of the bench."""

    def runs(self, name: str | DerivedDataset) -> Sequence[Run]:
        """Return the runs of all judges on a dataset."""

    def judgements(self, name: str | DerivedDataset) -> pl.DataFrame:
        """Return the judgements of all judges on a dataset, joined with its items."""

    def file(self, *paths: str, source: str) -> Path:
        """Return the first of these files of a published source that is in the data folder."""


class Experiment(Protocol):
    """Models of a paper that can be trained here."""

    def train(
        self,
        folder: Path,
        settings: Mapping[str, str],
        *,
        seeds: Sequence[int],
        rows: Sequence[str],
        cluster: Any,
        slim: bool,
        quick: bool,
    ) -> tuple[list[dict[str, str]], str]:
        """Train judges by printed row for each seed; also return which data replace which."""


@dataclass(frozen=True)
class Exhibit:
    """Table or figure: `compute` gives its cells, empty with a reason where it cannot.

    `by_seed` marks one about the spread over seeds: it sees judges named `MODEL#1`, `MODEL#2`, …,
    all at once. `chart` is how the paper draws it (empty for a plot of points with intervals),
    `differs` why printed cells do not agree, in a few words, `recorded` what models gave that were
    trained here before.

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
    chart: str = ""
    differs: str = ""
    recorded: tuple[Cell, ...] = ()

    def cells(self, bench: Bench) -> list[Cell]:
        """Return all cells; one empty cell with the reason where nothing can be computed."""
        try:
            return list(self.compute(bench))
        except GriceError as error:
            return [Cell.make("", "", None, reason=str(error))]


CoverageStatus = Literal[
    "recomputed", "trained", "model", "seeds", "fetch", "print", "illustration", "unavailable"
]
# What a status says of an item, as the pages of the papers print it.
STATUS_TEXT: Mapping[CoverageStatus, str] = {
    "recomputed": "recomputed from released files",
    "trained": "trained here (`--train`), or your model: `--by NAME=JUDGE`",
    "model": "your model: `--by NAME=JUDGE`",
    "seeds": "your models of several seeds",
    "fetch": "needs files to fetch",
    "print": "check of the printed numbers",
    "illustration": "an illustration, no numbers",
    "unavailable": "cannot be had",
}


@dataclass(frozen=True)
class CoveredItem:
    """A table, figure or experiment of a paper, and how it is had here.

    `exhibit` is empty where there is none; `why` gives the reason, or the set to fetch.
    """

    section: str
    item: str
    exhibit: str
    status: CoverageStatus
    why: str = ""


@dataclass(frozen=True)
class FreshDesign:
    """A paper's design on pairs that are not published.

    `make` gives, for a seed and a number of groups, the datasets by the published ones that they
    stand for. `exhibits` are recomputed on them, `named` only where they are asked for. `by` is a
    tag whose values are compared apart in the sets `compared`; a file of pairs replaces the first.
    """

    make: Callable[[int, int | None], Mapping[str, Dataset]]
    exhibits: tuple[str, ...]
    compared: tuple[str, ...]
    by: str
    named: tuple[str, ...] = ()


@dataclass(frozen=True)
class Paper:
    """Paper with its authors, source, and exhibits in their order.

    `coverage` lists what the paper has, and how each is had here; `experiment` trains its models;
    `recipe` holds its training settings, for `grice train --recipe NAME`. `fresh` makes its design
    again, or says why there is none.

    >>> exhibit = grice.Exhibit("Table 1", "Nothing yet", compute=lambda bench: [])
    >>> grice.Paper("mine", "On mine", "Me (2026)", (exhibit,)).exhibit("table1").title
    'Nothing yet'
    """

    name: str
    title: str
    citation: str
    exhibits: tuple[Exhibit, ...]
    notes: tuple[str, ...] = field(default=())
    experiment: Experiment | None = None
    recipe: Mapping[str, str | float] = field(default_factory=dict)
    coverage: tuple[CoveredItem, ...] = ()
    fresh: FreshDesign | str = "it has no design of its own to generate"

    def exhibit(self, id: str) -> Exhibit:
        """Return an exhibit by its id; case and spaces do not matter."""
        for exhibit in self.exhibits:
            if exhibit.id.lower().replace(" ", "") == id.lower().replace(" ", ""):
                return exhibit
        raise unknown(f"exhibit of {self.name}", id, [e.id for e in self.exhibits])


def read_printed(path: Path) -> dict[str, dict[tuple[str, str], float]]:
    """Read the printed tables of a file by name: after `## NAME`, in the format of `numbers`."""
    _, *sections = re.split(r"^## (\w+)\n", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {name: numbers(table) for name, table in zip(sections[::2], sections[1::2], strict=True)}


def numbers(printed: str) -> dict[tuple[str, str], float]:
    """Parse printed numbers: a header of columns, then rows `name | number number …`.

    A dash stands for a cell the paper leaves empty.
    """
    lines = [line.strip() for line in printed.strip().splitlines() if line.strip()]
    columns = lines[0].strip("| ").split()
    by_cell: dict[tuple[str, str], float] = {}
    for line in lines[1:]:
        row, _, values = line.rpartition("|")
        for column, value in zip(columns, values.split(), strict=True):
            if value not in ("-", "–"):
                by_cell[row.strip(), column] = float(value)
    return by_cell
