"""Possessed definites, uniqueness: who speaks of Ana's car takes it that Ana has just one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from grice.generate import grammar
from grice.generate._everyday import belongings, named
from grice.generate._presupposition import PAPER, ROWS, TAGS, Presupposed, environments, paradigm
from grice.generate._triggers import possession
from grice.generate.lexicon import Words
from grice.generate.phenomenon import Draw, Phenomenon, Row


def slots(_words: Words, cell: Mapping[str, str]) -> Mapping[str, Sequence[Any]]:
    return {"owner": named(), "thing": belongings(cell["tense"])}


def build(draw: Draw) -> list[Row]:
    owner, thing = draw["owner"], draw["thing"]
    has = "had" if draw.cell["tense"] == "past" else "has"
    several = draw.rng.pick(("exactly two", "exactly three", "more than one", "two or more"))
    one = f"exactly one {thing.singular}"
    more = f"{several} {thing.singular if several.endswith('one') else thing.plural}"
    presupposed = Presupposed(
        grammar.sentence(owner.text, has, one),
        grammar.sentence(owner.text, has, more),
        grammar.sentence(draw.rng.other(named(), owner).text, has, one),
    )
    return paradigm(
        environments(possession(draw), draw.rng), presupposed, {"trigger": "possessed_definites_uniqueness"}
    )


possessed_definites_uniqueness = Phenomenon(
    name="possessed_definites_uniqueness",
    kind="presupposition",
    what="A possessive such as \"Ana's car\" takes for granted that Ana has exactly one car.",
    why=(
        "A singular definite refers to the one thing that fits its description. The label is that of the theory on which uniqueness is "
        "presupposed, as in the paper; that someone else has exactly one stays open."
    ),
    slots=slots,
    build=build,
    rows=ROWS,
    tags=(*TAGS, "tense"),
    conditions={"tense": ("past", "present")},
    marked=("tense",),
    references=(PAPER, "Strawson (1950).", "Barker (1995)."),
)  # fmt: skip
