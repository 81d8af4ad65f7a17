"""Factives: whoever regrets or realises something, it is so."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from grice.generate._everyday import deeds, verb_of
from grice.generate._presupposition import ROWS, TAGS, environments, paradigm
from grice.generate._triggers import attitude
from grice.generate.grammar import VerbPhrase
from grice.generate.lexicon import Words, table
from grice.generate.phenomenon import Draw, Phenomenon, Row


@cache
def verbs(sort: str, tense: str) -> tuple[VerbPhrase, ...]:
    return tuple(
        VerbPhrase(verb_of(row), row["rest"])
        for row in table("factives")
        if row["sort"] == sort and tense in row["tenses"].split()
    )


def slots(words: Words, cell: Mapping[str, str]) -> Mapping[str, Sequence[Any]]:
    return {"person": words.people, "deed": deeds(), "verb": verbs(cell["factive"], cell["tense"])}


def build(draw: Draw) -> list[Row]:
    trigger = attitude(draw, draw["verb"], "that")
    tags = {"trigger": "factives", "word": draw["verb"].base}
    return paradigm(environments(trigger, draw.rng), trigger.presupposed, tags)


factives = Phenomenon(
    name="factives",
    kind="presupposition",
    what="A factive such as \"know\" or \"be glad\" takes for granted that what follows \"that\" is so.",
    why=(
        "Emotive factives (regret, be glad) and cognitive ones (know, realise, forget) report an attitude to a fact; the fact stands whether the "
        "attitude is denied, asked about or supposed."
    ),
    slots=slots,
    build=build,
    rows=ROWS,
    tags=(*TAGS, "word", "factive", "tense"),
    conditions={"factive": ("cognitive", "emotive"), "tense": ("past", "present")},
    marked=("factive", "tense"),
    fixed=("know", "realise", "remember", "recall", "regret", "resent", "notice", "discover", "find out", "forget", "learn", "see", "be"),
    references=("Kiparsky and Kiparsky (1970).", "Karttunen (1971)."),
)  # fmt: skip
