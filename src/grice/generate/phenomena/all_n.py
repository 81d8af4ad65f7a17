"""All N: who speaks of all four nurses who came takes it that four came."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from grice.generate import grammar
from grice.generate._everyday import deeds, gatherings, manners
from grice.generate._presupposition import PAPER, ROWS, TAGS, Environments, Presupposed, around, paradigm
from grice.generate.lexicon import Words
from grice.generate.phenomenon import Draw, Phenomenon, Row

NUMBERS = ("two", "three", "four", "five", "six", "seven", "eight")


def slots(words: Words, cell: Mapping[str, str]) -> Mapping[str, Sequence[Any]]:
    bounds: Sequence[Any] = deeds() if cell["modifier"] == "clause" else gatherings()
    return {"noun": words.roles, "bound": bounds, "manner": manners(), "number": range(1, len(NUMBERS) - 1)}


def counted(draw: Draw, number: str, more: str) -> Presupposed:
    """That there are exactly so many, that there are more, and that there are so many of another calling."""
    noun, other = draw["noun"].plural, draw.rng.other(draw.words.roles, draw["noun"]).plural
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
    bound, manner = draw["bound"], draw["manner"]
    within = f"who {bound.phrase.past}" if draw.cell["modifier"] == "clause" else bound.text
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
    what="\"All four nurses who painted the fence\" takes for granted that exactly four nurses did.",
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
