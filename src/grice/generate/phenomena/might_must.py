"""Guesses: "might" says, and does not say, "not surely"."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from grice.generate import grammar
from grice.generate._everyday import done
from grice.generate.lexicon import Words
from grice.generate.paradigm import Four, scalar, scalar_phenomenon
from grice.generate.phenomenon import Draw, Row

TAGS = {"trigger": "modal_might", "scale": "might - must"}


def slots(words: Words, _cell: Mapping[str, str]) -> Mapping[str, Sequence[Any]]:
    return {"deed": done(), "subject": words.people}


def build(draw: Draw) -> list[Row]:
    deed = draw["deed"]
    what = f"have {deed.participle}" if draw.cell["tense"] == "past" else f"be {deed.gerund}"
    cannot = "cannot" if draw.cell["negation"] == "full" else "can't"
    who = draw["subject"].text
    four = Four(*(grammar.sentence(who, modal, what) for modal in ("might", "must", cannot, "might not")))
    return scalar(four, TAGS)


might_must = scalar_phenomenon(
    "might_must",
    what='Might and must, as guesses: from "might" a listener takes "might not".',
    why=(
        'What must be so might be so, and "might" leaves "must" open. The denial of "must" is "might not", that of "might" is "cannot". A '
        'speaker who could conclude "must" would have said it, so "might" implicates "might not".'
    ),
    slots=slots,
    build=build,
    conditions={"tense": ("present", "past"), "negation": ("contracted", "full")},
    fixed=("might", "must", "can", "have", "be"),
    marked=("tense",),
    references=("Horn (1989), A Natural History of Negation.",),
)
