"""Change of state: whoever opens a gate finds it closed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from grice.generate._everyday import changes
from grice.generate._presupposition import PAPER, ROWS, TAGS, environments, paradigm
from grice.generate._triggers import change
from grice.generate.lexicon import Words
from grice.generate.phenomenon import Draw, Phenomenon, Row


def slots(words: Words, _cell: Mapping[str, str]) -> Mapping[str, Sequence[Any]]:
    return {"person": words.people, "change": changes()}


def build(draw: Draw) -> list[Row]:
    trigger = change(draw)
    tags = {"trigger": "change_of_state", "word": draw["change"].phrase.verb.base}
    return paradigm(environments(trigger, draw.rng), trigger.presupposed, tags)


change_of_state = Phenomenon(
    name="change_of_state",
    kind="presupposition",
    what="A verb that ends a state takes the state for granted: what is opened was closed.",
    why=(
        "To open a gate is to bring it from closed to open; whether or not this happened, the talk is of a closed gate. That some other thing "
        "was in that state stays open."
    ),
    slots=slots,
    build=build,
    rows=ROWS,
    tags=(*TAGS, "word", "tense"),
    conditions={"tense": ("past", "future")},
    marked=("tense",),
    references=(PAPER, "Simons (2001)."),
)  # fmt: skip
