"""Aspectual verbs: "stop" presupposes that it was done before, "start" that it was not."""

from __future__ import annotations

from grice.generate._everyday import habits
from grice.generate._presupposition import presupposition_phenomenon, trigger_rows
from grice.generate._triggers import aspectual_trigger

WORDS = ("stop", "quit", "give up", "continue", "keep on", "go on", "carry on", "start", "begin")


aspectuals = presupposition_phenomenon(
    "aspectuals",
    slots=lambda words, _cell: {"person": words.people, "habit": habits()},
    build=lambda draw: trigger_rows(aspectual_trigger(draw, draw.cell["word"]), draw.rng),
    conditions={"word": WORDS, "tense": ("past", "future")},
    fixed=WORDS,
)
