"""Perhaps: what is only held possible keeps its presuppositions."""

from __future__ import annotations

from grice.generate import grammar
from grice.generate._presupposition import (
    PRESENT,
    operator_rows,
    plain_rows,
    premise_rows,
    presupposition_phenomenon,
)
from grice.generate._triggers import pick_trigger, trigger_slots
from grice.generate.phenomenon import Draw, NewItem

ASPECTUALS = ("stop", "quit", "give up", "continue")
TRIGGERS = ("possession", "change of state", "aspectual", "iterative", "factive")


def _build(draw: Draw) -> list[NewItem]:
    trigger = pick_trigger(draw, ASPECTUALS)
    clause, without = trigger.clause, trigger.plain_clause
    plain = grammar.sentence(clause)
    rows = premise_rows("unembedded", plain, trigger.presupposed, PRESENT)
    rows += plain_rows("unembedded", grammar.sentence(without), trigger.presupposed)
    for operator in ("perhaps", "it may be that", "there is a chance that"):
        premise = grammar.sentence(operator, clause)
        rows += operator_rows(operator, premise, trigger.presupposed, plain)
        premise = grammar.sentence(operator, without)
        rows += plain_rows(operator, premise, trigger.presupposed)
    return rows


perhaps = presupposition_phenomenon(
    "perhaps",
    slots=lambda words, cell: trigger_slots(words, cell["trigger_type"]),
    build=_build,
    rows=23,
    conditions={"trigger_type": TRIGGERS, "tense": ("past",)},
    fixed=(*ASPECTUALS, "regret", "resent", "lament", "be"),
)
