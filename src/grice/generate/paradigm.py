"""The scalar paradigm of Jeretič et al. 2020, Table 2, with controls for every answer.

It has fourteen pairs per group.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import NamedTuple, Unpack

from grice.generate import grammar
from grice.generate._everyday import pick_name
from grice.generate._random import Rng
from grice.generate.grammar import VerbPhrase
from grice.generate.lexicon import table
from grice.generate.phenomenon import Draw, NewItem, Phenomenon, PhenomenonParts, make_phenomenon
from grice.theory.scales import SCALES, scale_labels, scale_traits
from grice.theory.worlds import C, E, N

# What a control is called by its answer: it says of the hypothesis that it is so, leaves it open,
# or says that it is not.
CONTROL_NAMES = {E: "affirmed", N: "open", C: "denied"}
# What scales differ in, so that a model can be set beside the spread between them (van Tiel et al.
# 2016).
TRAITS = ("bounded", "polarity", "distance")
SCALAR_TAGS = (
    "kind",
    "phenomenon",
    "role",
    "relation",
    "condition",
    "control",
    "carrier",
    "trigger",
    "scale",
    *TRAITS,
)
# Conditions that most scales share.
TENSE_AND_NEGATION = {"tense": ("present", "past"), "negation": ("contracted", "full")}
PAPER = "Jeretič et al. (2020), Are Natural Language Inference Models IMPPRESsive?"


class ScaleClauses(NamedTuple):
    """The clauses of the weaker and the stronger scale-mate, and the negation of each.

    They have no capital and no full stop.
    """

    weak: str
    strong: str
    not_weak: str
    not_strong: str


def scale_clauses(draw: Draw, who: str, weak: VerbPhrase, strong: VerbPhrase) -> ScaleClauses:
    """Return the four clauses of two predicates of one subject.

    Tense and negation are those of the draw.
    """
    tense, contracted = draw.cell["tense"], draw.cell["negation"] == "contracted"
    return ScaleClauses(
        weak=f"{who} {grammar.tell(weak, tense)}",
        strong=f"{who} {grammar.tell(strong, tense)}",
        not_weak=f"{who} {grammar.deny(weak, tense, contracted=contracted)}",
        not_strong=f"{who} {grammar.deny(strong, tense, contracted=contracted)}",
    )


_W, _S, _NW, _NS = range(4)
PLACES = ("W", "S", "not W", "not S")
# The targets: premise, hypothesis, relation. Their answers are those of `grice.theory.scales`.
TARGETS = (
    (_W, _NS, "implicature_PtoN"),
    (_NS, _W, "implicature_NtoP"),
    (_W, _S, "negated implicature_P"),
    (_S, _W, "reverse negated implicature_P"),
    (_NS, _NW, "negated implicature_N"),
    (_NW, _NS, "reverse negated implicature_N"),
)
# The pairs of opposites that the paper has among its controls: as far apart in their words as the
# implicatures and the other way in their answers, so that neither length nor overlap tells the two
# apart.
FILLERS = ((_S, _NW, "opposite"), (_NW, _S, "opposite"))
# The controls: the answer, the relation of the premise to the hypothesis, the status of the clause
# in the premise, and whether it is the negation of the hypothesis. The published controls are
# contradictions throughout, so that who always says contradiction passes them; these have each
# answer twice, once with the hypothesis itself in the premise and once with its negation: how many
# words are new tells nothing.
CONTROLS = (
    (E, "repetition", "affirmed", False),
    (E, "denied negation", "denied", True),
    (N, "left open", "open", False),
    (N, "negation left open", "open", True),
    (C, "negation", "affirmed", True),
    (C, "denied repetition", "denied", False),
)
# Which of the four sentences each control may have for its hypothesis. Where every target carries
# an implicature they are spread evenly, and no control has a negation in its premise. Where some
# targets carry none, a hypothesis would have one answer only, and the controls give it the others:
# over targets, fillers and controls no hypothesis tells its answer under any reading (of belief,
# where three readings pull apart, within four hundredths).
_POSITIVE, _NEGATIVE = (_W, _S), (_NW, _NS)
_EVENLY = (_POSITIVE, _NEGATIVE, _POSITIVE, _NEGATIVE, _NEGATIVE, _POSITIVE)
ASKED: Mapping[str, tuple[tuple[int, ...], ...]] = {
    "both ways": _EVENLY,
    "one way": ((_NW,), (_S,), (_NS,), (_NS,), (_NS,), (_NS,)),
    "one way, adjective": ((_S,), (_NW,), (_S, _NS), (_S, _NS), (_NS,), (_NS,)),
    "numeral": ((_S,), (_S,), (_S, _NS), (_S, _NS), (_NS,), (_NS,)),
    "stage": ((_NW,), (_S,), (_NW,), (_W,), (_W,), (_W,)),
    "knowledge": ((_W,), (_S,), (_W,), (_W, _NS), (_W, _NS), (_NS,)),
}


class RowPattern(NamedTuple):
    """A target: the indices of its two sentences, the answer under each reading, and its tags."""

    premise: int
    hypothesis: int
    gold: Mapping[str, str]
    tags: Mapping[str, str]


@cache
def row_patterns(kind: str) -> tuple[RowPattern, ...]:
    """Return the targets and fillers of a kind of scale.

    A target that carries no implicature has the relation `no_impl`.
    """
    patterns = []
    for premise, hypothesis, relation in (*TARGETS, *FILLERS):
        gold = scale_labels(kind, ScaleClauses._fields[premise], ScaleClauses._fields[hypothesis])
        role = "balance" if relation == "opposite" else "target"
        if role == "target" and gold["logical"] == gold["pragmatic"]:
            relation = "no_impl"
        tags = {
            "role": role,
            "relation": relation,
            "condition": f"{PLACES[premise]}/{PLACES[hypothesis]}",
        }
        patterns.append(RowPattern(premise, hypothesis, gold, tags))
    return tuple(patterns)


@cache
def _traits(scale: str) -> Mapping[str, str]:
    """Return the tags of a scale's traits; a scale for two sorts of subject is one scale."""
    traits = scale_traits(scale.removesuffix(" (thing)"))
    return {trait: traits[trait] for trait in TRAITS if trait in traits}


def scalar_rows(
    draw: Draw,
    clauses: Callable[[Draw], ScaleClauses],
    tags: Mapping[str, str],
    *,
    kind: str = "both ways",
    asked: str = "",
    reported: bool = False,
) -> list[NewItem]:
    """Return six targets and two fillers from the four clauses of a draw, and six controls.

    There are two controls for each answer. `kind` is one of `grice.theory.scales`: it determines
    the theories and their labels for the four clauses. The controls have the questions of the kind
    `asked`, by default its own. `reported` attributes every clause of a control to a speaker, as a
    guess ("might") requires. `tags` holds at least trigger and scale.
    """
    tags = {**_traits(tags.get("scale") or draw.cell["scale"]), **tags}
    four = clauses(draw)
    sentences = [grammar.sentence(clause) for clause in four]
    rows = [
        NewItem(sentences[p], sentences[h], gold, {**own, **tags})
        for p, h, gold, own in row_patterns(kind)
    ]
    return rows + _control_rows(draw.rng, four, tags, (kind, asked or kind), reported)


def _control_rows(
    rng: Rng, four: ScaleClauses, tags: Mapping[str, str], kinds: tuple[str, str], reported: bool
) -> list[NewItem]:
    """Return six controls that affirm, deny or leave open the hypothesis or its negation."""
    rows = []
    for (label, relation, status, opposite), places in zip(CONTROLS, ASKED[kinds[1]], strict=True):
        hypothesis_index = rng.pick(places)
        premise_index = (hypothesis_index + 2) % 4 if opposite else hypothesis_index
        clause, hypothesis = four[premise_index], four[hypothesis_index]
        carrier = rng.pick(carriers(status, reported or premise_index in _NEGATIVE))
        row_tags = {
            "role": "control",
            "relation": relation,
            "condition": f"{PLACES[premise_index]}/{PLACES[hypothesis_index]}",
            "control": CONTROL_NAMES[label],
            "carrier": carrier,
        }
        premise = fill(carrier, X=clause, Z=pick_name(rng, clause, hypothesis))
        gold = _same_answer(label, tuple(SCALES[kinds[0]]))
        texts = grammar.sentence(premise, end=""), grammar.sentence(hypothesis)
        rows.append(NewItem(*texts, gold, {**row_tags, **tags}))
    return rows


@cache
def carriers(status: str, reported: bool = False) -> tuple[str, ...]:
    """Return sentences around a clause X in which it is affirmed, denied or left open.

    Those of a line are alike in length. `reported` selects those in which someone says or thinks
    it, since "It is not true that not all left" is unnatural.
    """
    return tuple(row[status] for row in table("carriers") if row["fits"] == "any" or not reported)


@cache
def _same_answer(label: str, readings: tuple[str, ...]) -> Mapping[str, str]:
    return dict.fromkeys(readings, label)


_PLACEHOLDER = re.compile(r"\b[XZ]\b")


def fill(pattern: str, **parts: str) -> str:
    """Replace single capitals in a pattern: `fill("X, as Z says", X="it rained", Z="Ana")`."""
    return _template(pattern).format_map(parts)


@cache
def _template(pattern: str) -> str:
    return _PLACEHOLDER.sub(r"{\g<0>}", pattern)


def scalar_phenomenon(
    name: str,
    *,
    kind: str = "both ways",
    conditions: Mapping[str, tuple[str, ...]],
    marked: tuple[str, ...],
    **parts: Unpack[PhenomenonParts],
) -> Phenomenon:
    """Define a scalar phenomenon of fourteen pairs per group, with the published tags.

    `kind` determines its readings.
    """
    parts = {"readings": tuple(SCALES[kind]), **parts, "references": (PAPER, *parts["references"])}
    return make_phenomenon(
        name,
        "implicature",
        rows=len((*TARGETS, *FILLERS, *CONTROLS)),
        tags=SCALAR_TAGS,
        conditions=conditions,
        marked=marked,
        **parts,
    )
