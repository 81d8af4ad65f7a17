"""Iteratives: "again" presupposes that it was done before."""

from __future__ import annotations

from grice.generate._everyday import repeatable_deeds
from grice.generate._presupposition import presupposition_phenomenon, trigger_rows
from grice.generate._triggers import iterative_trigger
from grice.generate.lexicon import Words
from grice.generate.phenomenon import Conditions, Slots

WORDS = ("again", "once more", "for a second time", "return to")


def _slots(words: Words, cell: Conditions) -> Slots:
    if cell["word"] == "return to":
        times = [time for time in words.times if time.kind == cell["tense"]]
        return {"person": words.people, "city": words.nouns_of("city"), "time": times}
    return {"person": words.people, "deed": repeatable_deeds()}


iteratives = presupposition_phenomenon(
    "iteratives",
    slots=_slots,
    build=lambda draw: trigger_rows(iterative_trigger(draw, draw.cell["word"]), draw.rng),
    conditions={"word": WORDS, "tense": ("past", "future")},
    fixed=("return",),
)
