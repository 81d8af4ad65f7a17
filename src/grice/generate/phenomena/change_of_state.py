"""Change of state: "Ana opened the gate" presupposes that it was closed."""

from __future__ import annotations

from grice.generate._everyday import changes
from grice.generate._presupposition import presupposition_phenomenon, trigger_rows
from grice.generate._triggers import change_trigger
from grice.generate.phenomenon import Draw, NewItem


def _build(draw: Draw) -> list[NewItem]:
    trigger = change_trigger(draw)
    return trigger_rows(trigger, draw.rng, word=trigger.phrase.verb.base)


change_of_state = presupposition_phenomenon(
    "change_of_state",
    slots=lambda words, _cell: {"change": changes(), "person": words.people},
    build=_build,
    tags=("word",),
    conditions={"tense": ("past", "future")},
)
