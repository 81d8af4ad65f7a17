"""Comparatives: "a better cook than Bo" takes it that Bo is a cook."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from grice.generate import grammar
from grice.generate._everyday import callings, named
from grice.generate._presupposition import ROWS, TAGS, Presupposed, Trigger, environments, paradigm
from grice.generate.grammar import BE, VerbPhrase
from grice.generate.lexicon import Words, table
from grice.generate.phenomenon import Draw, Phenomenon, Row


@cache
def qualities() -> tuple[str, ...]:
    return tuple(row["more"] for row in table("qualities"))


# Anyone may be compared, so the calling must not tell man from woman, nor be one that all are equally good at.
_NOT_FOR_ALL = frozenset(("waiter", "waitress", "fisherman", "cameraman", "ballerina", "masseur", "midwife", "beginner", "freshman", "graduate", "census taker"))  # fmt: skip


def slots(words: Words, _cell: Mapping[str, str]) -> Mapping[str, Sequence[Any]]:
    faith = words.nouns_of("faith")
    nouns = [n for n in callings() if n not in faith and n.singular not in _NOT_FOR_ALL]
    return {"person": named(), "quality": qualities(), "noun": nouns}


def build(draw: Draw) -> list[Row]:
    person, noun, tense = draw["person"], draw["noun"].singular, draw.cell["tense"]
    than = draw.rng.other(named(), person)
    other = draw.rng.other(named(), person, than)
    be, one = grammar.be(tense), grammar.a(noun)
    presupposed = Presupposed(
        grammar.sentence(than.text, be, one),
        grammar.sentence(than.text, be, "not", one),
        grammar.sentence(other.text, be, one),
    )
    phrase = VerbPhrase(BE, f"{grammar.a(draw['quality'])} {noun} than {than.text}")
    trigger = Trigger(person, phrase, tense, presupposed)
    return paradigm(environments(trigger, draw.rng), presupposed, {"trigger": "comparatives"})


comparatives = Phenomenon(
    name="comparatives",
    kind="presupposition",
    what="\"A better cook than Bo\" takes for granted that Bo is a cook.",
    why=(
        "Two people are measured on one scale, that of cooks; whichever way the comparison goes, and whether or not it is asserted, both are cooks."
    ),
    slots=slots,
    build=build,
    rows=ROWS,
    tags=(*TAGS, "tense"),
    conditions={"tense": ("present", "past")},
    marked=("tense",),
    references=("Levinson (1983), §4.2.",),
)  # fmt: skip
