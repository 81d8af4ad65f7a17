"""Temporal clauses: what came before or after something takes it that this happened."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from grice.generate import grammar
from grice.generate._everyday import deeds
from grice.generate._presupposition import (
    ROWS,
    TAGS,
    Environments,
    Trigger,
    around,
    environments,
    paradigm,
)
from grice.generate._triggers import did, someone_else
from grice.generate.lexicon import Words
from grice.generate.phenomenon import Draw, Phenomenon, Row

# Moods that last: "since" asks for them.
SPIRITS = (
    "angry", "annoyed", "anxious", "calm", "cheerful", "content", "gloomy", "grumpy", "happy", "in a bad mood",
    "in a good mood", "in high spirits", "irritable", "nervous", "quiet", "relaxed", "restless", "tired", "unhappy", "upset", "worried",
)  # fmt: skip


def slots(words: Words, cell: Mapping[str, str]) -> Mapping[str, Sequence[Any]]:
    if cell["word"] == "since":
        return {"person": words.people, "deed": deeds(), "mood": SPIRITS}
    return {"person": words.people, "deed": deeds()}


def build(draw: Draw) -> list[Row]:
    person, deed, word = draw["person"], draw["deed"].phrase, draw.cell["word"]
    doer = someone_else(draw.words, draw.rng, person)
    presupposed = did(doer, deed, someone_else(draw.words, draw.rng, doer, person))
    clause = f"{word} {doer.text} {deed.past}"
    if word == "since":
        premises = _since(draw, clause)
    else:
        trigger = Trigger(person, draw["deed"].beside(draw.rng).then(clause), "past", presupposed)
        premises = environments(trigger, draw.rng)
    return paradigm(premises, presupposed, {"trigger": "temporal_clauses"})


def _since(draw: Draw, clause: str) -> Environments:
    """ "Since" goes with the perfect: "Bo has been cross since Ana sold the car"."""
    person, rest = draw["person"].text, f"been {draw['mood']} {clause}"
    denied = grammar.negate("has", contracted=draw.rng.below(2) == 0)
    return around(
        f"{person} has {rest}",
        grammar.ask("has", person, rest),
        draw.rng,
        negated=f"{person} {denied} {rest}",
    )


temporal_clauses = Phenomenon(
    name="temporal_clauses",
    kind="presupposition",
    what="A clause with \"before\", \"after\", \"when\" or \"since\" takes for granted that what it tells happened.",
    why=(
        "The clause fixes a time by an event, and only an event that happened can do so; the main clause alone is denied, asked or supposed. "
        "\"Before\" is read as its plain use: both events took place."
    ),
    slots=slots,
    build=build,
    rows=ROWS,
    tags=(*TAGS, "word"),
    conditions={"word": ("before", "after", "when", "since")},
    marked=("word",),
    references=("Levinson (1983), §4.2.", "Heinämäki (1974)."),
)  # fmt: skip
