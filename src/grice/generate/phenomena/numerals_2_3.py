"""Numerals: "two" implicates "not three"."""

from __future__ import annotations

from grice.generate._numerals import numeral_phenomenon
from grice.generate.lexicon import Words, word_list
from grice.generate.phenomenon import Slots

OWNED = ("pet", "cycle", "gadget", "bag", "top_garment", "garment", "jewel", "kin")
# Things that a person has at most one of, or that are not counted.
ONLY_ONE = frozenset(word_list("at most one"))


def _possessions(words: Words) -> Slots:
    nouns = [
        noun for noun in words.nouns_of(*OWNED) if noun.countable and noun.singular not in ONLY_ONE
    ]
    return {"noun": nouns, "subject": words.people}


numerals_2_3 = numeral_phenomenon(
    "numerals_2_3",
    ("two", "three"),
    "few",
    _possessions,
    lambda draw: (draw["subject"].text, draw["noun"].plural),
)
