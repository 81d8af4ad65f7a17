"""Only: "Only Ana painted the fence" presupposes that Ana did, and asserts that no one else did."""

from __future__ import annotations

from grice.generate import _presupposition as presupposition
from grice.generate import grammar
from grice.generate._scenes import Act, episodes, shared_acts
from grice.generate._triggers import pick_other_person, presuppose_act
from grice.generate.grammar import Tense
from grice.generate.phenomenon import Draw, NewItem


def acts(focus: str) -> tuple[Act, ...]:
    """Return acts that others can have done too; with focus on the act, one of several to do."""
    return shared_acts() if focus == "subject" else episodes()


_OTHERS = ("no one other than", "nobody other than")


def _build(draw: Draw) -> list[NewItem]:
    person, deed = draw["person"], draw["deed"].phrase
    tense: Tense = "past" if draw.cell["tense"] == "past" else "future"
    presupposed = presuppose_act(
        person, deed, pick_other_person(draw.words, draw.rng, person), tense
    )
    if draw.cell["focus"] == "subject":
        # What no one else did says nothing of what else this one did.
        more = grammar.sentence(
            person.text, grammar.inflect(draw["deed"].pick_companion(draw.rng), tense)
        )
        presupposed = presupposed._replace(neutral=more)
        who = f"only {person.text}"
        # "If only Ana …" alone would be a wish.
        supposed = f"it is true that {who} {grammar.inflect(deed, tense)}"
        plain = presupposition.focus_environments(person.text, deed, tense, draw.rng.copy())
        premises = presupposition.focus_environments(who, deed, tense, draw.rng, supposed=supposed)
    else:
        does_only = presupposition.add_adverb("only", deed)
        plain, premises = (
            presupposition.act_environments(person, act, tense, rng)
            for act, rng in ((deed, draw.rng.copy()), (does_only, draw.rng))
        )
        # Not "might have only painted".
        clause = f"{person.text} {grammar.inflect(does_only, tense)}"
        premises = premises._replace(modal=presupposition.possibility(clause, draw.rng))
    return _with_plain(draw, premises, plain, presupposed)


def _with_plain(
    draw: Draw,
    premises: presupposition.Environments,
    plain: presupposition.Environments,
    presupposed: presupposition.Presupposed,
) -> list[NewItem]:
    """Return the pairs of "only", and those of the sentence without it.

    Plain or denied it would be the presupposition or its negation, so "no one other than Ana left"
    stands there.
    """
    person, act = draw["person"].text, draw["deed"].phrase
    others = f"{draw.rng.pick(_OTHERS)} {person} {grammar.inflect(act, draw.cell['tense'])}"
    plain = plain._replace(
        unembedded=grammar.sentence(others),
        negated=grammar.sentence(presupposition.denial(draw.rng), others),
    )
    return presupposition.paradigm_rows(
        premises, plain, presupposed, rivals={"asserted": ("unembedded",)}
    )


only = presupposition.presupposition_phenomenon(
    "only",
    slots=lambda words, cell: {"deed": acts(cell["focus"]), "person": words.people},
    build=_build,
    readings=("label", "asserted"),
    conditions={"focus": ("subject", "predicate"), "tense": ("past", "future")},
)
