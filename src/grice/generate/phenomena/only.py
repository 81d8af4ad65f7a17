"""Only: "Only Ana painted the fence" takes it that Ana did, and says that no one else did."""

from __future__ import annotations

from grice.generate import grammar
from grice.generate._everyday import deeds
from grice.generate._presupposition import (
    PAPER,
    Environments,
    Presupposed,
    Trigger,
    add_adverb,
    clause_environments,
    environments,
    presupposition_paradigm,
    presupposition_phenomenon,
)
from grice.generate._triggers import pick_other_person, presuppose_act
from grice.generate.grammar import Tense, VerbPhrase
from grice.generate.phenomenon import Draw, NewItem


def _build(draw: Draw) -> list[NewItem]:
    person, deed = draw["person"], draw["deed"].phrase
    tense: Tense = "past" if draw.cell["tense"] == "past" else "future"
    does, does_not, else_does = presuppose_act(
        person, deed, pick_other_person(draw.words, draw.rng, person), tense
    )
    if draw.cell["focus"] == "subject":
        # What no one else did says nothing of what else this one did.
        more = grammar.sentence(person.text, grammar.inflect(draw["deed"].swap_object(draw.rng), tense))
        presupposed = Presupposed(does, does_not, more)
        premises = _subject_focus(draw, deed, tense)
    else:
        presupposed = Presupposed(does, does_not, else_does)
        premises = environments(Trigger(person, add_adverb("only", deed), tense, presupposed), draw.rng)
    return presupposition_paradigm(premises, presupposed, {"trigger": "only"})


def _subject_focus(draw: Draw, deed: VerbPhrase, tense: Tense) -> Environments:
    who = f"only {draw['person'].text}"
    clause = f"{who} {grammar.inflect(deed, tense)}"
    # "If only Ana …" alone would be a wish.
    supposed = f"it is true that {clause}"
    question = grammar.ask(grammar.do(tense), who, deed.base)
    return clause_environments(clause, question, draw.rng, supposed=supposed, ahead=tense == "future")


only = presupposition_phenomenon(
    "only",
    what="\"Only\" takes for granted what its sentence says without it.",
    why=(
        "\"Only Ana painted the fence\" asserts that no one else did and presupposes that Ana did; \"Ana only painted the fence\" asserts that "
        "she did nothing further. Without \"only\" the sentence stands under every operator, on the theory of the paper."
    ),
    slots=lambda words, _cell: {"person": words.people, "deed": deeds()},
    build=_build,
    conditions={"focus": ("subject", "predicate"), "tense": ("past", "future")},
    references=(PAPER, "Horn (1969)."),
)  # fmt: skip
