"""All N: who speaks of all four nurses who came takes it that four came."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from grice.generate import grammar
from grice.generate._everyday import another_calling, callings, gatherings, manners, next_outing, outings
from grice.generate._presupposition import PAPER, ROWS, TAGS, Environments, Presupposed, around, paradigm
from grice.generate.lexicon import Words
from grice.generate.phenomenon import Draw, Phenomenon, Row

NUMBERS = ("two", "three", "four", "five", "six", "seven", "eight")


def slots(_words: Words, cell: Mapping[str, str]) -> Mapping[str, Sequence[Any]]:
    return {"noun": callings(), **bounds(cell), "number": range(1, len(NUMBERS) - 1)}


def bounds(cell: Mapping[str, str]) -> Mapping[str, Sequence[Any]]:
    """What sets the group apart, something done or a place, and what is done there; after a clause `build` chooses it."""
    if cell["modifier"] == "clause":
        return {"bound": outings()}
    return {"bound": gatherings(), "manner": manners()}


def counted(draw: Draw, number: str, more: str) -> Presupposed:
    """That there are exactly so many, that there are more, and that there are so many of another calling."""
    noun, other = draw["noun"].plural, another_calling(draw.rng, draw["noun"]).plural
    if draw.cell["modifier"] == "clause":
        did = draw["bound"].phrase.past
        pattern = "exactly {} {} " + did
    else:
        pattern = "there were exactly {} {} " + draw["bound"].text
    return Presupposed(
        grammar.sentence(pattern.format(number, noun)),
        grammar.sentence(pattern.format(more, noun)),
        grammar.sentence(pattern.format(number, other)),
    )


def counted_premises(draw: Draw, determiner: str, *, negated: str = "") -> Environments:
    """The five environments of "all four nurses who … did"."""
    bound = draw["bound"]
    if draw.cell["modifier"] == "clause":
        within, manner = f"who {bound.phrase.past}", next_outing(draw.rng, bound)
    else:
        within, manner = bound.text, draw["manner"]
    who = f"{determiner} {draw['noun'].plural} {within}"
    clause = f"{who} {manner.past}"
    question = grammar.ask("did", who, manner.base)
    return around(clause, question, draw.rng, negated=f"{negated} {clause}" if negated else "")


def build(draw: Draw) -> list[Row]:
    number, more = NUMBERS[draw["number"]], NUMBERS[draw["number"] + 1]
    negated = draw.rng.pick(("not", ""))
    premises = counted_premises(draw, f"all {number}", negated=negated)
    return paradigm(premises, counted(draw, number, more), {"trigger": "all_n"})


all_n = Phenomenon(
    name="all_n",
    kind="presupposition",
    what="\"All four nurses who joined the choir\" takes for granted that exactly four nurses did.",
    why=(
        "The definite whole of which \"all four\" speaks has four members; the rest of the sentence is denied, asked or supposed of them. Negation is "
        "\"not all four\" or stands outside, so that its scope is plain."
    ),
    slots=slots,
    build=build,
    rows=ROWS,
    tags=(*TAGS, "modifier"),
    conditions={"modifier": ("clause", "phrase")},
    marked=("modifier",),
    references=(PAPER, "Heim and Kratzer (1998), ch. 6."),
)  # fmt: skip
