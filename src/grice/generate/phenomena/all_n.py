"""All N: "all four guests at the party danced" presupposes that four came."""

from __future__ import annotations

from functools import cache

from grice.generate import _presupposition as presupposition
from grice.generate import grammar
from grice.generate._everyday import habits
from grice.generate._scenes import TIES, Occasion, occasions
from grice.generate.lexicon import lexicon
from grice.generate.phenomenon import Draw, NewItem, Slots

# Each with the one that would make it more.
NUMBERS = {
    "two": "third",
    "three": "fourth",
    "four": "fifth",
    "five": "sixth",
    "six": "seventh",
    "seven": "eighth",
}


@cache
def counted_slots(modifier: str) -> Slots:
    """Return who is counted and what they did: Ana's sisters, or the guests of a small occasion."""
    if modifier == "phrase":
        return {
            "occasion": tuple(option for option in occasions() if _few_come(option)),
            "tie": TIES,
        }
    kin = tuple(option for option in lexicon().relatives if option.text.split()[-1] in _KIN)
    return {"habit": habits(), "kin": kin}


def _few_come(occasion: Occasion) -> bool:
    scene = occasion.crowd.scene
    return scene.size == "few" and scene.name not in _BUSY


# Few at a time, but with a coming and going.
_BUSY = ("clinic", "gym", "library", "restaurant")
# Of these one has a certain number.
_KIN = (
    "sisters",
    "brothers",
    "cousins",
    "aunts",
    "uncles",
    "daughters",
    "sons",
    "nieces",
    "nephews",
)


def count_presupposition(draw: Draw, number: str) -> presupposition.Presupposed:
    """Return the presupposition of a count: exactly so many, more than that, so many others."""
    more = f"{grammar.a(NUMBERS[number])} one"
    if draw.cell["modifier"] == "phrase":
        more, start, who = f"{more} was present", "there were", draw["occasion"].who(draw["tie"])
        others = draw["occasion"].who(draw["tie"], other=draw.rng)
    else:
        owner, who = draw["kin"].text.split("'s ")
        more, start, others = f"there is {more}", f"{owner} has", draw.rng.pick_other(_KIN, who)
    counts = (
        (f"exactly {number}", who),
        (f"more than {number}", who),
        (f"exactly {number}", others),
    )
    holds, fails, unrelated = (grammar.sentence(start, *count) for count in counts)
    return presupposition.Presupposed(holds, fails, unrelated, (more, f"whether {more}"))


def count_environments(
    draw: Draw, determiner: str, *, negated: str = ""
) -> presupposition.Environments:
    """Return the five environments of "all four guests at the party danced".

    With a possessor it is "all four of Ana's sisters dance".
    """
    if draw.cell["modifier"] == "phrase":
        who, act = f"{determiner} {draw['occasion'].who(draw['tie'])}", draw["occasion"].act.phrase
        clause, question = f"{who} {act.past}", grammar.ask("did", who, act.base)
    else:
        who, act = f"{determiner} of {draw['kin'].text}", draw["habit"]
        clause, question = f"{who} {act.base}", grammar.ask("do", who, act.base)
    denied = f"{negated} {clause}" if negated else ""
    return presupposition.clause_environments(clause, question, draw.rng, negated=denied)


def _build(draw: Draw) -> list[NewItem]:
    number, negated = draw["number"], draw.rng.pick(("not", ""))
    premises = count_environments(draw, f"all {number}", negated=negated)
    return presupposition.paradigm_rows(
        premises, count_presupposition(draw, number), {"trigger": "all_n"}
    )


all_n = presupposition.presupposition_phenomenon(
    "all_n",
    what='"All four of Ana\'s sisters" takes for granted that Ana has exactly four sisters.',
    why=(
        'The definite whole of which "all four" speaks has four members; the rest of the sentence'
        ' is denied, asked or supposed of them. Negation is "not all four" or stands outside, so'
        " that its scope is plain."
    ),
    slots=lambda _words, cell: {
        **counted_slots(cell["modifier"]),
        "number": tuple(NUMBERS)[1 : 5 if cell["modifier"] == "phrase" else 4],
    },
    build=_build,
    conditions={"modifier": ("possessive", "phrase")},
    references=(presupposition.PAPER, "Heim and Kratzer (1998), ch. 6."),
)
