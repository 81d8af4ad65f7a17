"""Content of the page: figures, sections with checks and failures, and the profile of all."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from grice.core.errors import InputError
from grice.core.estimate import Estimate
from grice.core.files import read_bytes, write_atomically
from grice.reporting import serial
from grice.reporting.claims import Claim
from grice.reporting.example import ExamplePair
from grice.reporting.figure import (
    ALL_ROWS,
    EVIDENCE,
    LEFT_OUT,
    ChartKind,
    Chip,
    Figure,
    Mark,
    MarkKind,
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
    "Chip",
    "Difference",
    "ExamplePair",
    "FailureGroup",
    "Figure",
    "Mark",
    "MarkKind",
    "Number",
    "Profile",
    "ProfileSection",
    "Query",
]


# The file of a profile, the number of its schema, and the fields of a profile that are not in it.
FILE, SCHEMA, RESULT_FIELDS = "profile.json", 4, ("page", "fresh")
# What a complete folder was made from, as one digest.
STAMP = "stamp.txt"


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


@dataclass(frozen=True)
class ProfileSection:
    """One phenomenon on one dataset: its description, its results, and warnings first.

    `headline` is one sentence without numbers; `checks` say whether it is valid, `failures` what
    goes wrong. `chapter` is the name of the chapter that wrote it, `group` the name of its rows in
    the overview chart.
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
    group: str = ""


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


@dataclass(frozen=True)
class SchemaNumber:
    """The number of the schema of a profile.json, read before the rest."""

    schema: int


@dataclass(frozen=True)
class Profile:
    """Profile of one judge on every phenomenon, as page, JSON, tables and terminal show it.

    `page` is the path of the page, and `fresh` says whether anything had to be written.

    >>> found = grice.profile("baseline/overlap", data="quantifiers", limit=12)
    >>> found.figures[0].table.down, found.to_json()["judges"]
    (('phenomenon',), ['baseline/overlap'])
    """

    title: str
    judges: tuple[str, ...]
    basis: str
    claims: tuple[Claim, ...]
    warnings: tuple[str, ...]
    sections: tuple[ProfileSection, ...]
    differences: tuple[Difference, ...]
    method: Mapping[str, Sequence[Mapping[str, Any]]]
    not_tested: tuple[str, ...] = ()
    fingerprint: Figure | None = None
    forest: Figure | None = None
    items: bool = True
    first_screen: FirstScreen = field(default_factory=FirstScreen)
    page: Path | None = field(default=None, compare=False)
    fresh: bool = field(default=True, compare=False)

    @property
    def summary(self) -> tuple[str, ...]:
        """The sentences of the claims."""
        return tuple(claim.text for claim in self.claims)

    @property
    def figures(self) -> list[Figure]:
        """Every figure: overview chart, sections, and forest plot."""
        of_sections = (figure for section in self.sections for figure in section.figures)
        figures = (self.fingerprint, *of_sections, self.forest)
        return [figure for figure in figures if figure]

    def to_json(self) -> dict[str, Any]:
        """Return the content of profile.json, as docs/schema/profile.schema.json describes it."""
        fields: dict[str, Any] = serial.to_json(replace(self, page=None))
        return {"schema": SCHEMA} | {k: v for k, v in fields.items() if k not in RESULT_FIELDS}

    @classmethod
    def schema(cls) -> dict[str, Any]:
        """Return the JSON Schema of profile.json."""
        definitions = serial.schema(cls)["$defs"]
        profile = definitions.pop(cls.__name__)
        fields = {
            key: value for key, value in profile["properties"].items() if key not in RESULT_FIELDS
        }
        return {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": f"{FILE} of grice profile and grice report",
            "type": "object",
            "properties": {"schema": {"const": SCHEMA}, **fields},
            "required": ["schema", *fields],
            "additionalProperties": False,
            "$defs": definitions,
        }

    def write(self, folder: Path) -> None:
        """Write profile.json into a folder, for `read`."""
        with write_atomically(folder / FILE) as out:
            out.write(json.dumps(self.to_json(), ensure_ascii=False, indent=1) + "\n")

    @classmethod
    def read(cls, folder: str | Path) -> Profile:
        """Return the profile of a folder that `grice profile` or `grice report` wrote.

        Raise `InputError` for a file of another schema.
        """
        path = Path(folder) / FILE
        raw, remedy = read_bytes(path), "delete it, and run the command that wrote the folder again"
        schema = serial.decode(raw, SchemaNumber, str(path), remedy).schema
        if schema != SCHEMA:
            raise InputError(f"{path}: schema {schema}, and this version reads {SCHEMA}; {remedy}")
        return serial.decode(raw, cls, str(path), remedy)

    def with_order(self) -> Profile:
        """Return the profile with the order of all judges in every figure.

        Each judge then has one colour and mark throughout.
        """
        return self._with_figures(lambda figure: replace(figure, order=self.judges))

    def without_items(self) -> Profile:
        """Return the profile without examples and links to items, for restricted data."""
        profile = self._with_figures(_without_items)
        return replace(
            profile,
            sections=tuple(map(_bare_section, profile.sections)),
            differences=tuple(replace(row, query=LEFT_OUT) for row in self.differences),
            first_screen=self.first_screen.without_items(),
            items=False,
        )

    def _with_figures(self, change: Callable[[Figure], Figure]) -> Profile:
        """Return the profile with every figure changed."""
        return replace(
            self,
            fingerprint=change(self.fingerprint) if self.fingerprint else None,
            forest=change(self.forest) if self.forest else None,
            sections=tuple(
                replace(section, figures=tuple(map(change, section.figures)))
                for section in self.sections
            ),
        )

    def _repr_html_(self) -> str:
        from html import escape

        lines = "".join(f"<p>{escape(text)}</p>" for text in (*self.warnings, *self.summary))
        chart = self.fingerprint._repr_html_() if self.fingerprint else ""
        return f"<h3>{escape(self.title)}</h3>{lines}{chart}"


def _bare_section(section: ProfileSection) -> ProfileSection:
    """Return the section without sentences of the data; its failure groups keep their counts."""
    nothing = ExamplePair("", "", {})
    return replace(
        section,
        examples=(),
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
