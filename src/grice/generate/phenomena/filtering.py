"""Filtering: "If Jo has a cat, it is asleep" does not presuppose that Jo has a cat."""

from __future__ import annotations

from grice.generate import grammar
from grice.generate._everyday import belongings, named_people
from grice.generate._presupposition import (
    PRESENT,
    control_row,
    operator_rows,
    plain_rows,
    premise_rows,
    presupposition_phenomenon,
)
from grice.generate._triggers import possession_trigger
from grice.generate.phenomenon import Draw, NewItem
from grice.theory.worlds import N

# First parts that do not suppose what the second takes for granted: someone's word for it.
_IF = (
    "is right",
    "is telling the truth",
    "is not mistaken",
    "is not joking",
    "remembers correctly",
)
_EITHER = ("is mistaken", "is lying", "is joking", "is confused", "is wrong")


def _build(draw: Draw) -> list[NewItem]:
    trigger, rng = possession_trigger(draw), draw.rng
    fact, without = trigger.clause, trigger.plain_clause
    thing = grammar.a(draw["thing"].singular)
    owner = draw["owner"].text
    again = f"it {draw['thing'].fact.third}"
    has, lacks = f"{owner} has {thing}", f"{owner} does not have {thing}"
    witness = rng.pick_other(named_people(), draw["owner"]).text
    say = grammar.sentence
    filters = {
        "filtered conditional": say(f"if {has}, {again}"),
        "filtered disjunction": say(f"either {lacks}, or {again}"),
        "filtered possibility": say(f"perhaps {has} and {again}"),
    }
    holes = {
        "conditional": say(f"if {witness} {rng.pick(_IF)}, {fact}"),
        "disjunction": say(f"either {witness} {rng.pick(_EITHER)}, or {fact}"),
    }
    plain = say(fact)
    rows = premise_rows("unembedded", plain, trigger.presupposed, PRESENT)
    rows += premise_rows("conjunction", say(f"{has}, and {again}"), trigger.presupposed, PRESENT)
    for operator, premise in filters.items():
        rows += premise_rows(operator, premise, trigger.presupposed, PRESENT)
        rows.append(control_row(operator, premise, plain, N))
    for operator, premise in holes.items():
        rows += operator_rows(operator, premise, trigger.presupposed, plain)
        rows += plain_rows(operator, premise.replace(fact, without), trigger.presupposed)
    return rows + plain_rows("unembedded", say(without), trigger.presupposed)


filtering = presupposition_phenomenon(
    "filtering",
    slots=lambda _words, _cell: {
        "thing": belongings("present", people=False),
        "owner": named_people(),
    },
    build=_build,
    rows=32,
    conditions={"trigger_type": ("possession",), "tense": ("present",)},
)
