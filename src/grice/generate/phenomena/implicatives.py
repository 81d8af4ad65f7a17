"""Implicatives: who manages tried, who forgets was supposed to, who refuses was asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from grice.generate import grammar
from grice.generate._everyday import deeds, verb_of
from grice.generate._presupposition import ROWS, TAGS, Presupposed, Trigger, environments, paradigm
from grice.generate._triggers import someone_else
from grice.generate.grammar import VerbPhrase
from grice.generate.lexicon import Words, table
from grice.generate.phenomenon import Draw, Phenomenon, Row

WORDS = (
    "manage",
    "succeed",
    "forget",
    "remember",
    "neglect",
    "get round",
    "refuse",
    "agree",
    "decline",
    "consent",
)


@cache
def _entries() -> Mapping[str, Mapping[str, str]]:
    return {row["base"]: row for row in table("implicatives")}


def slots(words: Words, cell: Mapping[str, str]) -> Mapping[str, Sequence[Any]]:
    errand = _entries()[cell["word"]]["sort"] == "errand"
    return {"person": words.people, "deed": deeds("errand") if errand else deeds()}


def build(draw: Draw) -> list[Row]:
    person, deed, entry = draw["person"], draw["deed"].phrase, _entries()[draw.cell["word"]]
    other = someone_else(draw.words, draw.rng, person)
    presupposed = Presupposed(
        grammar.sentence(person.text, entry["presupposed"], deed.base),
        grammar.sentence(person.text, entry["denied"], deed.base),
        grammar.sentence(other.text, entry["presupposed"], deed.base),
    )
    follows = deed.gerund if entry["form"] == "gerund" else deed.base
    phrase = VerbPhrase(verb_of(entry), f"{entry['link']} {follows}")
    trigger = Trigger(person, phrase, "past", presupposed)
    return paradigm(environments(trigger, draw.rng), presupposed, {"trigger": "implicatives"})


implicatives = Phenomenon(
    name="implicatives",
    kind="presupposition",
    what="Implicative verbs take for granted what led up to the act: an attempt, a duty, an intention, a request.",
    why=(
        "\"Ana managed to\" and \"Ana didn't manage to\" differ in whether it was done; both set out from an attempt. \"Forget\", \"remember\" and "
        "\"neglect\" set out from a duty, \"get round to\" from an intention, \"refuse\", \"agree\", \"decline\" and \"consent\" from a request."
    ),
    slots=slots,
    build=build,
    rows=ROWS,
    tags=(*TAGS, "word"),
    conditions={"word": WORDS},
    marked=("word",),
    fixed=(*WORDS, "try", "ask", "suppose", "mean"),
    references=("Karttunen (1971).", "Karttunen and Peters (1979)."),
)  # fmt: skip
