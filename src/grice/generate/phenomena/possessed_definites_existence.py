"""Possessed definites, existence: who speaks of Ana's car takes it that Ana has one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from grice.generate._everyday import belongings, named
from grice.generate._presupposition import PAPER, ROWS, TAGS, environments, paradigm
from grice.generate._triggers import possession
from grice.generate.lexicon import Words
from grice.generate.phenomenon import Draw, Phenomenon, Row


def slots(_words: Words, cell: Mapping[str, str]) -> Mapping[str, Sequence[Any]]:
    return {"owner": named(), "thing": belongings(cell["tense"])}


def build(draw: Draw) -> list[Row]:
    trigger = possession(draw)
    return paradigm(
        environments(trigger, draw.rng), trigger.presupposed, {"trigger": "possessed_definites_existence"}
    )


possessed_definites_existence = Phenomenon(
    name="possessed_definites_existence",
    kind="presupposition",
    what="A possessive such as \"Ana's car\" takes for granted that Ana has a car.",
    why=(
        "\"Ana's car\" refers to something Ana has. Denied, asked, supposed or held possible, the sentence is still about her car, so that she "
        "has one follows from all five environments; that someone else has one follows from none."
    ),
    slots=slots,
    build=build,
    rows=ROWS,
    tags=(*TAGS, "tense"),
    conditions={"tense": ("past", "present")},
    marked=("tense",),
    references=(PAPER, "Strawson (1950)."),
)  # fmt: skip
