"""The scalar paradigm of Jeretič et al. 2020, Table 2: twelve pairs from four sentences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from grice.generate.phenomenon import Row

E, N, C = "entailment", "neutral", "contradiction"
SCALAR_TAGS = ("kind", "phenomenon", "role", "relation", "condition", "trigger", "scale")


class Four(NamedTuple):
    """The weaker and the stronger scale-mate's sentence, and the negation of each."""

    weak: str
    strong: str
    not_weak: str
    not_strong: str


class Line(NamedTuple):
    """One row of a paradigm: which of the four sentences meet, and the answer under each reading."""

    premise: int
    hypothesis: int
    role: str
    relation: str
    condition: str
    logical: str
    pragmatic: str


_W, _S, _NW, _NS = range(4)
SCALAR = (
    Line(_W, _NS, "target", "implicature_PtoN", "W/not S", N, E),
    Line(_NS, _W, "target", "implicature_NtoP", "not S/W", N, E),
    Line(_W, _S, "target", "negated implicature_P", "W/S", N, C),
    Line(_S, _W, "target", "reverse negated implicature_P", "S/W", E, C),
    Line(_NS, _NW, "target", "negated implicature_N", "not S/not W", N, C),
    Line(_NW, _NS, "target", "reverse negated implicature_N", "not W/not S", E, C),
    Line(_S, _NW, "control", "opposite", "S/not W", C, C),
    Line(_NW, _S, "control", "opposite", "not W/S", C, C),
    Line(_W, _NW, "control", "negation", "W/not W", C, C),
    Line(_NW, _W, "control", "negation", "not W/W", C, C),
    Line(_S, _NS, "control", "negation", "S/not S", C, C),
    Line(_NS, _S, "control", "negation", "not S/S", C, C),
)
_ROWS = tuple(
    (
        line.premise,
        line.hypothesis,
        {"logical": line.logical, "pragmatic": line.pragmatic},
        {"role": line.role, "relation": line.relation, "condition": line.condition},
    )
    for line in SCALAR
)


def scalar(four: Four, tags: Mapping[str, str]) -> list[Row]:
    """The twelve rows; `tags` holds at least trigger and scale."""
    return [Row(four[p], four[h], gold, {**line, **tags}) for p, h, gold, line in _ROWS]
