"""Perhaps: what is only held possible keeps its presuppositions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from grice.generate import grammar
from grice.generate._everyday import belongings, changes, deeds, habits, named_people
from grice.generate._presupposition import (
    ANSWERS,
    Trigger,
    operator_rows,
    premise_rows,
    presupposition_phenomenon,
)
from grice.generate._triggers import (
    aspectual_trigger,
    attitude_trigger,
    change_trigger,
    iterative_trigger,
    possession_trigger,
)
from grice.generate.lexicon import Words
from grice.generate.phenomena.factives import factive_verbs
from grice.generate.phenomena.iteratives import repeatable_deeds
from grice.generate.phenomenon import Conditions, Draw, NewItem, Slots

TRIGGERS = ("possession", "change of state", "aspectual", "iterative", "factive")


def _slots(words: Words, cell: Conditions) -> Slots:
    if cell["trigger"] == "possession":
        return {"owner": named_people(), "thing": belongings("past")}
    options: dict[str, dict[str, Sequence[Any]]] = {
        "change of state": {"change": changes()},
        "aspectual": {"habit": habits()},
        "iterative": {"deed": repeatable_deeds()},
        "factive": {"deed": deeds(), "verb": factive_verbs("emotive", "past")},
    }
    return {"person": words.people, **options[cell["trigger"]]}


def _trigger(draw: Draw) -> Trigger:
    kind = draw.cell["trigger"]
    if kind == "possession":
        return possession_trigger(draw)
    if kind == "change of state":
        return change_trigger(draw)
    if kind == "aspectual":
        return aspectual_trigger(draw, draw.rng.pick(("stop", "quit", "give up", "continue")))
    if kind == "iterative":
        return iterative_trigger(draw, draw.rng.pick(("again", "once more")))
    return attitude_trigger(draw, draw["verb"], "that")


def _build(draw: Draw) -> list[NewItem]:
    trigger = _trigger(draw)
    clause = trigger.clause
    plain = grammar.sentence(clause)
    rows = premise_rows("unembedded", plain, trigger.presupposed, ANSWERS, {})
    for operator in ("perhaps", "it may be that", "there is a chance that"):
        premise = grammar.sentence(operator, clause)
        rows += operator_rows(operator, premise, trigger.presupposed, plain)
    return rows


perhaps = presupposition_phenomenon(
    "perhaps",
    what="Triggers of five kinds under \"perhaps\", \"it may be that\" and \"there is a chance that\".",
    why=(
        "To hold something possible is not to assert it, so the trigger's sentence stays open (the controls); but what it takes for granted is "
        "taken for granted by whoever finds it possible."
    ),
    slots=_slots,
    build=_build,
    rows=15,
    conditions={"trigger": TRIGGERS, "tense": ("past",)},
    fixed=("stop", "quit", "give up", "continue", "regret", "resent", "lament", "be"),
    references=("Karttunen (1973).", "Jeretič et al. (2020), §2.2."),
)  # fmt: skip
