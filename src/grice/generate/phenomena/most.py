"""Some, most, all: the middle of the scale of determiners."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from grice.generate import grammar
from grice.generate.lexicon import Words
from grice.generate.paradigm import Four, quiet, scalar, scalar_phenomenon
from grice.generate.phenomenon import Draw, Row


def slots(words: Words, _cell: Mapping[str, str]) -> Mapping[str, Sequence[Any]]:
    return {"scene": words.crowd_scenes, "noun": words.roles}


def build(draw: Draw) -> list[Row]:
    noun = f"of the {draw['noun'].plural}"
    does = grammar.tell(draw["scene"], draw.cell["tense"], plural=True)
    some, most, all_, none, half, not_all = (
        grammar.sentence(head, noun, does)
        for head in ("some", "most", "all", "none", "no more than half", "not all")
    )
    tags = {"trigger": "quantifier_most", "scale": draw.cell["scale"]}
    if draw.cell["scale"] == "some - most":
        return scalar(Four(some, most, none, half), tags)
    return quiet(Four(most, all_, half, not_all), tags)


most = scalar_phenomenon(
    "most",
    what='Some, most and all: from "some" a listener takes "not most", from "most" "not all".',
    why=(
        '"Most" is taken as "more than half", so its denial is "no more than half". "No more than half" implicates "some"; but "not all" '
        'does not implicate "most", so those three rows have the same label under both readings.'
    ),
    slots=slots,
    build=build,
    conditions={"tense": ("present", "past", "future"), "scale": ("some - most", "most - all")},
    fixed=("some", "most", "all", "not", "none", "half"),
    marked=("tense",),
    references=("Horn (1989), A Natural History of Negation.",),
)
