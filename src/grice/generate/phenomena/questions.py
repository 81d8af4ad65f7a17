"""Embedded questions: to know why Ana painted the fence is to take it that she did."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from grice.generate._everyday import deeds, verb_of
from grice.generate._presupposition import PAPER, ROWS, TAGS, environments, paradigm
from grice.generate._triggers import attitude
from grice.generate.grammar import VerbPhrase
from grice.generate.lexicon import Words, table
from grice.generate.phenomenon import Draw, Phenomenon, Row


@cache
def verbs(wh: str, tense: str) -> tuple[VerbPhrase, ...]:
    """The verbs that go with this question word in this tense: one understands why, but hardly when."""
    return tuple(
        VerbPhrase(verb_of(row), row["rest"])
        for row in table("question_verbs")
        if wh in row["wh"].split() and tense in row["tenses"].split()
    )


def slots(words: Words, cell: Mapping[str, str]) -> Mapping[str, Sequence[Any]]:
    return {"person": words.people, "deed": deeds(), "verb": verbs(cell["wh"], cell["tense"])}


def build(draw: Draw) -> list[Row]:
    trigger = attitude(draw, draw["verb"], draw.cell["wh"])
    tags = {"trigger": "questions", "word": draw["verb"].base}
    return paradigm(environments(trigger, draw.rng), trigger.presupposed, tags)


questions = Phenomenon(
    name="questions",
    kind="presupposition",
    what="An embedded question such as \"why Ana painted the fence\" takes for granted that she did.",
    why=(
        "\"Why\", \"when\" and \"how\" ask about something that happened. Whoever is said to know, ask or forget the answer, or not to, it happened."
    ),
    slots=slots,
    build=build,
    rows=ROWS,
    tags=(*TAGS, "word", "wh", "tense"),
    conditions={"wh": ("why", "when", "how"), "tense": ("past", "present")},
    marked=("wh", "tense"),
    fixed=("know", "remember", "understand", "wonder", "recall"),
    references=(PAPER, "Belnap (1969)."),
)  # fmt: skip
