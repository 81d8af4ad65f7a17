"""A figure and its parts: numbers that link to their items, and reference marks."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Literal
from urllib.parse import urlencode

from grice.core.estimate import Estimate
from grice.core.measure import Metric
from grice.tables.table import RowKey, Table

ChartKind = Literal[
    "fingerprint", "dots", "stack", "matrix", "plane", "triangle", "forest", "reliability", "heat"
]


@dataclass(frozen=True)
class Query:
    """The items behind a number: the dataset, the values of columns, the judge and the reading.

    With `given`, only items to which the judge gave that answer count.
    """

    data: int
    where: Mapping[str, str] = field(default_factory=dict)
    judge: str = ""
    reading: str = ""
    given: str = ""

    @property
    def href(self) -> str:
        """The address within the page that opens these items; empty if the items were left out."""
        if self.data < 0:
            return ""
        fixed = {
            "data": str(self.data),
            "judge": self.judge,
            "reading": self.reading,
            "given": self.given,
        }
        return "#items?" + urlencode({k: v for k, v in {**fixed, **self.where}.items() if v})


LEFT_OUT = Query(-1)
EVIDENCE, ALL_ROWS = "evidence", "*"


@dataclass(frozen=True)
class Number:
    """One estimate of one judge: `row` on the y axis, `series` in the legend; `x`, `y` on a plane.

    A `gated` number is faded: its controls fail or its section claims nothing, so that it
    is not interpretable. A difference also has its `paradigms`, and is `sure` if it is significant
    after correction. `metric` says what it is, and how the page computes it from chosen items.
    """

    row: str
    series: str
    judge: str
    estimate: Estimate | None
    query: Query
    x: float | None = None
    y: float | None = None
    gated: bool = False
    paradigms: int | None = None
    sure: bool = True
    metric: Metric | None = None

    @property
    def value(self) -> float:
        """The value of the estimate; NaN without an estimate."""
        return self.estimate.value if self.estimate else float("nan")


class MarkKind(StrEnum):
    """Where a reference value comes from."""

    PRINTED = "printed"
    PEOPLE = "people"
    CONSTANT = "constant"
    SHUFFLED = "shuffled"


# The marks in the legend of a chart.
REFERENCE_WORDS = {
    MarkKind.SHUFFLED: "shuffled baseline",
    MarkKind.CONSTANT: "best constant answer",
    MarkKind.PRINTED: "as printed in a paper",
    MarkKind.PEOPLE: "people",
}


@dataclass(frozen=True)
class Mark:
    """A reference value of a row: a paper's printed one, people's, or a baseline's.

    `x` and `y` are the position on a plane.
    """

    row: str
    series: str
    value: float
    label: str
    kind: MarkKind = MarkKind.PRINTED
    x: float | None = None
    y: float | None = None


@dataclass(frozen=True)
class Chip:
    """The verdict of a row of the overview chart."""

    row: str
    series: str
    verdict: str


@dataclass(frozen=True)
class Figure:
    """A chart with its table. `finding` says what it shows and is its text alternative.

    `across` is the title of the value axis, `names` the title of the rows; `line` draws a rule at a
    value; `colours` names a colour of the palette for each series. `rests_on` names the claim on
    which the figure depends (the first one if empty); EVIDENCE, as for controls, means none.
    `order` has all judges of the profile: the index of a judge decides its colour and mark. `chips`
    give the verdicts of rows.
    """

    id: str
    title: str
    kind: ChartKind
    numbers: tuple[Number, ...]
    finding: str
    names: str = ""
    across: str = "share of items"
    marks: tuple[Mark, ...] = ()
    line: float | None = None
    note: str = ""
    domain: tuple[float, float] = (0.0, 1.0)
    colours: Mapping[str, str] = field(default_factory=dict)
    rests_on: str = ""
    order: tuple[str, ...] = ()
    chips: tuple[Chip, ...] = ()

    @property
    def series(self) -> list[str]:
        """The names in the legend, in order."""
        return list(dict.fromkeys(number.series for number in self.numbers))

    @property
    def judges(self) -> list[str]:
        """The judges that have numbers in it, in order."""
        return list(dict.fromkeys(number.judge for number in self.numbers))

    @property
    def rows(self) -> list[str]:
        """The row names, in order."""
        return list(dict.fromkeys(number.row for number in self.numbers))

    def row_name(self, number: Number) -> str:
        """Return the row of a number in the table, in the overview chart with its chapter."""
        return (
            f"{number.series.partition(':')[0]}: {number.row}"
            if self.kind == "fingerprint"
            else number.row
        )

    def column(self, number: Number) -> str:
        """Return the column of a number in the table: its judge and series, if several."""
        if self.kind == "fingerprint":
            return number.judge
        parts = [number.judge] if len(self.judges) > 1 else []
        parts += [number.series] if len(self.series) > 1 else []
        return ", ".join(parts) or number.series or number.judge

    @property
    def table(self) -> Table:
        """The numbers of the figure as a table."""
        cells: dict[tuple[RowKey, str], Estimate | None] = {
            ((self.row_name(number),), self.column(number)): number.estimate
            for number in self.numbers
        }
        columns = tuple(dict.fromkeys(self.column(number) for number in self.numbers))
        notes = (self.note,) if self.note else ()
        rows = tuple((row,) for row in dict.fromkeys(map(self.row_name, self.numbers)))
        return Table(self.title, (self.names or "row",), rows, columns, cells, notes)

    def gate(self, closed: Mapping[str, str], rows: Set[tuple[str, str]], judge: str) -> Figure:
        """Return the figure with inconclusive numbers faded.

        These are the given rows of judges (ALL_ROWS for all), and all numbers of a figure whose
        claim failed. `closed` gives the reason for each failed claim; a figure that depends on one
        has no finding of its own.
        """
        reason = closed.get(self.rests_on, "") if self.rests_on != EVIDENCE else ""

        def mark(number: Number) -> Number:
            shut = bool(
                rows & {(number.judge, number.row), (number.judge, ALL_ROWS)}
                or (reason and number.judge == judge)
            )
            return replace(number, gated=True) if shut and self.rests_on != EVIDENCE else number

        finding = f"Inconclusive: {reason}." if reason else self.finding
        return replace(self, numbers=tuple(map(mark, self.numbers)), finding=finding)

    def _repr_html_(self) -> str:
        from grice.reporting.chart import svg
        from grice.tables.charts import can_draw

        drawn = svg(self) if can_draw() else "<p>Its chart needs: pip install 'grice[images]'</p>"
        return drawn + self.table._repr_html_()
