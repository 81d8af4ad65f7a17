"""The scalar paradigm of Jeretič et al. 2020, Table 2, and pairs that balance its labels."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import NamedTuple, Unpack

from grice.generate import grammar
from grice.generate._random import Rng
from grice.generate.grammar import VerbPhrase
from grice.generate.phenomenon import Draw, NewItem, Phenomenon, PhenomenonParts, make_phenomenon
from grice.theory.scales import SCALES, scale_labels, scale_traits
from grice.theory.worlds import C, N

# What scales differ in, so that a model can be set beside the spread between them (van Tiel et al.
# 2016).
TRAITS = ("bounded", "polarity", "distance")
SCALAR_TAGS = ("kind", "phenomenon", "role", "relation", "condition", "trigger", "scale", *TRAITS)
# Conditions that most scales share.
TENSE_AND_NEGATION = {"tense": ("present", "past"), "negation": ("contracted", "full")}


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
# The controls of the paper: opposites and negations, all of them contradictions.
CONTROLS = (
    (_S, _NW, "opposite"),
    (_NW, _S, "opposite"),
    (_W, _NW, "negation"),
    (_NW, _W, "negation"),
    (_S, _NS, "negation"),
    (_NS, _S, "negation"),
)
# The fewest further pairs with which neither the hypothesis nor the number of shared words tells
# the label, over targets and these and under any reading: premise, hypothesis, and what is done to
# the premise. `others` says it of somebody else, so that nothing follows; `witness` says in
# addition who told it, so that no word of the hypothesis is new; `remark` adds a remark to a
# negation, which contradicts. Which pairs a kind needs was found by trying all. "mixed" is for
# phenomena that join scales of two kinds: a label must not be the commonest for one of them only.
_OTHERS = ((_S, _S, "others"), (_NS, _NS, "others"), (_S, _NS, "others"))
BALANCE: Mapping[str, tuple[tuple[int, int, str], ...]] = {
    "both ways": ((_W, _W, "others"), (_S, _S, "others"), (_NW, _W, "remark")),
    "one way": _OTHERS,
    "numeral": ((_W, _W, "others"), (_S, _S, "others"), (_S, _NS, "others"), (_NW, _NS, "others")),
    "mixed": (
        (_W, _W, "others"),
        (_W, _NW, "others"),
        (_NS, _NS, "others"),
        (_W, _S, "witness"),
        (_NW, _NS, "witness"),
        (_NS, _W, "witness"),
    ),
    "stage": (
        (_W, _W, "others"),
        (_S, _S, "others"),
        (_NS, _NS, "others"),
        (_W, _NW, "witness"),
        (_NW, _NS, "witness"),
        (_NS, _W, "witness"),
    ),
    "knowledge": (
        (_W, _W, "others"),
        (_W, _NW, "others"),
        (_NW, _NS, "others"),
        (_W, _S, "witness"),
        (_NW, _W, "witness"),
        (_NW, _NS, "witness"),
    ),
}
_LABELS = {"others": N, "witness": N, "remark": C}
_REMARKS = ("as it happens", "as we all know", "as everyone knows", "of course")
# The slots that say of whom or where it is; otherwise the first slot does.
_WHOSE = ("tie", "subject", "person", "owner", "city")


class RowPattern(NamedTuple):
    """A target: the indices of its two sentences, the answer under each reading, and its tags."""

    premise: int
    hypothesis: int
    gold: Mapping[str, str]
    tags: Mapping[str, str]


@cache
def row_patterns(kind: str) -> tuple[RowPattern, ...]:
    """Return the targets and controls of a kind of scale.

    A target that carries no implicature has the relation `no_impl`.
    """
    patterns = []
    for premise, hypothesis, relation in (*TARGETS, *CONTROLS):
        gold = scale_labels(kind, ScaleClauses._fields[premise], ScaleClauses._fields[hypothesis])
        role = "control" if relation in ("opposite", "negation") else "target"
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
    balance: str | None = "",
    witness: str = "",
) -> list[NewItem]:
    """Return six targets and six controls from the four clauses of a draw, and some for balance.

    `kind` is one of `grice.theory.scales`: it determines the theories and their labels for the four
    clauses. `tags` holds at least trigger and scale. `balance` is a key of `BALANCE`, by default
    the kind; with None no pairs are added. `witness` is a remark that names those whom the clauses
    are about as the source, by default "as Ana told us".
    """
    tags = {**_traits(tags.get("scale") or draw.cell["scale"]), **tags}
    before = draw.rng.copy()
    four = clauses(draw)
    sentences = [grammar.sentence(clause) for clause in four]
    rows = [
        NewItem(sentences[p], sentences[h], gold, {**own, **tags})
        for p, h, gold, own in row_patterns(kind)
    ]
    if balance is None:
        return rows
    others = [grammar.sentence(clause) for clause in clauses(_about_others(draw, before))]
    gold = {change: dict.fromkeys(SCALES[kind], label) for change, label in _LABELS.items()}
    for premise_index, hypothesis_index, change in BALANCE[balance or kind]:
        match change:
            case "others":
                premise = others[premise_index]
            case "witness":
                source = witness or f"as {draw[_whose(draw)].text} told us"
                premise = f"{others[premise_index][:-1]}, {source}."
            case _:
                premise = grammar.sentence(f"{four[premise_index]}, {draw.rng.pick(_REMARKS)}")
        row_tags = {
            "role": "balance",
            "relation": change,
            "condition": f"{PLACES[premise_index]}/{PLACES[hypothesis_index]}",
        }
        rows.append(
            NewItem(premise, sentences[hypothesis_index], gold[change], {**row_tags, **tags})
        )
    return rows


def _whose(draw: Draw) -> str:
    """Return the slot that says whom or where the clauses are about."""
    return next(slot for slot in (*_WHOSE, *draw.slots) if slot in draw.slots)


def _about_others(draw: Draw, rng: Rng) -> Draw:
    """Return the draw with somebody else, or people elsewhere, for those it is about."""
    slot = _whose(draw)
    other = draw.rng.pick_other(draw.options[slot], draw[slot])
    return Draw(draw.words, draw.cell, {**draw.slots, slot: other}, rng, draw.options)


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
    balance: str | None = "",
    **parts: Unpack[PhenomenonParts],
) -> Phenomenon:
    """Define a scalar phenomenon with the published tags.

    `kind` determines its readings, `balance` is that of its `scalar_rows`.
    """
    parts = {"readings": tuple(SCALES[kind]), **parts}
    return make_phenomenon(
        name,
        "implicature",
        rows=len((*TARGETS, *CONTROLS)) + (0 if balance is None else len(BALANCE[balance or kind])),
        tags=SCALAR_TAGS,
        conditions=conditions,
        marked=marked,
        **parts,
    )
