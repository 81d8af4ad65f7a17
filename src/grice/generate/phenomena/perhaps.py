"""Perhaps: what may be so for all we know still takes for granted what it takes for granted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from grice.generate import grammar
from grice.generate._everyday import belongings, changes, deeds, habits, named
from grice.generate._presupposition import ANSWERS, TAGS, Trigger, answered
from grice.generate._triggers import aspectual, attitude, change, once_more, possession
from grice.generate.lexicon import Words
from grice.generate.paradigm import N
from grice.generate.phenomena.factives import verbs
from grice.generate.phenomena.iteratives import repeatable
from grice.generate.phenomenon import Draw, Phenomenon, Row

TRIGGERS = ("possession", "change of state", "aspectual", "iterative", "factive")


def slots(words: Words, cell: Mapping[str, str]) -> Mapping[str, Sequence[Any]]:
    if cell["trigger"] == "possession":
        return {"owner": named(), "thing": belongings("past")}
    options: dict[str, dict[str, Sequence[Any]]] = {
        "change of state": {"change": changes()},
        "aspectual": {"habit": habits()},
        "iterative": {"deed": repeatable()},
        "factive": {"deed": deeds(), "verb": verbs("emotive", "past")},
    }
    return {"person": words.people, **options[cell["trigger"]]}


def embedded(draw: Draw) -> Trigger:
    kind = draw.cell["trigger"]
    if kind == "possession":
        return possession(draw)
    if kind == "change of state":
        return change(draw)
    if kind == "aspectual":
        return aspectual(draw, draw.rng.pick(("stop", "quit", "give up", "continue")))
    if kind == "iterative":
        return once_more(draw, draw.rng.pick(("again", "once more")))
    return attitude(draw, draw["verb"], "that")


def build(draw: Draw) -> list[Row]:
    trigger = embedded(draw)
    clause = trigger.clause
    plain = grammar.sentence(clause)
    held_possible = {
        "perhaps": grammar.sentence("perhaps", clause),
        "it may be that": grammar.sentence("it may be that", clause),
        "there is a chance that": grammar.sentence("there is a chance that", clause),
    }
    rows = answered("unembedded", plain, trigger.presupposed, ANSWERS, {})
    for operator, premise in held_possible.items():
        rows += answered(operator, premise, trigger.presupposed, ANSWERS, {})
        rows.append(Row(premise, plain, {"label": N}, {"role": "control", "operator": operator}))
    return rows


perhaps = Phenomenon(
    name="perhaps",
    kind="presupposition",
    what="Triggers of five kinds under \"perhaps\", \"it may be that\" and \"there is a chance that\".",
    why=(
        "To hold something possible is not to assert it, so the trigger's sentence stays open (the controls); but what it takes for granted is "
        "taken for granted by whoever finds it possible."
    ),
    slots=slots,
    build=build,
    rows=15,
    tags=(*TAGS, "tense"),
    conditions={"trigger": TRIGGERS, "tense": ("past",)},
    marked=("trigger", "tense"),
    fixed=("stop", "quit", "give up", "continue", "regret", "resent", "lament", "be"),
    references=("Karttunen (1973).", "Jeretič et al. (2020), §2.2."),
)  # fmt: skip
