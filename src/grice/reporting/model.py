"""Content of the page: figures, sections with checks and failures, and the profile of all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from grice.core.estimate import Estimate
from grice.reporting.claims import Claim
from grice.reporting.example import ExamplePair
from grice.reporting.figure import (
    ALL_ROWS,
    EVIDENCE,
    LEFT_OUT,
    ChartKind,
    Figure,
    Mark,
    Number,
    Query,
)
from grice.reporting.question import FirstScreen

__all__ = [
    "ALL_ROWS",
    "EVIDENCE",
    "LEFT_OUT",
    "ChartKind",
    "Check",
    "Difference",
    "ExamplePair",
    "FailureGroup",
    "Figure",
    "Mark",
    "Number",
    "Profile",
    "ProfileSection",
    "Query",
]


@dataclass(frozen=True)
class Check:
    """One answer to "Can I believe this?": a name, a short value and a sentence.

    `state` is good, doubt, or none if the data cannot decide. `evidence` is the id of a figure, or
    an address of items.
    """

    name: str
    value: str
    state: Literal["good", "doubt", "none"]
    text: str
    evidence: str = ""

    def to_json(self) -> dict[str, Any]:
        """Return all fields by name."""
        return dict(vars(self))


@dataclass(frozen=True)
class FailureGroup:
    """Items of one phenomenon and gold answer to which the judge gave the same wrong answer.

    `rate` is their share among the answered items of that phenomenon and gold answer. `example` is
    one of them; `flip` is a pair of the same paradigm that the judge answers correctly, if any.
    `query` opens all of them.
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
        """Return all fields by name; the items as an address."""
        return {
            **vars(self),
            "rate": self.rate.to_json(),
            "example": vars(self.example),
            "flip": vars(self.flip) if self.flip else None,
            "query": self.query.href,
        }


@dataclass(frozen=True)
class ProfileSection:
    """One phenomenon on one dataset: its description, its results, and warnings first.

    `headline` is one sentence without numbers; `checks` say whether it is valid, `failures` what
    goes wrong. `chapter` is the name of the chapter that wrote it.
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
    chapter: str = ""

    def to_json(self) -> dict[str, Any]:
        """Return the entry of a section in profile.json.

        It has the sentences, warnings, checks, failures and figures.
        """
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
    """One row of the comparison: the first judge minus a rival, in one stratum and reading.

    `broad` marks a stratum that is a whole kind.
    """

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
        """Return all fields by name; the items as an address."""
        return {**vars(self), "difference": self.difference.to_json(), "query": self.query.href}


@dataclass(frozen=True)
class Profile:
    """Profile of one judge on every phenomenon, as page, JSON, tables and terminal show it.

    `page` is the path of the page, and `fresh` says whether anything had to be written.

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
    forest: Figure | None = None
    items: bool = True
    first_screen: FirstScreen = field(default_factory=FirstScreen)
    page: Path | None = None
    fresh: bool = True

    @property
    def summary(self) -> tuple[str, ...]:
        """The sentences of the claims."""
        return tuple(claim.text for claim in self.claims)

    @property
    def figures(self) -> list[Figure]:
        """Every figure: overview chart, overview, sections, and forest plot."""
        first = [self.fingerprint] if self.fingerprint else []
        last = [self.forest] if self.forest else []
        return [
            *first,
            *self.overview,
            *(figure for section in self.sections for figure in section.figures),
            *last,
        ]

    def to_json(self) -> dict[str, Any]:
        """Return the content of profile.json, as docs/schema/profile.schema.json describes it."""
        return {
            "schema": 2,
            "title": self.title,
            "judges": list(self.judges),
            "basis": self.basis,
            "first_screen": self.first_screen.to_json(),
            "summary": list(self.summary),
            "claims": [claim.to_json() for claim in self.claims],
            "warnings": list(self.warnings),
            "fingerprint": self.fingerprint.to_json() if self.fingerprint else None,
            "overview": [figure.to_json() for figure in self.overview],
            "sections": [section.to_json() for section in self.sections],
            "comparison": [row.to_json() for row in self.differences],
            "forest": self.forest.to_json() if self.forest else None,
            "method": {key: [dict(row) for row in rows] for key, rows in self.method.items()},
            "not_tested": list(self.not_tested),
        }

    def with_order(self) -> Profile:
        """Return the profile with the order of all judges in every figure.

        Each judge then has one colour and mark throughout.
        """

        def ordered(figures: Sequence[Figure]) -> tuple[Figure, ...]:
            return tuple(replace(figure, order=self.judges) for figure in figures)

        return replace(
            self,
            fingerprint=ordered([self.fingerprint])[0] if self.fingerprint else None,
            forest=ordered([self.forest])[0] if self.forest else None,
            overview=ordered(self.overview),
            sections=tuple(
                replace(section, figures=ordered(section.figures)) for section in self.sections
            ),
        )

    def without_items(self) -> Profile:
        """Return the profile without examples and links to items, for restricted data."""
        return replace(
            self,
            fingerprint=_without_items(self.fingerprint) if self.fingerprint else None,
            forest=_without_items(self.forest) if self.forest else None,
            overview=tuple(map(_without_items, self.overview)),
            sections=tuple(map(_bare_section, self.sections)),
            differences=tuple(replace(row, query=LEFT_OUT) for row in self.differences),
            first_screen=self.first_screen.without_items(),
            items=False,
        )

    def _repr_html_(self) -> str:
        from html import escape

        lines = "".join(f"<p>{escape(text)}</p>" for text in (*self.warnings, *self.summary))
        return f"<h3>{escape(self.title)}</h3>{lines}" + "".join(
            f._repr_html_() for f in self.overview
        )


def _bare_section(section: ProfileSection) -> ProfileSection:
    """Return the section without sentences of the data; its failure groups keep their counts."""
    nothing = ExamplePair("", "", {})
    return replace(
        section,
        examples=(),
        figures=tuple(map(_without_items, section.figures)),
        checks=tuple(
            replace(check, evidence="") if check.evidence.startswith("#") else check
            for check in section.checks
        ),
        failures=tuple(
            replace(group, example=nothing, flip=None, query=LEFT_OUT) for group in section.failures
        ),
    )


def _without_items(figure: Figure) -> Figure:
    return replace(
        figure, numbers=tuple(replace(number, query=LEFT_OUT) for number in figure.numbers)
    )
