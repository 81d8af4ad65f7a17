"""Stages of an action: "started" says, and does not say, "not finished"."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from grice.generate._everyday import done
from grice.generate.grammar import Verb, VerbPhrase
from grice.generate.lexicon import Words, table
from grice.generate.paradigm import four_of, scalar, scalar_phenomenon
from grice.generate.phenomenon import Draw, Row

START = Verb("start", "starts", "started", "started", "starting")
BEGIN = Verb("begin", "begins", "began", "begun", "beginning")
FINISH = Verb("finish", "finishes", "finished", "finished", "finishing")
COMPLETE = Verb("complete", "completes", "completed", "completed", "completing")
MATES = {
    "start - finish": (START, FINISH),
    "begin - finish": (BEGIN, FINISH),
    "start - complete": (START, COMPLETE),
    "begin - complete": (BEGIN, COMPLETE),
}


def slots(words: Words, cell: Mapping[str, str]) -> Mapping[str, Sequence[Any]]:
    if cell["scale"].endswith("complete"):
        return {"work": [f"the {row['work']}" for row in table("works")], "subject": words.people}
    return {"work": _labours(), "subject": words.people}


def _labours() -> list[str]:
    """Work that goes on for a while and comes to an end, of one thing: "painting the shed"."""
    labours = {row["verb"] for row in table("labours")}
    return [phrase.gerund for phrase in done() if phrase.verb.base in labours]


def build(draw: Draw) -> list[Row]:
    tense, who = draw.cell["tense"], draw["subject"].text
    contracted = draw.cell["negation"] == "contracted"
    weak, strong = (VerbPhrase(verb, draw["work"], "moment") for verb in MATES[draw.cell["scale"]])
    four = four_of(who, weak, strong, tense, contracted=contracted)
    return scalar(four, {"trigger": "stage"})


start_finish = scalar_phenomenon(
    "start_finish",
    what='Start and finish: from "started" a listener takes "did not finish".',
    why=(
        'What one finished one started, so "finish" entails "start", and "start" leaves "finish" open; a speaker who knew of the end would '
        'have told it. "Did not finish" implicates that it was started.'
    ),
    slots=slots,
    build=build,
    conditions={
        "scale": tuple(MATES),
        "tense": ("present", "past"),
        "negation": ("contracted", "full"),
    },
    fixed=("start", "begin", "finish", "complete"),
    marked=("tense",),
    references=("Horn (1972), On the Semantic Properties of Logical Operators in English.",),
)
