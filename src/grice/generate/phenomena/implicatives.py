"""Implicatives: "manage" presupposes an attempt, "forget" a duty, "refuse" a request."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from grice.generate._presupposition import Clause, Trigger, presupposition_phenomenon, trigger_rows
from grice.generate._scenes import suited_acts
from grice.generate._triggers import mention, pick_other_person, presuppose
from grice.generate.grammar import Verb, VerbPhrase
from grice.generate.lexicon import Words, read_verb, table
from grice.generate.phenomenon import Conditions, Draw, NewItem, Slots

WORDS = (
    "manage",
    "succeed",
    "forget",
    "remember",
    "neglect",
    "get round",
    "refuse",
    "decline",
    "consent",
)


# What one does before anything is tried, asked or owed: of a deed to decide on, and of a feat.
_UNDECIDED = (
    VerbPhrase(Verb("wonder", "wonders", "wondered", "wondered", "wondering"), "whether to"),
    VerbPhrase(Verb("ask", "asks", "asked", "asked", "asking"), "how to"),
)


@cache
def _entries() -> Mapping[str, Mapping[str, str]]:
    return {row["base"]: row for row in table("implicatives")}


def _slots(words: Words, cell: Conditions) -> Slots:
    return {"deed": suited_acts(_entries()[cell["word"]]["deeds"]), "person": words.people}


def _build(draw: Draw) -> list[NewItem]:
    person, deed, entry = draw["person"], draw["deed"], _entries()[draw.cell["word"]]
    third = pick_other_person(draw.words, draw.rng, person)
    follows = deed.gerund if entry["form"] == "gerund" else deed.base
    presupposed = presuppose(person, third, entry["presupposed"], entry["denied"], deed.base)
    phrase = VerbPhrase(read_verb(entry), f"{entry['link']} {follows}")
    if entry["form"] == "gerund":
        plain = mention(person, deed.gerund, draw.rng)
    else:
        plain = Clause(person, _UNDECIDED[entry["deeds"] == "feat"].extend(deed.base))
    return trigger_rows(Trigger(person, phrase, "past", presupposed, plain), draw.rng)


implicatives = presupposition_phenomenon(
    "implicatives",
    slots=_slots,
    build=_build,
    conditions={"word": WORDS},
    fixed=(*WORDS, "try", "ask", "suppose", "mean"),
)
