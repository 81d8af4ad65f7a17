"""Clefts, uniqueness: "It was Ana who painted the fence" presupposes that just one person did."""

from __future__ import annotations

from grice.generate import grammar
from grice.generate._everyday import deeds
from grice.generate._presupposition import Presupposed, paradigm_rows, presupposition_phenomenon
from grice.generate.phenomena.cleft_existence import clefts, plain_clauses
from grice.generate.phenomenon import Draw, NewItem


def _build(draw: Draw) -> list[NewItem]:
    deed, tense = draw["deed"], draw.cell["tense"]
    does = grammar.inflect(deed.phrase, tense)
    many = grammar.inflect(deed.phrase, tense, plural=True)
    several = draw.rng.pick(
        (
            f"two or more people {many}",
            f"more than one person {does}",
            f"at least two people {many}",
        )
    )
    presupposed = Presupposed(
        grammar.sentence("exactly one person", does),
        grammar.sentence(several),
        grammar.sentence("exactly one person", grammar.inflect(deed.swap_object(draw.rng), tense)),
    )
    return paradigm_rows(
        clefts(draw), plain_clauses(draw), presupposed, rivals={"existence": False}
    )


cleft_uniqueness = presupposition_phenomenon(
    "cleft_uniqueness",
    slots=lambda words, _cell: {"person": words.people, "deed": deeds()},
    build=_build,
    conditions={"tense": ("past", "future")},
    readings=("label", "existence"),
)
