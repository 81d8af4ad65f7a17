"""Both: who speaks of both nurses who came takes it that two came."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from grice.generate._everyday import callings
from grice.generate._presupposition import PAPER, ROWS, TAGS, paradigm
from grice.generate.lexicon import Words
from grice.generate.phenomena.all_n import bounds, counted, counted_premises
from grice.generate.phenomenon import Draw, Phenomenon, Row


def slots(_words: Words, cell: Mapping[str, str]) -> Mapping[str, Sequence[Any]]:
    return {"noun": callings(), **bounds(cell)}


def build(draw: Draw) -> list[Row]:
    more = draw.rng.pick(("three", "four"))
    return paradigm(counted_premises(draw, "both"), counted(draw, "two", more), {"trigger": "both"})


both = Phenomenon(
    name="both",
    kind="presupposition",
    what="\"Both nurses who joined the choir\" takes for granted that exactly two nurses did.",
    why=(
        "\"Both\" is \"the two\": it speaks of all members of a set of two. Negation stands outside the clause (\"it isn't true that both …\"), so that its "
        "scope is plain; the number stays."
    ),
    slots=slots,
    build=build,
    rows=ROWS,
    tags=(*TAGS, "modifier"),
    conditions={"modifier": ("clause", "phrase")},
    marked=("modifier",),
    references=(PAPER, "Barwise and Cooper (1981)."),
)  # fmt: skip
