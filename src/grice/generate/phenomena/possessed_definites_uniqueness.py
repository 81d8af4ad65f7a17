"""Possessed definites, uniqueness: "Ana's car" presupposes that Ana has just one."""

from __future__ import annotations

from grice.generate import grammar
from grice.generate._everyday import belongings, named_people
from grice.generate._presupposition import (
    clause_environments,
    environments,
    paradigm_rows,
    presupposition_phenomenon,
)
from grice.generate._triggers import possession_trigger, presuppose
from grice.generate.grammar import Subject
from grice.generate.phenomenon import Draw, NewItem

_NAME = "possessed_definites_uniqueness"


def _build(draw: Draw) -> list[NewItem]:
    owner, thing = draw["owner"], draw["thing"]
    has = "had" if draw.cell["tense"] == "past" else "has"
    several = draw.rng.pick(("at least two", "more than one", "two or more"))
    exactly_one = f"exactly one {thing.singular}"
    more = f"{several} {thing.singular if several.endswith('one') else thing.plural}"
    rival = draw.rng.pick_other(named_people(), owner)
    presupposed = presuppose(owner, rival, f"{has} {exactly_one}", f"{has} {more}")
    trigger = possession_trigger(draw)
    one_of = f"{grammar.a(thing.singular)} of {grammar.possessive(owner.text)}"
    clause = f"{one_of} {grammar.inflect(thing.fact, draw.cell['tense'])}"
    question = grammar.question(Subject(one_of), thing.fact, draw.cell["tense"])
    return paradigm_rows(
        environments(trigger, draw.rng),
        clause_environments(clause, question, draw.rng.copy()),
        presupposed,
        rivals={"salient": False},
    )


possessed_definites_uniqueness = presupposition_phenomenon(
    _NAME,
    slots=lambda _words, cell: {
        "owner": named_people(),
        "thing": belongings(cell["tense"], people=False),
    },
    build=_build,
    conditions={"tense": ("past", "present")},
    readings=("label", "salient"),
)
