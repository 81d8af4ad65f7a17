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
    what='Believe and know: from "believes" a listener takes "does not know".',
    why=(
        'What one knows one believes, so "know" entails "believe", and "believe" leaves "know"'
        " open; a speaker who granted knowledge would have said so. Who is said not to know it is"
        ' taken to be unaware of it, so on the reading `pragmatic` "does not know" gives "does not'
        ' believe". Theories differ: "know" takes its complement for granted, also when it is'
        " negated (Kiparsky and Kiparsky 1970), and what is so and not known one is unaware of. On"
        ' that reading, `presuppositional`, "does not know" contradicts "believes", and "believes"'
        " leaves open whether it is so."
    ),
    slots=lambda words, _cell: {"deed": news(), "subject": words.people},
    build=lambda draw: scalar_rows(draw, _clauses, {"trigger": "attitude"}, kind="knowledge"),
    kind="knowledge",
    conditions={"scale": tuple(MATES), **TENSE_AND_NEGATION},
    fixed=("believe", "think", "know"),
    marked=("tense",),
    references=(
        "Gazdar (1979), Pragmatics: Implicature, Presupposition, and Logical Form.",
        "Kiparsky and Kiparsky (1970), Fact.",
    ),
)
