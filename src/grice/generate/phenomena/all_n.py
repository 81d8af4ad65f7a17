"""All N: "all four guests who danced" presupposes that four came."""

from __future__ import annotations

from grice.generate import _presupposition as presupposition
from grice.generate import grammar
from grice.generate._scenes import TIES, occasions
from grice.generate.phenomenon import Draw, NewItem

NUMBERS = ("two", "three", "four", "five", "six", "seven", "eight")


def count_presupposition(draw: Draw, number: str, more: str) -> presupposition.Presupposed:
    """That exactly so many did it or were there, that more did, and that so many other people did."""
    occasion, tie = draw["occasion"], draw["tie"]
    who, others = occasion.who(tie), occasion.who(tie, other=draw.rng)
    clause = draw.cell["modifier"] == "clause"
    start, end = ("exactly", occasion.act.phrase.past) if clause else ("there were exactly", "")
    counted = ((number, who), (more, who), (number, others))
    return presupposition.Presupposed(*(grammar.sentence(start, *count, end) for count in counted))


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
    number, more = NUMBERS[draw["number"]], NUMBERS[draw["number"] + 1]
    negated = draw.rng.pick(("not", ""))
    premises = count_environments(draw, f"all {number}", negated=negated)
    return presupposition.paradigm_rows(premises, count_presupposition(draw, number, more), {"trigger": "all_n"})


all_n = presupposition.presupposition_phenomenon(
    "all_n",
    what="\"All four guests who danced\" takes for granted that exactly four guests did.",
    why=(
        "The definite whole of which \"all four\" speaks has four members; the rest of the sentence is denied, asked or supposed of them. Negation is "
        "\"not all four\" or stands outside, so that its scope is plain."
    ),
    slots=lambda _words, _cell: {"occasion": occasions(), "tie": TIES, "number": range(1, len(NUMBERS) - 1)},
    build=_build,
    contrary=True,
    conditions={"modifier": ("clause", "phrase")},
    references=(presupposition.PAPER, "Heim and Kratzer (1998), ch. 6."),
)  # fmt: skip
