"""Comparatives: "a better cook than Bo" presupposes that Bo is a cook."""

from __future__ import annotations

from functools import cache

from grice.generate import grammar
from grice.generate._everyday import named_people
from grice.generate._presupposition import Clause, Trigger, presupposition_phenomenon, trigger_rows
from grice.generate._triggers import presuppose
from grice.generate.grammar import BE, VerbPhrase
from grice.generate.lexicon import table
from grice.generate.phenomenon import Draw, NewItem


@cache
def qualities() -> tuple[str, ...]:
    """Return the comparatives: "better", "faster"."""
    return tuple(row["more"] for row in table("qualities"))


@cache
def crafts() -> tuple[str, ...]:
    """Return gender-neutral nouns for people with a skill: "cook", "swimmer"."""
    return tuple(row["craft"] for row in table("crafts"))


def _build(draw: Draw) -> list[NewItem]:
    person, noun, tense = draw["person"], draw["noun"], draw.cell["tense"]
    than = draw.rng.pick_other(named_people(), person)
    third = draw.rng.pick_other(named_people(), person, than)
    be, thing = grammar.be(tense), grammar.a(noun)
    phrase = VerbPhrase(BE, f"{grammar.a(draw['quality'])} {noun} than {than.text}")
    # The person who made Ana a better cook need not be one.
    plain = VerbPhrase(BE, f"{grammar.a(draw['quality'])} {noun} thanks to {than.text}")
    presupposed = presuppose(than, third, be, grammar.negate(be), thing)
    trigger = Trigger(person, phrase, tense, presupposed, Clause(person, plain))
    return trigger_rows(trigger, draw.rng)


comparatives = presupposition_phenomenon(
    "comparatives",
    slots=lambda _words, _cell: {
        "noun": crafts(),
        "person": named_people(),
        "quality": qualities(),
    },
    build=_build,
    conditions={"tense": ("present", "past")},
)
