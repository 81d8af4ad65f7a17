"""Stages of an action: "started" implicates "did not finish"."""

from __future__ import annotations

from grice.generate.grammar import Verb, VerbPhrase
from grice.generate.lexicon import Words, table
from grice.generate.paradigm import (
    TENSE_AND_NEGATION,
    ScaleClauses,
    scalar_phenomenon,
    scalar_rows,
    scale_clauses,
)
from grice.generate.phenomenon import Conditions, Draw, Slots

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


def _slots(words: Words, cell: Conditions) -> Slots:
    if cell["scale"].endswith("complete"):
        return {"work": [f"the {row['work']}" for row in table("works")], "subject": words.people}
    return {"work": labours(), "subject": words.people}


def labours() -> list[str]:
    """Return work on one thing that lasts and then ends: "painting the shed"."""
    return [
        f"{row['gerund']} {thing}"
        for row in table("labours")
        for thing in row["objects"].split(" | ")
    ]


def _clauses(draw: Draw) -> ScaleClauses:
    weak, strong = (VerbPhrase(verb, draw["work"], "moment") for verb in MATES[draw.cell["scale"]])
    return scale_clauses(draw, draw["subject"].text, weak, strong)


start_finish = scalar_phenomenon(
    "start_finish",
    slots=_slots,
    build=lambda draw: scalar_rows(draw, _clauses, {"trigger": "stage"}, kind="stage"),
    kind="stage",
    conditions={"scale": tuple(MATES), **TENSE_AND_NEGATION},
    fixed=("start", "begin", "finish", "complete"),
    marked=("tense",),
)
