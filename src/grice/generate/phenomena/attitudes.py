"""Triggers in reports of speech and thought: the speaker does not presuppose what Bo does."""

from __future__ import annotations

from functools import cache

from grice.generate import grammar
from grice.generate._presupposition import (
    PRESENT,
    control_row,
    plain_rows,
    premise_rows,
    presupposition_phenomenon,
)
from grice.generate._triggers import pick_other_person, pick_trigger, trigger_slots
from grice.generate.grammar import VerbPhrase
from grice.generate.lexicon import read_verb, table
from grice.generate.phenomenon import Draw, NewItem
from grice.theory.worlds import E, N

ATTITUDES = ("say", "believe", "dream")
ASPECTUALS = ("stop", "quit", "give up")
# No possessives: "Bo said that Ana's car …" has a reading on which the speaker vouches for the car.
TRIGGERS = ("aspectual", "change of state", "iterative")


@cache
def plugs(sort: str) -> tuple[tuple[VerbPhrase, str], ...]:
    """Return the attitude verbs of a sort, such as "say", each with its tense."""
    rows = [row for row in table("attitudes") if row["sort"] == sort]
    return tuple((VerbPhrase(read_verb(row), row["rest"]), row["tense"]) for row in rows)


def _build(draw: Draw) -> list[NewItem]:
    trigger, (phrase, tense) = (
        pick_trigger(draw, ASPECTUALS),
        draw.rng.pick(plugs(draw.cell["attitude"])),
    )
    holder = pick_other_person(draw.words, draw.rng, draw["person"]).text
    plain = grammar.sentence(trigger.clause)
    plugged = grammar.sentence(holder, grammar.inflect(phrase, tense), "that", trigger.clause)
    knows = draw.rng.pick(("knows", "is aware"))
    known = grammar.sentence(holder, knows, "that", trigger.clause)
    tags = {**PRESENT, "word": phrase.base}
    without = trigger.plain_clause
    known_plain = grammar.sentence(holder, knows, "that", without)
    return [
        *premise_rows("unembedded", plain, trigger.presupposed, tags),
        *premise_rows("plug", plugged, trigger.presupposed, tags),
        *premise_rows("hole", known, trigger.presupposed, tags),
        *plain_rows("unembedded", grammar.sentence(without), trigger.presupposed, word=phrase.base),
        *plain_rows("hole", known_plain, trigger.presupposed, word=phrase.base),
        control_row("plug", plugged, plain, N, **tags),
        control_row("hole", known, plain, E, **tags),
    ]


attitudes = presupposition_phenomenon(
    "attitudes",
    slots=lambda words, cell: trigger_slots(words, cell["trigger_type"]),
    build=_build,
    rows=15,
    tags=("word",),
    conditions={"attitude": ATTITUDES, "trigger_type": TRIGGERS, "tense": ("past",)},
    marked=("trigger_type", "tense"),
    fixed=("know", "be", *ASPECTUALS),
)
