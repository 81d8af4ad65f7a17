"""Determiners: "some" says, and does not say, "not all"."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from grice.generate import grammar
from grice.generate.lexicon import Words
from grice.generate.paradigm import Four, scalar, scalar_phenomenon
from grice.generate.phenomenon import Draw, Row

TAGS = {"trigger": "quantifier", "scale": "some - all"}


def slots(words: Words, cell: Mapping[str, str]) -> Mapping[str, Sequence[Any]]:
    if cell["position"] == "object":
        return {"deed": words.deeds_of(counted="few"), "subject": words.people}
    return {"scene": words.crowd_scenes, "noun": words.roles}


def build(draw: Draw) -> list[Row]:
    position = draw.cell["position"]
    return scalar(_of_object(draw) if position == "object" else _of_subject(draw, position), TAGS)


def _of_subject(draw: Draw, position: str) -> Four:
    partitive = position == "partitive subject"
    noun = f"of the {draw['noun'].plural}" if partitive else draw["noun"].plural
    does = grammar.tell(draw["scene"], draw.cell["tense"], plural=True)
    return Four(
        weak=grammar.sentence("some", noun, does),
        strong=grammar.sentence("all", noun, does),
        not_weak=grammar.sentence("none" if partitive else "no", noun, does),
        not_strong=grammar.sentence("not all", noun, does),
    )


def _of_object(draw: Draw) -> Four:
    tense, deed, who = draw.cell["tense"], draw["deed"], draw["subject"].text
    noun = f"of the {deed.noun.plural}"
    return Four(
        weak=grammar.sentence(who, grammar.tell(deed.phrase(f"some {noun}"), tense)),
        strong=grammar.sentence(who, grammar.tell(deed.phrase(f"all {noun}"), tense)),
        not_weak=grammar.sentence(who, grammar.tell(deed.phrase(f"none {noun}"), tense)),
        not_strong=grammar.sentence(who, grammar.deny(deed.phrase(f"all {noun}"), tense)),
    )


quantifiers = scalar_phenomenon(
    "quantifiers",
    what='Some of a group and all of it: from "some" a listener takes "not all".',
    why=(
        'Logically "all" entails "some" (the group is taken to have members, as in the paper), and "some" leaves "all" open. A speaker '
        'who knew "all" would have said it, so "some" implicates "not all", and "not all" implicates "some".'
    ),
    slots=slots,
    build=build,
    conditions={
        "tense": ("present", "past", "future"),
        "position": ("subject", "partitive subject", "object"),
    },
    fixed=("some", "all", "not", "no", "none"),
    marked=("tense", "position"),
    references=("Horn (1989), A Natural History of Negation.",),
)
