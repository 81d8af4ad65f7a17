"""Embedded questions: "knows why Ana painted the fence" presupposes that she did."""

from __future__ import annotations

from functools import cache

from grice.generate._presupposition import presupposition_phenomenon, trigger_rows
from grice.generate._scenes import news
from grice.generate._triggers import attitude_trigger
from grice.generate.grammar import Verb, VerbPhrase
from grice.generate.lexicon import read_verb, table
from grice.generate.phenomenon import Draw, NewItem


@cache
def question_verbs(wh: str, tense: str) -> tuple[VerbPhrase, ...]:
    """Return the verbs that take this question word in this tense.

    "Understand" takes "why", but hardly "when".
    """
    return tuple(
        VerbPhrase(read_verb(row), row["rest"])
        for row in table("question_verbs")
        if wh in row["wh"].split() and tense in row["tenses"].split()
    )


# Of these it stays open whether it happened.
_WHETHER = (
    VerbPhrase(Verb("ask", "asks", "asked", "asked", "asking"), "whether"),
    VerbPhrase(Verb("know", "knows", "knew", "known", "knowing"), "whether"),
    VerbPhrase(Verb("wonder", "wonders", "wondered", "wondered", "wondering"), "whether"),
)


def _build(draw: Draw) -> list[NewItem]:
    plain = draw.rng.pick(_WHETHER)
    trigger = attitude_trigger(draw, draw["verb"], draw.cell["wh"], draw["deed"].phrase, plain)
    return trigger_rows(trigger, draw.rng, word=draw["verb"].base)


questions = presupposition_phenomenon(
    "questions",
    slots=lambda words, cell: {
        "deed": news(asks=cell["wh"]),
        "person": words.people,
        "verb": question_verbs(cell["wh"], cell["tense"]),
    },
    build=_build,
    tags=("word",),
    conditions={"wh": ("why", "when", "how"), "tense": ("past", "present")},
    fixed=("know", "remember", "understand", "recall"),
)
