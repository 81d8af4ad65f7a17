"""Both: "both guests who danced" presupposes that two came."""

from __future__ import annotations

from grice.generate._presupposition import PAPER, paradigm_rows, presupposition_phenomenon
from grice.generate._scenes import TIES
from grice.generate.phenomena.all_n import count_environments, count_presupposition, counted_occasions
from grice.generate.phenomenon import Draw, NewItem


def _build(draw: Draw) -> list[NewItem]:
    return paradigm_rows(count_environments(draw, "both"), count_presupposition(draw, "two"), {"trigger": "both"})


both = presupposition_phenomenon(
    "both",
    what="\"Both guests who danced\" takes for granted that exactly two guests did.",
    why=(
        "\"Both\" is \"the two\": it speaks of all members of a set of two. Negation stands outside the clause (\"it isn't true that both …\"), so that its "
        "scope is plain; the number stays."
    ),
    slots=lambda _words, cell: {"occasion": counted_occasions(cell["modifier"]), "tie": TIES},
    build=_build,
    conditions={"modifier": ("clause", "phrase")},
    references=(PAPER, "Barwise and Cooper (1981)."),
)  # fmt: skip
