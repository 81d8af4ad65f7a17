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


def _build(draw: Draw) -> list[NewItem]:
    person, deed = draw["person"], draw["deed"].phrase
    tense: Tense = "past" if draw.cell["tense"] == "past" else "future"
    presupposed = presuppose_act(
        person, deed, pick_other_person(draw.words, draw.rng, person), tense
    )
    # "Whether Ana did so" could be whether she did only that.
    doing = f"{person.text} {grammar.be(tense)} really {deed.gerund}"
    presupposed = presupposed._replace(doubts=(presupposed.doubts[0], f"whether {doing}"))
    if draw.cell["focus"] == "subject":
        # What no one else did says nothing of what else this one did.
        more = grammar.sentence(
            person.text, grammar.inflect(draw["deed"].pick_companion(draw.rng), tense)
        )
        presupposed = presupposed._replace(neutral=more)
        who = f"only {person.text}"
        # "If only Ana …" alone would be a wish.
        supposed = f"it is true that {who} {grammar.inflect(deed, tense)}"
        premises = presupposition.focus_environments(who, deed, tense, draw.rng, supposed=supposed)
    else:
        trigger = presupposition.Trigger(
            person, presupposition.add_adverb("only", deed), tense, presupposed
        )
        premises = presupposition.environments(trigger, draw.rng)
        # Not "might have only painted".
        premises = premises._replace(modal=presupposition.possibility(trigger.clause, draw.rng))
    return presupposition.paradigm_rows(
        premises, presupposed, {"trigger": "only"}, {"asserted": ("unembedded",)}
    )


only = presupposition.presupposition_phenomenon(
    "only",
    what='"Only" takes for granted what its sentence says without it.',
    why=(
        '"Only Ana painted the fence" asserts that no one else did and presupposes that Ana did;'
        ' "Ana only painted the fence" asserts that she did nothing further. Without "only" the'
        " sentence stands under every operator, on the theory of the paper. On a rival theory"
        " (Atlas 1993) both are asserted, and under an operator both are open: the reading"
        " `asserted`."
    ),
    slots=lambda words, cell: {"deed": acts(cell["focus"]), "person": words.people},
    build=_build,
    readings=("label", "asserted"),
    conditions={"focus": ("subject", "predicate"), "tense": ("past", "future")},
    references=(presupposition.PAPER, "Horn (1969).", "Atlas (1993)."),
)
