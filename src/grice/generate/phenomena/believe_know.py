"""Belief and knowledge: "believes" says, and does not say, "does not know"."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from grice.generate._everyday import done
from grice.generate.grammar import Verb, VerbPhrase
from grice.generate.lexicon import Words
from grice.generate.paradigm import four_of, quiet, scalar_phenomenon
from grice.generate.phenomenon import Draw, Row

KNOW = Verb("know", "knows", "knew", "known", "knowing")
MATES = {
    "believe - know": Verb("believe", "believes", "believed", "believed", "believing"),
    "think - know": Verb("think", "thinks", "thought", "thought", "thinking"),
}


def slots(words: Words, _cell: Mapping[str, str]) -> Mapping[str, Sequence[Any]]:
    return {"deed": done(), "subject": words.people}


def build(draw: Draw) -> list[Row]:
    tense, who = draw.cell["tense"], draw["subject"]
    contracted = draw.cell["negation"] == "contracted"
    other = draw.rng.other(draw.words.people, who)
    deed = draw["deed"]
    clause = f"that {other.text} {deed.past if tense == 'present' else f'had {deed.participle}'}"
    weak = VerbPhrase(MATES[draw.cell["scale"]], clause, "state")
    strong = VerbPhrase(KNOW, clause, "state")
    four = four_of(who.text, weak, strong, tense, contracted=contracted)
    return quiet(four, {"trigger": "attitude"})


believe_know = scalar_phenomenon(
    "believe_know",
    what='Believe and know: from "believes" a listener takes "does not know".',
    why=(
        'What one knows one believes, so "know" entails "believe", and "believe" leaves "know" open; a speaker who granted knowledge would '
        'have said so. "Does not know" does not implicate "believes", so those three rows have the same label under both readings.'
    ),
    slots=slots,
    build=build,
    conditions={
        "scale": tuple(MATES),
        "tense": ("present", "past"),
        "negation": ("contracted", "full"),
    },
    fixed=("believe", "think", "know"),
    marked=("tense",),
    references=("Gazdar (1979), Pragmatics: Implicature, Presupposition, and Logical Form.",),
)
