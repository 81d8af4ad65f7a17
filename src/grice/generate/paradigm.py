"""The scalar paradigm of Jeretič et al. 2020, Table 2: twelve pairs from four sentences."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from grice.generate import grammar
from grice.generate.grammar import VerbPhrase
from grice.generate.lexicon import Words
from grice.generate.phenomenon import Draw, Phenomenon, Row

E, N, C = "entailment", "neutral", "contradiction"
SCALAR_TAGS = ("kind", "phenomenon", "role", "relation", "condition", "trigger", "scale")


class Four(NamedTuple):
    """The weaker and the stronger scale-mate's sentence, and the negation of each."""

    weak: str
    strong: str
    not_weak: str
    not_strong: str


def four_of(
    who: str, weak: VerbPhrase, strong: VerbPhrase, tense: str, *, contracted: bool, plural: bool = False
) -> Four:
    """The four sentences of two predicates of one subject, each told and denied."""
    return Four(
        weak=grammar.sentence(who, grammar.tell(weak, tense, plural)),
        strong=grammar.sentence(who, grammar.tell(strong, tense, plural)),
        not_weak=grammar.sentence(who, grammar.deny(weak, tense, plural, contracted=contracted)),
        not_strong=grammar.sentence(who, grammar.deny(strong, tense, plural, contracted=contracted)),
    )


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
# Where "not S" does not implicate W ("not all" and "most", "not a hundred" and "ten") three rows carry no implicature.
_SILENT = {1: "no_impl", 4: "no_impl", 5: "no_impl"}
# "Exactly n" in all four sentences, their negations "not exactly n".
_EXACT = (E, N, C, C, N, N, E, N, C, C, C, C)
_Ready = tuple[int, int, Mapping[str, str], Mapping[str, str]]


def _ready(index: int, line: Line, silent: bool, exact: bool) -> _Ready:
    quiet = silent and index in _SILENT
    gold = {"logical": line.logical, "pragmatic": line.logical if quiet else line.pragmatic}
    if exact:
        gold["exact"] = _EXACT[index]
    relation = _SILENT[index] if quiet else line.relation
    return (
        line.premise,
        line.hypothesis,
        gold,
        {"role": line.role, "relation": relation, "condition": line.condition},
    )


_PLAIN = tuple(_ready(index, line, False, False) for index, line in enumerate(SCALAR))
_QUIET = tuple(_ready(index, line, True, False) for index, line in enumerate(SCALAR))
_NUMERAL = tuple(_ready(index, line, True, True) for index, line in enumerate(SCALAR))


def scalar(four: Four, tags: Mapping[str, str], *, rows: tuple[_Ready, ...] = _PLAIN) -> list[Row]:
    """The twelve rows; `tags` holds at least trigger and scale."""
    return [Row(four[p], four[h], gold, {**line, **tags}) for p, h, gold, line in rows]


def quiet(four: Four, tags: Mapping[str, str]) -> list[Row]:
    """Like `scalar`, where denying the stronger mate does not implicate the weaker: those rows stay logical."""
    return scalar(four, tags, rows=_QUIET)


def numeral(four: Four, tags: Mapping[str, str]) -> list[Row]:
    """Like `quiet`, with a third reading, exact: "two" as "exactly two"."""
    return scalar(four, tags, rows=_NUMERAL)


def scalar_phenomenon(
    name: str,
    *,
    what: str,
    why: str,
    slots: Callable[[Words, Mapping[str, str]], Mapping[str, Sequence[Any]]],
    build: Callable[[Draw], Sequence[Row]],
    conditions: Mapping[str, tuple[str, ...]],
    marked: tuple[str, ...] = (),
    readings: tuple[str, ...] = ("logical", "pragmatic"),
    fixed: tuple[str, ...] = (),
    references: tuple[str, ...] = (),
) -> Phenomenon:
    """A phenomenon of twelve rows a group with the tags of the published scalar files."""
    return Phenomenon(
        name=name,
        kind="implicature",
        what=what,
        why=why,
        slots=slots,
        build=build,
        rows=len(SCALAR),
        readings=readings,
        tags=tuple(dict.fromkeys((*SCALAR_TAGS, *conditions))),
        conditions=conditions,
        marked=marked,
        fixed=fixed,
        references=("Jeretič et al. (2020), Are Natural Language Inference Models IMPPRESsive?", *references),
    )
