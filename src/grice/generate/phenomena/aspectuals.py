"""Aspectual verbs: who stops doing something has been doing it; who starts has not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from grice.generate._everyday import habits
from grice.generate._presupposition import ROWS, TAGS, environments, paradigm
from grice.generate._triggers import aspectual
from grice.generate.lexicon import Words
from grice.generate.phenomenon import Draw, Phenomenon, Row

WORDS = ("stop", "quit", "give up", "continue", "keep on", "go on", "carry on", "start", "begin")


def slots(words: Words, _cell: Mapping[str, str]) -> Mapping[str, Sequence[Any]]:
    return {"person": words.people, "habit": habits()}


def build(draw: Draw) -> list[Row]:
    trigger = aspectual(draw, draw.cell["word"])
    return paradigm(environments(trigger, draw.rng), trigger.presupposed, {"trigger": "aspectuals"})


aspectuals = Phenomenon(
    name="aspectuals",
    kind="presupposition",
    what="Verbs of ending and going on take an activity for granted, verbs of beginning its absence.",
    why=(
        "\"Ana stopped collecting stamps\", its negation and its question all set out from the time when she did; \"started\" from the time when "
        "she did not. The earlier state follows under every operator."
    ),
    slots=slots,
    build=build,
    rows=ROWS,
    tags=(*TAGS, "word", "tense"),
    conditions={"word": WORDS, "tense": ("past", "future")},
    marked=("word", "tense"),
    fixed=WORDS,
    references=("Simons (2001).", "Abusch (2010)."),
)  # fmt: skip
