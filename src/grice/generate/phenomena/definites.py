"""Plain definites: "the nurse on the train" presupposes that there was one."""

from __future__ import annotations

from grice.generate import grammar
from grice.generate._everyday import manners
from grice.generate._presupposition import (
    Presupposed,
    clause_environments,
    existence_rows,
    possibility,
    presupposition_phenomenon,
)
from grice.generate._scenes import TIES, locate, posts
from grice.generate.grammar import Subject
from grice.generate.phenomenon import Draw, NewItem


def _build(draw: Draw) -> list[NewItem]:
    person, location = draw["post"].person, locate(draw["post"].place, draw["tie"])
    colleague = draw.rng.pick_other(draw["post"].scene.staff, person)
    presupposed = Presupposed(
        grammar.sentence("there was", grammar.a(person), location),
        grammar.sentence("there was no", person, location),
        grammar.sentence("there was", grammar.a(colleague), location),
    )
    manner, rng = draw["manner"], draw.rng
    somebody = f"{grammar.a(person)} {location}"
    clause = f"{somebody} {manner.past}"
    plain = clause_environments(clause, grammar.ask("did", somebody, manner.base), rng.copy())
    subject = Subject(f"the {person} {location}")
    premises = clause_environments(
        f"{subject.text} {manner.past}",
        grammar.question(subject, manner, "past"),
        rng,
        negated=f"{subject.text} {grammar.inflect_negated(manner, 'past')}",
    )
    another = rng.pick_other(manners(), manner)
    more = possibility(f"{somebody} {another.past}", rng)
    return existence_rows(premises, plain, more, presupposed)


definites = presupposition_phenomenon(
    "definites",
    slots=lambda _words, _cell: {"manner": manners(), "post": posts(), "tie": TIES},
    build=_build,
    conditions={},
)
