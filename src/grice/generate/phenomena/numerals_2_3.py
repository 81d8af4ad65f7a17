"""Numerals: "two" implicates "not three"."""

from __future__ import annotations

from collections.abc import Sequence

from grice.generate import _numerals as numerals
from grice.generate._everyday import batches, callings, gatherings
from grice.generate.lexicon import Noun, Words
from grice.generate.phenomenon import Conditions, Draw, NewItem, Slots

OWNED = ("pet", "vehicle", "device", "instrument", "bag", "top_garment", "kin", "furniture", "home")
# What may be found where: kinds of things, a preposition, kinds of places.
FOUND = (
    (("farm_animal",), "near", ("landscape", "monument", "home")),
    (("toy", "bag", "device", "furniture"), "in", ("room", "home")),
)
# Of these one has one at most.
ONLY_ONE = frozenset(("mother", "father", "wife", "husband", "fiancé", "fiancée", "mother-in-law", "father-in-law",
                      "stepmother", "stepfather", "godmother", "godfather", "twin sister", "twin brother",
                      "grandmother", "grandfather"))  # fmt: skip


def _slots(words: Words, cell: Conditions) -> Slots:
    if cell["frame"] == "object":
        return {"batch": batches(), "subject": words.people}
    if cell["frame"] == "existential":
        return {"found": _found(words)}
    return {"subject": words.people, "noun": [n for n in _counted(words, OWNED) if n.singular not in ONLY_ONE]}


def _counted(words: Words, kinds: Sequence[str]) -> list[Noun]:
    return [noun for noun in words.nouns_of(*kinds) if noun.countable]


def _found(words: Words) -> list[tuple[str, str, str]]:
    """Plural nouns with the places where one comes upon them."""
    people = [(noun.plural, place.preposition, place.place) for noun in callings() for place in gatherings()]
    return people + [
        (noun.plural, preposition, place.singular)
        for kinds, preposition, places in FOUND
        for noun in _counted(words, kinds)
        for place in _counted(words, places)
        if not place.singular.endswith("'s")
    ]


def _frame(draw: Draw) -> numerals.NumberFrame:
    if draw.cell["frame"] == "object":
        return numerals.object_frame(draw, draw["subject"].text)
    if draw.cell["frame"] == "existential":
        noun, preposition, place = draw["found"]
        return numerals.existential_frame(draw, noun, f"{preposition} the {place}")
    return numerals.possession_frame(draw, draw["subject"].text, draw["noun"].plural)


def _build(draw: Draw) -> list[NewItem]:
    contrast = "found" if draw.cell["frame"] == "existential" else "subject"
    return numerals.frame_rows(draw, _frame, "two", "three", contrast=contrast)


numerals_2_3 = numerals.numeral_phenomenon(
    "numerals_2_3", 'Two and three: from "two" a listener takes "not three".', _slots, _build
)
