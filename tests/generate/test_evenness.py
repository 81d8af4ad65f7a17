"""No noun, verb or name takes more than a hundredth of its places, in slots of every type."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from grice.core.shelf import PHENOMENA
from grice.generate._conjunction import TransitiveVerb
from grice.generate._everyday import Belonging, Deed, StateChange
from grice.generate._scenes import Act, Crowd, Occasion, Post
from grice.generate.grammar import Subject, VerbPhrase
from grice.generate.lexicon import Noun, PersonName
from grice.generate.phenomenon import Phenomenon

GROUPS = 8_400
# Closed classes, and what the phenomenon is about: times, moods, numbers, triggers, constructions.
CLOSED = {
    "adjectives",
    "amount",
    "construction",
    "context",
    "count",
    "couple",
    "did",
    "mood",
    "number",
    "order",
    "quality",
    "relative",
    "rest",
    "target",
    "time",
    "tie",
    "verb",
    "when",
    "whole",
    "year",
}
# Scales choose what they are said of; a place that is built once, and a contest, are fewer than a
# hundred by nature.
NARROW = {
    ("gradable_adjective", "noun"),
    ("gradable_verb", "noun"),
    ("conjunction_exclusive", "what"),
    ("ordinals", "event"),
    ("predicates", "report"),
}


def words(slot: str, option: Any) -> Iterator[tuple[str, str]]:
    """The open words of a slot's option, each with what it is."""
    if isinstance(option, VerbPhrase):
        yield f"{slot}: verb", option.verb.base
        yield f"{slot}: rest", option.rest
    elif isinstance(option, Deed | Act | StateChange):
        yield from words(slot, option.phrase)
    elif isinstance(option, Belonging):
        yield f"{slot}: noun", option.singular
        yield from words(slot, option.fact)
    elif isinstance(option, TransitiveVerb):
        yield f"{slot}: verb", option.verb.base
    elif isinstance(option, Occasion):
        yield from words(slot, option.crowd)
        yield from words(slot, option.act)
    elif isinstance(option, Crowd):
        yield f"{slot}: group", option.group
        yield f"{slot}: place", option.place
    elif isinstance(option, Post):
        yield f"{slot}: person", option.person
        yield f"{slot}: place", option.place
    elif isinstance(option, Subject):
        yield slot, option.text
    elif isinstance(option, Noun | PersonName):
        yield slot, option[0] or option[1]
    elif isinstance(option, str):
        yield slot, option
    elif isinstance(option, tuple):
        for place, part in enumerate(option):
            if isinstance(
                part, str | Act | Deed
            ):  # the verb beside it is what the phenomenon is about
                yield from words(f"{slot}: {place}", part)


@pytest.mark.parametrize("name", PHENOMENA.names())
def test_no_word_of_any_open_slot_takes_more_than_a_hundredth(name: str) -> None:
    phenomenon = PHENOMENA.find(name)
    assert isinstance(phenomenon, Phenomenon)
    counts: dict[str, Counter[str]] = {}
    for index in range(min(GROUPS, phenomenon.capacity)):
        for slot, option in phenomenon.draw(index, 5).slots.items():
            if slot not in CLOSED and (name, slot) not in NARROW:
                for sort, word in words(slot, option):
                    if word:
                        counts.setdefault(sort, Counter())[word] += 1
    crowded = {}
    for sort, found in counts.items():
        word, most = found.most_common(1)[0]
        if most > 0.01 * GROUPS:
            crowded[sort] = f"{word}: {most} of {GROUPS}"
    assert crowded == {}
