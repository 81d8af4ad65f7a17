"""Rounds and places in order: "reached the semi-final" implicates "not the final"."""

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
from grice.generate.phenomenon import Conditions, Draw, NewItem, Slots
from grice.theory.scales import scale_kind

REACH = Verb("reach", "reaches", "reached", "reached", "reaching")
FINISH = Verb("finish", "finishes", "finished", "finished", "finishing")
# A local contest has rounds, but no top hundred.
LEVELS = {
    "rounds": ("national", "regional", "local", "annual", "city", "international"),
    "places": ("national", "regional", "annual", "international"),
}
EVENTS = ("championship", "tournament", "contest", "competition")
# Who gets to the later round got to the earlier; who is among the first three is among the first
# ten.
MATES = {
    "second round - third round": (REACH, "the second round of", "the third round of"),
    "quarter-final - semi-final": (REACH, "the quarter-final of", "the semi-final of"),
    "semi-final - final": (REACH, "the semi-final of", "the final of"),
    "top ten - top three": (FINISH, "in the top ten of", "in the top three of"),
    "top hundred - top ten": (FINISH, "in the top hundred of", "in the top ten of"),
    "top half - top quarter": (FINISH, "in the top half of", "in the top quarter of"),
}


def _slots(words: Words, cell: Conditions) -> Slots:
    sort = "rounds" if MATES[cell["scale"]][0] is REACH else "places"
    rows = [row for row in table("contests") if row["sort"] == sort]
    events = [f"{row['contest']} {event}" for row in rows for event in row["events"].split(" | ")]
    return {
        "contest": [f"{level} {event}" for level in LEVELS[sort] for event in events],
        "subject": words.named_people,
    }


def _clauses(draw: Draw) -> ScaleClauses:
    verb, lower, higher = MATES[draw.cell["scale"]]
    weak, strong = (
        VerbPhrase(verb, f"{rank} the {draw['contest']}", "moment") for rank in (lower, higher)
    )
    return scale_clauses(draw, draw["subject"].text, weak, strong)


def _build(draw: Draw) -> list[NewItem]:
    # "Not in the top three" does not implicate "in the top ten".
    kind = scale_kind(draw.cell["scale"])
    return scalar_rows(draw, _clauses, {"trigger": "ordinal"}, kind=kind, balance="mixed")


ordinals = scalar_phenomenon(
    "ordinals",
    slots=_slots,
    build=_build,
    balance="mixed",
    conditions={"scale": tuple(MATES), **TENSE_AND_NEGATION},
    marked=("tense",),
    fixed=("reach", "finish", "round", "final", "top", *EVENTS),
)
