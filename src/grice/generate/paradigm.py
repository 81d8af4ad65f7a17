"""The scalar paradigm of Jeretič et al. 2020, Table 2, with controls for every answer: fourteen pairs a group."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, NamedTuple, Unpack

from grice.generate import grammar
from grice.generate._everyday import pick_name
from grice.generate._random import Rng
from grice.generate.grammar import VerbPhrase
from grice.generate.lexicon import table
from grice.generate.phenomenon import Draw, NewItem, Phenomenon, PhenomenonParts, make_phenomenon
from grice.theory.scales import SCALES, scale_labels, scale_traits
from grice.theory.worlds import C, E, N

# What a control is called by its answer: it says of the hypothesis that it is so, leaves it open, or says that it is not.
CONTROL_NAMES = {E: "affirmed", N: "open", C: "denied"}
# What scales differ in, so that a model can be set beside the spread between them (van Tiel et al. 2016).
TRAITS = ("bounded", "polarity", "distance")
SCALAR_TAGS = ("kind", "phenomenon", "role", "relation", "condition", "control", "carrier", "trigger", "scale", *TRAITS)
# Conditions that most scales share.
TENSE_AND_NEGATION = {"tense": ("present", "past"), "negation": ("contracted", "full")}
PAPER = "Jeretič et al. (2020), Are Natural Language Inference Models IMPPRESsive?"


class ScaleClauses(NamedTuple):
    """The clause of the weaker and of the stronger scale-mate, and the negation of each; no capital, no full stop."""

    weak: str
    strong: str
    not_weak: str
    not_strong: str


def scale_clauses(draw: Draw, who: str, weak: VerbPhrase, strong: VerbPhrase) -> ScaleClauses:
    """The four clauses of two predicates of one subject, in the tense and with the negation of the draw."""
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
# The pairs of opposites that the paper has among its controls: as far apart in their words as the implicatures and the
# other way in their answers, so that neither length nor overlap tells the two apart.
FILLERS = ((_S, _NW, "opposite"), (_NW, _S, "opposite"))
# The controls: the answer, the relation of the premise to the hypothesis, and whether the hypothesis is a negation (in one
# half of the groups the other way round). The published controls are contradictions throughout, so that who always says
# contradiction passes them; these have each answer twice, over the same hypotheses. One of the two says the hypothesis
# itself, and one its negation: that a word is new tells nothing.
CONTROLS = (
    (E, "repetition", False),
    (E, "denied negation", True),
    (N, "another subject", False),
    (N, "left open", True),
    (C, "negation", False),
    (C, "denied repetition", True),
)
# Which of its carriers a relation takes, and whether the clause in it is the negation of the hypothesis (None: either).
_CARRIED: Mapping[str, tuple[str, bool | None]] = {
    "repetition": ("affirmed", False),
    "denied negation": ("denied", True),
    "another subject": ("affirmed", None),
    "left open": ("open", None),
    "negation": ("affirmed", True),
    "denied repetition": ("denied", False),
}


class RowPattern(NamedTuple):
    """A target of the paradigm: the places of its two sentences, the answer under each reading, and its tags."""

    premise: int
    hypothesis: int
    gold: Mapping[str, str]
    tags: Mapping[str, str]


@cache
def row_patterns(kind: str) -> tuple[RowPattern, ...]:
    """The targets and fillers of a kind of scale; a target that carries no implicature has the relation `no_impl`."""
    found = []
    for premise, hypothesis, relation in (*TARGETS, *FILLERS):
        gold = scale_labels(kind, ScaleClauses._fields[premise], ScaleClauses._fields[hypothesis])
        role = "filler" if relation == "opposite" else "target"
        if role == "target" and gold["logical"] == gold["pragmatic"]:
            relation = "no_impl"
        tags = {"role": role, "relation": relation, "condition": f"{PLACES[premise]}/{PLACES[hypothesis]}"}
        found.append(RowPattern(premise, hypothesis, gold, tags))
    return tuple(found)


class Contrast(NamedTuple):
    """How the second subject of the controls is found: the slot that gets another option, and which options fit."""

    slot: str = "subject"
    fits: Callable[[Any, Any], bool] | None = None


SUBJECT = Contrast()


@cache
def _traits(scale: str) -> Mapping[str, str]:
    """The tags of a scale's traits; a scale said of two sorts of thing is one scale."""
    found = scale_traits(scale.removesuffix(" (thing)"))
    return {trait: found[trait] for trait in TRAITS if trait in found}


def scalar_rows(
    draw: Draw,
    clauses: Callable[[Draw], ScaleClauses],
    tags: Mapping[str, str],
    *,
    kind: str = "both ways",
    contrast: Contrast = SUBJECT,
    within: tuple[str, str] = ("", ""),
    without: str = "",
) -> list[NewItem]:
    """Six targets and two fillers from the four clauses of a draw, and six controls, two for each answer.

    `kind` is one of `grice.theory.scales`: it says which theories there are and what they make of the four clauses.
    `clauses` is called for the draw and for the same draw with another option in the slot that `contrast` names: from
    what is said of Ana nothing follows for Bo. `within` stands before and after each text; `without` is a pattern of words that
    no carrier of a control has. `tags` holds at least trigger and scale.
    """
    tags = {**_traits(tags.get("scale") or draw.cell["scale"]), **tags}
    start = draw.rng.copy()
    four = clauses(draw)
    other = clauses(draw.exchange(contrast.slot, start, contrast.fits))
    said = [grammar.sentence(f"{within[0]}{clause}{within[1]}") for clause in four]
    found = [NewItem(said[p], said[h], gold, {**own, **tags}) for p, h, gold, own in row_patterns(kind)]
    return found + _control_rows(draw.rng, (four, other), tags, _Surroundings(*within, without), tuple(SCALES[kind]))


class _Surroundings(NamedTuple):
    """What stands before and after the texts of controls, and a pattern of words that no carrier has."""

    before: str
    after: str
    without: str


def _control_rows(
    rng: Rng,
    both: tuple[ScaleClauses, ScaleClauses],
    tags: Mapping[str, str],
    within: _Surroundings,
    readings: tuple[str, ...],
) -> list[NewItem]:
    """The six controls: the premise asserts the hypothesis, negates it, leaves it open, or tells of another subject."""
    found = []
    turned = rng.randbelow(2) == 1
    for label, relation, first in CONTROLS:
        negated = first != turned
        mate, status, opposite = rng.randbelow(2), *_CARRIED[relation]
        if opposite is None:
            opposite = rng.randbelow(2) == 1
        said_negated = negated != opposite
        clause = both[relation == "another subject"][mate + 2 * said_negated]
        # "Ana is not tired? No." could be either.
        without = "|".join(filter(None, (within.without, r"\bZ\b|\?" * any(within[:2]), r"\?|asked" * said_negated)))
        carrier = rng.pick(carriers(status, without))
        hypothesis = both[0][mate + 2 * negated]
        premise = _carry(carrier, clause, pick_name(rng, clause, hypothesis), within)
        shown = {
            "role": "control",
            "relation": relation,
            "condition": f"{PLACES[mate + 2 * said_negated]}/{PLACES[mate + 2 * negated]}",
            "control": CONTROL_NAMES[label],
            "carrier": carrier,
        }
        gold = _same_answer(label, readings)
        found.append(NewItem(premise, grammar.sentence(f"{within[0]}{hypothesis}{within[1]}"), gold, {**shown, **tags}))
    return found


@cache
def carriers(status: str, without: str = "") -> tuple[str, ...]:
    """The sentences around a clause X in which it is affirmed, denied or left open: those of a line are alike in length.

    `without` leaves out each line with words of this pattern.
    """
    rows = [row for row in table("verdicts") if not (without and re.search(without, "\t".join(row.values())))]
    return tuple(row[status] for row in rows)


@cache
def _same_answer(label: str, readings: tuple[str, ...]) -> Mapping[str, str]:
    return dict.fromkeys(readings, label)


def _carry(carrier: str, clause: str, name: str, within: _Surroundings) -> str:
    """The carrier with its clause and its name, and what stands around each text."""
    text = fill(carrier, X=clause, Z=name)
    return grammar.sentence(f"{within[0]}{text[:-1]}{within[1]}", end=text[-1])


_PLACEHOLDER = re.compile(r"\b[XZ]\b")


def fill(pattern: str, **parts: str) -> str:
    """The pattern with its single capitals (X, Z) replaced: `fill("X, as Z says", X="it rained", Z="Ana")`."""
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
    """A phenomenon of fourteen pairs a group with the tags of the published scalar files; `kind` gives it its readings."""
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
