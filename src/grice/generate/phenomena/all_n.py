"""All N: "all four guests who danced" presupposes that four came."""

from __future__ import annotations

from functools import cache

from grice.generate import _presupposition as presupposition
from grice.generate import grammar
from grice.generate._scenes import TIES, Occasion, occasions
from grice.generate.phenomenon import Draw, NewItem

# Each with the one that would make it more.
NUMBERS = {"two": "third", "three": "fourth", "four": "fifth", "five": "sixth", "six": "seventh", "seven": "eighth"}


@cache
def counted_occasions(modifier: str) -> tuple[Occasion, ...]:
    """Where few come all who are there are counted, and elsewhere those who did something."""
    return tuple(one for one in occasions() if _few_come(one) == (modifier == "phrase"))


def _few_come(occasion: Occasion) -> bool:
    scene = occasion.crowd.scene
    return scene.size == "few" and scene.name not in _BUSY


# Few at a time, but with a coming and going.
_BUSY = ("clinic", "gym", "library", "restaurant")


def count_presupposition(draw: Draw, number: str) -> presupposition.Presupposed:
    """That exactly so many did it or were there, that more did, and that so many other people did."""
    occasion, tie = draw["occasion"], draw["tie"]
    who, others = occasion.who(tie), occasion.who(tie, other=draw.rng)
    clause = draw.cell["modifier"] == "clause"
    start, end = ("", occasion.act.phrase.past) if clause else ("there were", "")
    counted = ((f"exactly {number}", who), (f"more than {number}", who), (f"exactly {number}", others))
    doubts = f"{grammar.a(NUMBERS[number])} one has been overlooked", "whether anyone has been overlooked"
    holds, fails, other = (grammar.sentence(start, *count, end) for count in counted)
    return presupposition.Presupposed(holds, fails, other, doubts)


def count_environments(draw: Draw, determiner: str, *, negated: str = "") -> presupposition.Environments:
    """The five environments of "all four guests who danced …"."""
    occasion, who = draw["occasion"], f"{determiner} {draw['occasion'].who(draw['tie'])}"
    act = occasion.act.phrase
    if draw.cell["modifier"] == "clause":
        who, act = f"{who} who {act.past}", occasion.act.pick_companion(draw.rng)
    clause = f"{who} {act.past}"
    question = grammar.ask("did", who, act.base)
    denied = f"{negated} {clause}" if negated else ""
    return presupposition.clause_environments(clause, question, draw.rng, negated=denied)


def _build(draw: Draw) -> list[NewItem]:
    number, negated = draw["number"], draw.rng.pick(("not", ""))
    premises = count_environments(draw, f"all {number}", negated=negated)
    return presupposition.paradigm_rows(premises, count_presupposition(draw, number), {"trigger": "all_n"})


all_n = presupposition.presupposition_phenomenon(
    "all_n",
    what="\"All four guests who danced\" takes for granted that exactly four guests did.",
    why=(
        "The definite whole of which \"all four\" speaks has four members; the rest of the sentence is denied, asked or supposed of them. Negation is "
        "\"not all four\" or stands outside, so that its scope is plain."
    ),
    slots=lambda _words, cell: {"occasion": counted_occasions(cell["modifier"]), "tie": TIES, "number": tuple(NUMBERS)[1:]},
    build=_build,
    conditions={"modifier": ("clause", "phrase")},
    references=(presupposition.PAPER, "Heim and Kratzer (1998), ch. 6."),
)  # fmt: skip
