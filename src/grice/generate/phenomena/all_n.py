"""All N: "all four guests at the party danced" presupposes that four came."""

from __future__ import annotations

from functools import cache

from grice.generate import _presupposition as presupposition
from grice.generate import grammar
from grice.generate._everyday import habits
from grice.generate._scenes import TIES, Occasion, occasions
from grice.generate.lexicon import lexicon, word_list
from grice.generate.phenomenon import Draw, NewItem, Slots

NUMBERS = ("three", "four", "five", "six")


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
_KIN = word_list("counted relatives")


def count_presupposition(draw: Draw, number: str) -> presupposition.Presupposed:
    """Return the presupposition of a count: exactly so many, more than that, so many others."""
    if draw.cell["modifier"] == "phrase":
        start, who = "there were", draw["occasion"].who(draw["tie"])
        others = draw["occasion"].who(draw["tie"], other=draw.rng)
    else:
        owner, who = draw["kin"].text.split("'s ")
        start, others = f"{owner} has", draw.rng.pick_other(_KIN, who)
    counts = (
        (f"exactly {number}", who),
        (f"more than {number}", who),
        (f"exactly {number}", others),
    )
    holds, fails, unrelated = (grammar.sentence(start, *count) for count in counts)
    return presupposition.Presupposed(holds, fails, unrelated)


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


def plain_count_environments(draw: Draw, number: str) -> presupposition.Environments:
    """Return the five environments of "four guests at the party danced".

    Of relatives it is "four sisters of Ana's dance", since "four of Ana's sisters" are not all.
    `number` may be "some".
    """
    rng = draw.rng.copy()
    if draw.cell["modifier"] == "phrase":
        who, act = f"{number} {draw['occasion'].who(draw['tie'])}", draw["occasion"].act.phrase
        clause, question = f"{who} {act.past}", grammar.ask("did", who, act.base)
    else:
        owner, kin = draw["kin"].text.split("'s ")
        who, act = f"{number} {kin} of {owner}'s", draw["habit"]
        clause, question = f"{who} {act.base}", grammar.ask("do", who, act.base)
    return presupposition.clause_environments(clause, question, rng)


def _build(draw: Draw) -> list[NewItem]:
    number, negated = draw["number"], draw.rng.pick(("not", ""))
    return presupposition.paradigm_rows(
        count_environments(draw, f"all {number}", negated=negated),
        plain_count_environments(draw, number),
        count_presupposition(draw, number),
    )


all_n = presupposition.presupposition_phenomenon(
    "all_n",
    slots=lambda _words, cell: {
        **counted_slots(cell["modifier"]),
        "number": NUMBERS[: 4 if cell["modifier"] == "phrase" else 3],
    },
    build=_build,
    conditions={"modifier": ("possessive", "phrase")},
)
