"""Determiners: "some" implicates "not all"."""

from __future__ import annotations

from grice.generate import grammar
from grice.generate._everyday import batches
from grice.generate._scenes import TIES, occasions
from grice.generate.grammar import VerbPhrase
from grice.generate.lexicon import Words
from grice.generate.paradigm import ScaleClauses, scalar_phenomenon, scalar_rows
from grice.generate.phenomenon import Conditions, Draw, NewItem, Slots

TAGS = {"trigger": "quantifier", "scale": "some - all"}


def _slots(words: Words, cell: Conditions) -> Slots:
    if cell["position"] == "object":
        return {"batch": batches(), "subject": words.people}
    return {"occasion": occasions(), "tie": TIES}


def _build(draw: Draw) -> list[NewItem]:
    return scalar_rows(draw, _of_object if draw.cell["position"] == "object" else _of_subject, TAGS)


def _of_subject(draw: Draw) -> ScaleClauses:
    partitive = draw.cell["position"] == "partitive subject"
    who = draw["occasion"].who(draw["tie"])
    noun = f"of the {who}" if partitive else who
    does = grammar.tell(draw["occasion"].act.phrase, draw.cell["tense"], plural=True)
    return ScaleClauses(
        weak=grammar.join("some", noun, does),
        strong=grammar.join("all", noun, does),
        not_weak=grammar.join("none" if partitive else "no", noun, does),
        not_strong=grammar.join("not all", noun, does),
    )


def _of_object(draw: Draw) -> ScaleClauses:
    tense, (verb, things, _), who = draw.cell["tense"], draw["batch"], draw["subject"].text
    some, all_, none = (VerbPhrase(verb, f"{word} of {things}") for word in ("some", "all", "none"))
    return ScaleClauses(
        weak=grammar.join(who, grammar.tell(some, tense)),
        strong=grammar.join(who, grammar.tell(all_, tense)),
        not_weak=grammar.join(who, grammar.tell(none, tense)),
        not_strong=grammar.join(who, grammar.deny(all_, tense)),
    )


quantifiers = scalar_phenomenon(
    "quantifiers",
    slots=_slots,
    build=_build,
    conditions={
        "tense": ("present", "past", "future"),
        "position": ("subject", "partitive subject", "object"),
    },
    fixed=("some", "all", "not", "no", "none"),
    marked=("tense", "position"),
)
