"""Possessed definites, uniqueness: "Ana's car" presupposes that Ana has just one."""

from __future__ import annotations

from grice.generate._everyday import belongings, named_people
from grice.generate._presupposition import PAPER, presupposition_phenomenon, trigger_rows
from grice.generate._triggers import possession_trigger, presuppose
from grice.generate.phenomenon import Draw, NewItem


def _build(draw: Draw) -> list[NewItem]:
    owner, thing = draw["owner"], draw["thing"]
    has = "had" if draw.cell["tense"] == "past" else "has"
    several = draw.rng.pick(("exactly two", "exactly three", "more than one", "two or more"))
    one = f"exactly one {thing.singular}"
    more = f"{several} {thing.singular if several.endswith('one') else thing.plural}"
    other = draw.rng.pick_other(named_people(), owner)
    presupposed = presuppose(owner, other, f"{has} {one}", f"{has} {more}")
    trigger = possession_trigger(draw)._replace(presupposed=presupposed)
    return trigger_rows("possessed_definites_uniqueness", trigger, draw.rng)


possessed_definites_uniqueness = presupposition_phenomenon(
    "possessed_definites_uniqueness",
    what="A possessive such as \"Ana's car\" takes for granted that Ana has exactly one car.",
    why=(
        "A singular definite refers to the one thing that fits its description. The label is that of the theory on which uniqueness is "
        "presupposed, as in the paper; that someone else has exactly one stays open."
    ),
    slots=lambda _words, cell: {"owner": named_people(), "thing": belongings(cell["tense"])},
    build=_build,
    contrary=True,
    conditions={"tense": ("past", "present")},
    references=(PAPER, "Strawson (1950).", "Barker (1995)."),
)  # fmt: skip
