"""Clefts, existence: "It was Ana who painted the fence" takes it that someone did."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from grice.generate import grammar
from grice.generate._everyday import deeds
from grice.generate._presupposition import PAPER, ROWS, TAGS, Environments, Presupposed, around, paradigm
from grice.generate.lexicon import Words
from grice.generate.phenomenon import Draw, Phenomenon, Row


def slots(words: Words, _cell: Mapping[str, str]) -> Mapping[str, Sequence[Any]]:
    return {"person": words.people, "deed": deeds()}


def clefts(draw: Draw) -> Environments:
    """The cleft in its five environments; its negation is that of "it was"."""
    who = f"{draw['person'].text} who {grammar.finite(draw['deed'].phrase, draw.cell['tense'])}"
    was = "was" if draw.cell["tense"] == "past" else "is"
    denied = grammar.negate(was, contracted=draw.rng.below(2) == 0)
    return around(
        f"it {was} {who}",
        grammar.ask(was, "it", who),
        draw.rng,
        negated=f"it {denied} {who}",
        ahead=draw.cell["tense"] == "future",
    )


def build(draw: Draw) -> list[Row]:
    deed, tense = draw["deed"], draw.cell["tense"]
    does = grammar.finite(deed.phrase, tense)
    presupposed = Presupposed(
        grammar.sentence("someone", does),
        grammar.sentence("no one", does),
        grammar.sentence("someone", grammar.finite(deed.instead(draw.rng), tense)),
    )
    return paradigm(clefts(draw), presupposed, {"trigger": "cleft_existence"})


cleft_existence = Phenomenon(
    name="cleft_existence",
    kind="presupposition",
    what="A cleft takes for granted that someone did what it speaks of.",
    why=(
        "\"It was Ana who painted the fence\" tells who; that someone painted it is settled before, and stays so under the operators. "
        "What happened to another thing stays open."
    ),
    slots=slots,
    build=build,
    rows=ROWS,
    tags=(*TAGS, "tense"),
    conditions={"tense": ("past", "future")},
    marked=("tense",),
    references=(PAPER, "Prince (1978)."),
)  # fmt: skip
