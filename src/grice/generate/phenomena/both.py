"""Both: "both guests at the party danced" presupposes that two came."""

from __future__ import annotations

from grice.generate._presupposition import PAPER, paradigm_rows, presupposition_phenomenon
from grice.generate.phenomena.all_n import (
    count_environments,
    count_presupposition,
    counted_slots,
    plain_count_environments,
)
from grice.generate.phenomenon import Draw, NewItem


def _build(draw: Draw) -> list[NewItem]:
    return paradigm_rows(
        count_environments(draw, "both"),
        plain_count_environments(draw, "some"),
        count_presupposition(draw, "two"),
    )


both = presupposition_phenomenon(
    "both",
    what='"Both of Ana\'s sisters" takes for granted that Ana has exactly two sisters.',
    why=(
        '"Both" is "the two": it speaks of all members of a set of two. Negation stands outside the'
        ' clause ("it isn\'t true that both …"), so that its scope is plain; the number stays.'
    ),
    slots=lambda _words, cell: counted_slots(cell["modifier"]),
    build=_build,
    conditions={"modifier": ("possessive", "phrase")},
    references=(PAPER, "Barwise and Cooper (1981)."),
)
