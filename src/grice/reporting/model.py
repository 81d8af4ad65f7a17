"""What a page is made of: numbers with a way to their items, figures, sections, and the profile of them all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlencode

from grice.core.estimate import Estimate
from grice.core.table import RowKey, Table
from grice.reporting.claims import Claim

ChartKind = Literal["fingerprint", "dots", "stack", "matrix", "plane", "reliability", "heat"]


@dataclass(frozen=True)
class Query:
    """The items behind a number: which data, which values of which columns, read by whom against what.

    With `given` only those count to which the judge gave that answer.
    """

    data: int
    where: Mapping[str, str] = field(default_factory=dict)
    judge: str = ""
    reading: str = ""
    given: str = ""

    @property
    def href(self) -> str:
        """The address inside the page that opens the browser on these items; none where they were left out."""
        if self is LEFT_OUT:
            return ""
        fixed = {"data": str(self.data), "judge": self.judge, "reading": self.reading, "given": self.given}
        return "#items?" + urlencode({k: v for k, v in {**fixed, **self.where}.items() if v})


LEFT_OUT = Query(-1)
EVIDENCE, ALL_ROWS = "evidence", "*"


@dataclass(frozen=True)
class Number:
    """One estimate of one judge: `row` down the side, `series` in the legend; `x`, `y` place a dot on a plane.

    A `gated` one is shown hatched: its controls fail or its section claims nothing, so that nothing is told by it.
    """

    row: str
    series: str
    judge: str
    estimate: Estimate | None
    query: Query
    x: float | None = None
    y: float | None = None
    gated: bool = False

    @property
    def value(self) -> float:
        """The value of the estimate; not a number where there is none."""
        return self.estimate.value if self.estimate else float("nan")

    def to_json(self) -> dict[str, Any]:
        """The number with its names, its place and the address of its items."""
        found = self.estimate.to_json() if self.estimate else {"value": None, "n": 0, "low": None, "high": None}
        place = {} if self.x is None else {"x": self.x, "y": self.y}
        return {
            "row": self.row,
            "series": self.series,
            "judge": self.judge,
            **found,
            **place,
            "gated": self.gated,
            "items": self.query.href,
        }


@dataclass(frozen=True)
class Mark:
    """A number from elsewhere at a row: chance, a paper's model, people; `blind` is the judge's own blind twin.

    `x` and `y` place it on a plane.
    """

    row: str
    series: str
    value: float
    label: str
    blind: bool = False
    x: float | None = None
    y: float | None = None


@dataclass(frozen=True)
class Figure:
    """A chart with its table. `finding` says what it shows and is its text alternative.

    `across` is the title of the value axis, `names` the title of the rows; `line` draws a rule at a value; `colours`
    names a colour of the palette for each series. `rests_on` names the finding that must stand for the figure to tell
    anything (the first one if empty); EVIDENCE, as for controls, needs none. `order` are all judges of the profile: the
    place of one decides its colour and mark. `chips` give the verdict of a series and row.
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
    chips: Mapping[tuple[str, str], str] = field(default_factory=dict)

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
        """The names down the side, in order."""
        return list(dict.fromkeys(number.row for number in self.numbers))

    def row_name(self, number: Number) -> str:
        """What a number stands beside in the table: its row, in a fingerprint with the chapter before it."""
        return f"{number.series.partition(':')[0]}: {number.row}" if self.kind == "fingerprint" else number.row

    def column(self, number: Number) -> str:
        """What a number stands under in the table: its judge and series, as far as they tell anything apart."""
        if self.kind == "fingerprint":
            return number.judge
        parts = [number.judge] if len(self.judges) > 1 else []
        parts += [number.series] if len(self.series) > 1 else []
        return ", ".join(parts) or number.series or number.judge

    @property
    def table(self) -> Table:
        """The numbers of the figure as a table."""
        cells: dict[tuple[RowKey, str], Estimate | None] = {
            ((self.row_name(number),), self.column(number)): number.estimate for number in self.numbers
        }
        columns = tuple(dict.fromkeys(self.column(number) for number in self.numbers))
        notes = (self.note,) if self.note else ()
        rows = tuple((row,) for row in dict.fromkeys(map(self.row_name, self.numbers)))
        return Table(self.title, (self.names or "row",), rows, columns, cells, notes)

    def gate(self, closed: Mapping[str, str], rows: Set[tuple[str, str]], judge: str) -> Figure:
        """The figure with what cannot be told hatched: these rows of these judges (ALL_ROWS), or all that a closed finding has.

        `closed` gives for each finding that does not stand why; a figure that rests on one has no finding of its own.
        """
        reason = closed.get(self.rests_on, "") if self.rests_on != EVIDENCE else ""

        def mark(number: Number) -> Number:
            shut = bool(
                rows & {(number.judge, number.row), (number.judge, ALL_ROWS)} or (reason and number.judge == judge)
            )
            return replace(number, gated=True) if shut and self.rests_on != EVIDENCE else number

        finding = f"Hatched: nothing is claimed here. {reason[0].upper()}{reason[1:]}." if reason else self.finding
        return replace(self, numbers=tuple(map(mark, self.numbers)), finding=finding)

    def to_json(self) -> dict[str, Any]:
        """What profile.json keeps of a figure: its words, its numbers and its marks."""
        return {
            "id": self.id,
            "title": self.title,
            "finding": self.finding,
            "note": self.note,
            "numbers": [number.to_json() for number in self.numbers],
            "marks": [vars(mark) for mark in self.marks],
            "chips": [
                {"series": series, "row": row, "verdict": verdict} for (series, row), verdict in self.chips.items()
            ],
        }

    def _repr_html_(self) -> str:
        from grice.reporting.chart import svg

        return svg(self) + self.table._repr_html_()


@dataclass(frozen=True)
class ExamplePair:
    """A pair from the data and the answer each reading asks for."""

    premise: str
    hypothesis: str
    gold: Mapping[str, str]


@dataclass(frozen=True)
class Check:
    """One answer to "Can I believe this?": a name, its value in a word or two, and a plain sentence.

    `state` is good, doubt, or none where the data cannot tell. `evidence` is the id of a figure, or an address of items.
    """

    name: str
    value: str
    state: Literal["good", "doubt", "none"]
    text: str
    evidence: str = ""

    def to_json(self) -> dict[str, Any]:
        """All fields by name."""
        return dict(vars(self))


@dataclass(frozen=True)
class FailureGroup:
    """Items of one phenomenon and right answer to which the judge gave the same wrong one.

    `rate` is their share among the answered items of that phenomenon and right answer. `example` is one of them;
    `flip` a pair of the same paradigm that the judge answers right, if there is one. `query` opens all of them.
    """

    phenomenon: str
    right: str
    given: str
    count: int
    rate: Estimate
    example: ExamplePair
    flip: ExamplePair | None
    query: Query

    def to_json(self) -> dict[str, Any]:
        """All fields by name; the items as an address."""
        return {
            **vars(self),
            "rate": self.rate.to_json(),
            "example": vars(self.example),
            "flip": vars(self.flip) if self.flip else None,
            "query": self.query.href,
        }


@dataclass(frozen=True)
class ProfileSection:
    """One phenomenon on one dataset: what it is, what the numbers say, warnings before anything else.

    `headline` is one plain sentence without numbers; `checks` say whether it can be believed, `failures` what goes wrong.
    """

    id: str
    title: str
    data: str
    what: str
    good: str
    examples: tuple[ExamplePair, ...] = ()
    warnings: tuple[str, ...] = ()
    sentences: tuple[str, ...] = ()
    figures: tuple[Figure, ...] = ()
    headline: str = ""
    checks: tuple[Check, ...] = ()
    failures: tuple[FailureGroup, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """What profile.json keeps of a section: its sentences, its warnings, its checks, its failures and its figures."""
        return {
            "id": self.id,
            "title": self.title,
            "data": self.data,
            "headline": self.headline,
            "checks": [check.to_json() for check in self.checks],
            "failures": [group.to_json() for group in self.failures],
            "warnings": list(self.warnings),
            "sentences": list(self.sentences),
            "figures": [figure.to_json() for figure in self.figures],
        }


@dataclass(frozen=True)
class Difference:
    """One row of the comparison: the first judge minus a rival, in one stratum and reading; `broad` is a whole kind."""

    stratum: str
    reading: str
    rival: str
    difference: Estimate
    paradigms: int
    only_first: int
    only_rival: int
    p: float
    holm: float
    query: Query
    broad: bool = True

    def to_json(self) -> dict[str, Any]:
        """All fields by name; the items as an address."""
        return {**vars(self), "difference": self.difference.to_json(), "query": self.query.href}


@dataclass(frozen=True)
class Profile:
    """One judge, every phenomenon: all that the page, the JSON, the tables and the terminal show.

    `page` is where it was written, and `fresh` whether anything had to be written.

    >>> found = grice.profile("baseline/overlap", data="quantifiers", limit=12, images=False)
    >>> found.figures[0].table.down, found.to_json()["judges"]
    (('phenomenon',), ['baseline/overlap'])
    """

    title: str
    judges: tuple[str, ...]
    basis: str
    claims: tuple[Claim, ...]
    warnings: tuple[str, ...]
    overview: tuple[Figure, ...]
    sections: tuple[ProfileSection, ...]
    differences: tuple[Difference, ...]
    method: Mapping[str, Sequence[Mapping[str, Any]]]
    not_tested: tuple[str, ...] = ()
    fingerprint: Figure | None = None
    items: bool = True
    page: Path | None = None
    fresh: bool = True

    @property
    def summary(self) -> tuple[str, ...]:
        """The sentences of the claims."""
        return tuple(claim.text for claim in self.claims)

    @property
    def figures(self) -> list[Figure]:
        """Every figure: the fingerprint, those of the overview, then those of the sections."""
        first = [self.fingerprint] if self.fingerprint else []
        return [*first, *self.overview, *(figure for section in self.sections for figure in section.figures)]

    def to_json(self) -> dict[str, Any]:
        """The content of profile.json, as docs/schema/profile.schema.json describes it."""
        return {
            "schema": 2,
            "title": self.title,
            "judges": list(self.judges),
            "basis": self.basis,
            "summary": list(self.summary),
            "claims": [claim.to_json() for claim in self.claims],
            "warnings": list(self.warnings),
            "fingerprint": self.fingerprint.to_json() if self.fingerprint else None,
            "overview": [figure.to_json() for figure in self.overview],
            "sections": [section.to_json() for section in self.sections],
            "comparison": [row.to_json() for row in self.differences],
            "method": {key: [dict(row) for row in rows] for key, rows in self.method.items()},
            "not_tested": list(self.not_tested),
        }

    def with_order(self) -> Profile:
        """The same with the order of all judges in every figure, so that each has one colour and mark throughout."""

        def ordered(figures: Sequence[Figure]) -> tuple[Figure, ...]:
            return tuple(replace(figure, order=self.judges) for figure in figures)

        return replace(
            self,
            fingerprint=ordered([self.fingerprint])[0] if self.fingerprint else None,
            overview=ordered(self.overview),
            sections=tuple(replace(section, figures=ordered(section.figures)) for section in self.sections),
        )

    def without_items(self) -> Profile:
        """The same numbers without examples or ways to items, for data whose sentences may not be passed on."""
        return replace(
            self,
            fingerprint=_without_items(self.fingerprint) if self.fingerprint else None,
            overview=tuple(map(_without_items, self.overview)),
            sections=tuple(map(_bare_section, self.sections)),
            differences=tuple(replace(row, query=LEFT_OUT) for row in self.differences),
            items=False,
        )

    def _repr_html_(self) -> str:
        from html import escape

        lines = "".join(f"<p>{escape(text)}</p>" for text in (*self.warnings, *self.summary))
        return f"<h3>{escape(self.title)}</h3>{lines}" + "".join(f._repr_html_() for f in self.overview)


def _bare_section(section: ProfileSection) -> ProfileSection:
    """The section without a sentence of the data: its groups of failures keep their counts only."""
    nothing = ExamplePair("", "", {})
    return replace(
        section,
        examples=(),
        figures=tuple(map(_without_items, section.figures)),
        checks=tuple(replace(one, evidence="") if one.evidence.startswith("#") else one for one in section.checks),
        failures=tuple(replace(one, example=nothing, flip=None, query=LEFT_OUT) for one in section.failures),
    )


def _without_items(figure: Figure) -> Figure:
    return replace(figure, numbers=tuple(replace(number, query=LEFT_OUT) for number in figure.numbers))
