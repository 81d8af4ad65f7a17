"""All N: "all four nurses who came" presupposes that four came."""

from __future__ import annotations

from grice.generate import _presupposition as presupposition
from grice.generate import grammar
from grice.generate._everyday import callings, gatherings, manners, outings, pick_next_outing, pick_other_calling
from grice.generate.phenomenon import Conditions, Draw, NewItem, Slots

NUMBERS = ("two", "three", "four", "five", "six", "seven", "eight")


def bounds(cell: Conditions) -> Slots:
    """What sets the group apart, something done or a place, and what is done there; after a clause `build` chooses it."""
    if cell["modifier"] == "clause":
        return {"bound": outings()}
    return {"bound": gatherings(), "manner": manners()}


def count_presupposition(draw: Draw, number: str, more: str) -> presupposition.Presupposed:
    """That there are exactly so many, that there are more, and that there are so many of another calling."""
    noun, other = draw["noun"].plural, pick_other_calling(draw.rng, draw["noun"]).plural
    clause, bound = draw.cell["modifier"] == "clause", draw["bound"]
    start, end = ("exactly", bound.phrase.past) if clause else ("there were exactly", bound.text)
    counted = ((number, noun), (more, noun), (number, other))
    return presupposition.Presupposed(*(grammar.sentence(start, *count, end) for count in counted))


def count_environments(draw: Draw, determiner: str, *, negated: str = "") -> presupposition.Environments:
    """The five environments of "all four nurses who … did"."""
    bound = draw["bound"]
    if draw.cell["modifier"] == "clause":
        within, manner = f"who {bound.phrase.past}", pick_next_outing(draw.rng, bound)
    else:
        within, manner = bound.text, draw["manner"].phrase
    who = f"{determiner} {draw['noun'].plural} {within}"
    clause = f"{who} {manner.past}"
    question = grammar.ask("did", who, manner.base)
    denied = f"{negated} {clause}" if negated else ""
    return presupposition.clause_environments(clause, question, draw.rng, negated=denied)


def _build(draw: Draw) -> list[NewItem]:
    number, more = NUMBERS[draw["number"]], NUMBERS[draw["number"] + 1]
    negated = draw.rng.pick(("not", ""))
    premises = count_environments(draw, f"all {number}", negated=negated)
    return presupposition.paradigm_rows(premises, count_presupposition(draw, number, more), {"trigger": "all_n"})


all_n = presupposition.presupposition_phenomenon(
    "all_n",
    what="\"All four nurses who joined the choir\" takes for granted that exactly four nurses did.",
    why=(
        "The definite whole of which \"all four\" speaks has four members; the rest of the sentence is denied, asked or supposed of them. Negation is "
        "\"not all four\" or stands outside, so that its scope is plain."
    ),
    slots=lambda _words, cell: {"noun": callings(), **bounds(cell), "number": range(1, len(NUMBERS) - 1)},
    build=_build,
    conditions={"modifier": ("clause", "phrase")},
    references=(presupposition.PAPER, "Heim and Kratzer (1998), ch. 6."),
)  # fmt: skip
