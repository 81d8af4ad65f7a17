"""Both: "both guests at the party danced" presupposes that two came."""

from __future__ import annotations

from grice.generate._presupposition import paradigm_rows, presupposition_phenomenon
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
    slots=lambda _words, cell: counted_slots(cell["modifier"]),
    build=_build,
    conditions={"modifier": ("possessive", "phrase")},
)
