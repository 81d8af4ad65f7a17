"""The scalar paradigm of Jeretič et al. 2020, Table 2: twelve pairs from four sentences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, Unpack

from grice.generate import grammar
from grice.generate.grammar import VerbPhrase
from grice.generate.phenomenon import Draw, NewItem, Phenomenon, PhenomenonParts, make_phenomenon

E, N, C = "entailment", "neutral", "contradiction"
SCALAR_TAGS = ("kind", "phenomenon", "role", "relation", "condition", "trigger", "scale")
# Conditions that most scales share.
TENSE_AND_NEGATION = {"tense": ("present", "past"), "negation": ("contracted", "full")}
PAPER = "Jeretič et al. (2020), Are Natural Language Inference Models IMPPRESsive?"


class ScaleSentences(NamedTuple):
    """The sentence of the weaker and of the stronger scale-mate, and the negation of each."""

    weak: str
    strong: str
    not_weak: str
    not_strong: str


def scale_sentences(draw: Draw, who: str, weak: VerbPhrase, strong: VerbPhrase) -> ScaleSentences:
    """The four sentences of two predicates of one subject, in the tense and with the negation of the draw."""
    tense, contracted = draw.cell["tense"], draw.cell["negation"] == "contracted"
    return ScaleSentences(
        weak=grammar.sentence(who, grammar.tell(weak, tense)),
        strong=grammar.sentence(who, grammar.tell(strong, tense)),
        not_weak=grammar.sentence(who, grammar.deny(weak, tense, contracted=contracted)),
        not_strong=grammar.sentence(who, grammar.deny(strong, tense, contracted=contracted)),
    )


_W, _S, _NW, _NS = range(4)
# Premise, hypothesis, role, relation, condition, and the logical and the pragmatic answer.
SCALAR = (
    (_W, _NS, "target", "implicature_PtoN", "W/not S", N, E),
    (_NS, _W, "target", "implicature_NtoP", "not S/W", N, E),
    (_W, _S, "target", "negated implicature_P", "W/S", N, C),
    (_S, _W, "target", "reverse negated implicature_P", "S/W", E, C),
    (_NS, _NW, "target", "negated implicature_N", "not S/not W", N, C),
    (_NW, _NS, "target", "reverse negated implicature_N", "not W/not S", E, C),
    (_S, _NW, "control", "opposite", "S/not W", C, C),
    (_NW, _S, "control", "opposite", "not W/S", C, C),
    (_W, _NW, "control", "negation", "W/not W", C, C),
    (_NW, _W, "control", "negation", "not W/W", C, C),
    (_S, _NS, "control", "negation", "S/not S", C, C),
    (_NS, _S, "control", "negation", "not S/S", C, C),
)
# Where "not S" does not implicate W ("not all" and "most", "not a hundred" and "ten") three rows carry no implicature.
_NO_IMPLICATURE = (1, 4, 5)
# "Exactly n" in all four sentences, their negations "not exactly n".
_EXACT = (E, N, C, C, N, N, E, N, C, C, C, C)


class RowPattern(NamedTuple):
    """A row of the paradigm: the places of its two sentences, the answer under each reading, and its tags."""

    premise: int
    hypothesis: int
    gold: Mapping[str, str]
    tags: Mapping[str, str]


def _row_patterns(*, one_way: bool = False, exact: bool = False) -> tuple[RowPattern, ...]:
    found = []
    for index, (premise, hypothesis, role, relation, condition, logical, pragmatic) in enumerate(SCALAR):
        if one_way and index in _NO_IMPLICATURE:
            relation, pragmatic = "no_impl", logical
        gold = {"logical": logical, "pragmatic": pragmatic, **({"exact": _EXACT[index]} if exact else {})}
        tags = {"role": role, "relation": relation, "condition": condition}
        found.append(RowPattern(premise, hypothesis, gold, tags))
    return tuple(found)


_PLAIN = _row_patterns()
_ONE_WAY = _row_patterns(one_way=True)
_NUMERAL = _row_patterns(one_way=True, exact=True)


def scalar_rows(
    four: ScaleSentences, tags: Mapping[str, str], *, rows: tuple[RowPattern, ...] = _PLAIN
) -> list[NewItem]:
    """The twelve pairs of the four sentences; `tags` holds at least trigger and scale."""
    return [NewItem(four[p], four[h], gold, {**own, **tags}) for p, h, gold, own in rows]


def one_way_rows(four: ScaleSentences, tags: Mapping[str, str]) -> list[NewItem]:
    """Like `scalar_rows`, but denying the stronger mate does not implicate the weaker: those rows stay logical."""
    return scalar_rows(four, tags, rows=_ONE_WAY)


def numeral_rows(four: ScaleSentences, tags: Mapping[str, str]) -> list[NewItem]:
    """Like `one_way_rows`, with a third reading, exact: "two" as "exactly two"."""
    return scalar_rows(four, tags, rows=_NUMERAL)


def scalar_phenomenon(
    name: str, *, conditions: Mapping[str, tuple[str, ...]], marked: tuple[str, ...], **parts: Unpack[PhenomenonParts]
) -> Phenomenon:
    """A phenomenon of twelve pairs a group with the tags of the published scalar files."""
    parts = {"readings": ("logical", "pragmatic"), **parts, "references": (PAPER, *parts["references"])}
    return make_phenomenon(
        name, "implicature", rows=len(SCALAR), tags=SCALAR_TAGS, conditions=conditions, marked=marked, **parts
    )
