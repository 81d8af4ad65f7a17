"""Determiners: "some" says, and does not say, "not all"."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from grice.generate import grammar
from grice.generate.lexicon import Words
from grice.generate.paradigm import SCALAR_TAGS, Four, scalar
from grice.generate.phenomenon import Draw, Phenomenon, Row

TAGS = {"trigger": "quantifier", "scale": "some - all"}


def slots(words: Words, _cell: Mapping[str, str]) -> Mapping[str, Sequence[Any]]:
    return {"noun": words.roles, "scene": words.scenes}


def build(draw: Draw) -> list[Row]:
    partitive = draw.cell["form"] == "partitive"
    noun = f"of the {draw['noun'].plural}" if partitive else draw["noun"].plural
    does = grammar.tell(draw["scene"], draw.cell["tense"], plural=True)
    four = Four(
        weak=grammar.sentence("some", noun, does),
        strong=grammar.sentence("all", noun, does),
        not_weak=grammar.sentence("none" if partitive else "no", noun, does),
        not_strong=grammar.sentence("not all", noun, does),
    )
    return scalar(four, TAGS)


quantifiers = Phenomenon(
    name="quantifiers",
    kind="implicature",
    what="Some of a group and all of it: from \"some\" a listener takes \"not all\".",
    why=(
        "Logically \"all\" entails \"some\", so \"some\" leaves \"all\" open; a speaker who knew \"all\" would have said it, so "
        "\"some\" implicates \"not all\". The nouns are taken to have members, as in the paper."
    ),
    slots=slots,
    build=build,
    rows=12,
    readings=("logical", "pragmatic"),
    tags=(*SCALAR_TAGS, "tense", "form"),
    conditions={"tense": ("present", "past", "future"), "form": ("plain", "partitive")},
    references=("Jeretič et al. (2020), Table 2.", "Horn (1989)."),
)  # fmt: skip
