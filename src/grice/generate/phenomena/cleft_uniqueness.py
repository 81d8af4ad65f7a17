"""Clefts, uniqueness: "It was Ana who painted the fence" takes it that just one person did."""

from __future__ import annotations

from grice.generate import grammar
from grice.generate._presupposition import PAPER, ROWS, TAGS, Presupposed, paradigm
from grice.generate.phenomena.cleft_existence import clefts, slots
from grice.generate.phenomenon import Draw, Phenomenon, Row


def build(draw: Draw) -> list[Row]:
    deed, tense = draw["deed"], draw.cell["tense"]
    does = grammar.finite(deed.phrase, tense)
    many = grammar.finite(deed.phrase, tense, plural=True)
    several = draw.rng.pick(
        (f"exactly two people {many}", f"more than one person {does}", f"several people {many}")
    )
    presupposed = Presupposed(
        grammar.sentence("exactly one person", does),
        grammar.sentence(several),
        grammar.sentence("exactly one person", grammar.finite(deed.instead(draw.rng), tense)),
    )
    return paradigm(clefts(draw), presupposed, {"trigger": "cleft_uniqueness"})


cleft_uniqueness = Phenomenon(
    name="cleft_uniqueness",
    kind="presupposition",
    what="A cleft takes for granted that exactly one person did what it speaks of.",
    why=(
        "A cleft with a singular focus names the one who did it. The label is that of the theory on which this is presupposed, as in the "
        "paper, so it holds under every operator."
    ),
    slots=slots,
    build=build,
    rows=ROWS,
    tags=(*TAGS, "tense"),
    conditions={"tense": ("past", "future")},
    marked=("tense",),
    references=(PAPER, "Halvorsen (1978).", "Percus (1997)."),
)  # fmt: skip
