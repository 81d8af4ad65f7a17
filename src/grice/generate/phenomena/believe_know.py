"""Belief and knowledge: "believes" implicates "does not know"."""

from __future__ import annotations

from grice.generate._scenes import news
from grice.generate.grammar import Verb, VerbPhrase
from grice.generate.paradigm import (
    TENSE_AND_NEGATION,
    ScaleClauses,
    scalar_phenomenon,
    scalar_rows,
    scale_clauses,
)
from grice.generate.phenomenon import Draw

KNOW = Verb("know", "knows", "knew", "known", "knowing")
MATES = {
    "believe - know": Verb("believe", "believes", "believed", "believed", "believing"),
    "think - know": Verb("think", "thinks", "thought", "thought", "thinking"),
}


def _clauses(draw: Draw) -> ScaleClauses:
    who, deed = draw["subject"], draw["deed"].phrase
    doer = draw.rng.pick_other(draw.words.named_people, who)
    past = draw.cell["tense"] == "past"
    clause = f"that {doer.text} {f'had {deed.participle}' if past else deed.past}"
    weak = VerbPhrase(MATES[draw.cell["scale"]], clause, "state")
    strong = VerbPhrase(KNOW, clause, "state")
    return scale_clauses(draw, who.text, weak, strong)


believe_know = scalar_phenomenon(
    "believe_know",
    slots=lambda words, _cell: {"deed": news(), "subject": words.people},
    build=lambda draw: scalar_rows(draw, _clauses, {"trigger": "attitude"}, kind="knowledge"),
    kind="knowledge",
    conditions={"scale": tuple(MATES), **TENSE_AND_NEGATION},
    fixed=("believe", "think", "know"),
    marked=("tense",),
)
