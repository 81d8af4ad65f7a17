"""Change of state: "Ana opened the gate" presupposes that it was closed."""

from __future__ import annotations

from grice.generate._everyday import changes
from grice.generate._presupposition import PAPER, presupposition_phenomenon, trigger_rows
from grice.generate._triggers import change_trigger
from grice.generate.phenomenon import Draw, NewItem


def _build(draw: Draw) -> list[NewItem]:
    trigger = change_trigger(draw)
    return trigger_rows(trigger, draw.rng, word=trigger.phrase.verb.base)


change_of_state = presupposition_phenomenon(
    "change_of_state",
    what="A verb that ends a state takes the state for granted: what is opened was closed.",
    why=(
        "To open a gate is to bring it from closed to open; whether or not this happened, the talk"
        " is of a closed gate. No more is presupposed than that the result was not there just"
        " before: what is refilled was not full, and need not have been empty. That some other"
        " thing was in that state stays open."
    ),
    slots=lambda words, _cell: {"change": changes(), "person": words.people},
    build=_build,
    tags=("word",),
    conditions={"tense": ("past", "future")},
    references=(PAPER, "Simons (2001)."),
)
