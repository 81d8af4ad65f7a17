"""Numerals: "two" implicates "not three"."""

from __future__ import annotations

from collections.abc import Sequence

from grice.generate import _numerals as numerals
from grice.generate._everyday import batches
from grice.generate._scenes import TIES, crowds
from grice.generate.lexicon import Noun, Words, word_list
from grice.generate.phenomenon import Conditions, Draw, NewItem, Slots

OWNED = ("pet", "cycle", "gadget", "bag", "top_garment", "garment", "jewel", "kin")
# Things that a person has at most one of, or that are not counted.
ONLY_ONE = frozenset(word_list("at most one"))


def _slots(words: Words, cell: Conditions) -> Slots:
    if cell["frame"] == "object":
        return {"batch": batches("few"), "subject": words.people}
    if cell["frame"] == "existential":
        return {"crowd": crowds("few"), "tie": TIES}
    return {
        "noun": [n for n in _counted(words, OWNED) if n.singular not in ONLY_ONE],
        "subject": words.people,
    }


def _counted(words: Words, kinds: Sequence[str]) -> list[Noun]:
    return [noun for noun in words.nouns_of(*kinds) if noun.countable]


def _frame(draw: Draw) -> numerals.NumberFrame:
    if draw.cell["frame"] == "object":
        return numerals.object_frame(draw, draw["subject"].text)
    if draw.cell["frame"] == "existential":
        return numerals.existential_frame(draw, draw["crowd"].text(draw["tie"]))
    return numerals.possession_frame(draw, draw["subject"].text, draw["noun"].plural)


def _build(draw: Draw) -> list[NewItem]:
    return numerals.frame_rows(draw, _frame, "two", "three")


numerals_2_3 = numerals.numeral_phenomenon(
    "numerals_2_3", 'Two and three: from "two" a listener takes "not three".', _slots, _build
)
