"""Counterfactuals: "if Ana had sold the farm" presupposes that she did not."""

from __future__ import annotations

from grice.generate import _presupposition as presupposition
from grice.generate import grammar
from grice.generate._everyday import pick_name
from grice.generate._random import Rng
from grice.generate._scenes import moods, news
from grice.generate._triggers import pick_other_person, presuppose_act
from grice.generate.grammar import Verb, VerbPhrase
from grice.generate.lexicon import Words
from grice.generate.phenomenon import Conditions, Draw, NewItem, Slots

_WISH = Verb("wish", "wishes", "wished", "wished", "wishing")
_HOPE = Verb("hope", "hopes", "hoped", "hoped", "hoping")
# Conditions on the speaker, since "if it is true that she would have … if …" is unnatural.
_IF = ("is right", "is telling the truth", "is not mistaken", "remembers correctly")


def _slots(words: Words, cell: Conditions) -> Slots:
    if cell["form"] == "conditional":
        return {"cause": moods("if"), "person": words.people}
    return {"deed": news("good"), "person": words.people}


def _build(draw: Draw) -> list[NewItem]:
    person, conditional = draw["person"], draw.cell["form"] == "conditional"
    deed = (draw["cause"][1] if conditional else draw["deed"]).phrase
    doer = pick_other_person(draw.words, draw.rng, person)
    was, was_not, *_ = presuppose_act(doer, deed, doer)
    third = pick_other_person(draw.words, draw.rng, doer, person)
    presupposed = presupposition.Presupposed(
        was_not, was, presuppose_act(third, deed, third).negated
    )
    rivals = {"attitude": conditional}
    if conditional:
        plain = _would(draw, "will", f"if {doer.text} {deed.past}", draw.rng.copy())
        premises = _would(draw, "would have", f"if {doer.text} had {deed.participle}", draw.rng)
    else:
        past = draw.cell["form"] == "past wish"
        done = f"had {deed.participle}" if past else deed.past
        plain = _attitude(draw, _HOPE, f"that {doer.text} {done}", draw.rng.copy())
        premises = _attitude(draw, _WISH, f"that {doer.text} had {deed.participle}", draw.rng)
    return presupposition.paradigm_rows(premises, plain, presupposed, rivals=rivals)


def _would(draw: Draw, auxiliary: str, clause: str, rng: Rng) -> presupposition.Environments:
    """Return the environments of a conditional: "Bo would have been glad if Ana had sold the farm".

    Its indicative is "Bo will be glad if Ana sold the farm".
    """
    person, mood = draw["person"].text, draw["cause"][0].rest
    head, have = auxiliary.partition(" ")[::2]
    be = "have been" if have else "be"
    would = f"{person} {head} {be} {mood} {clause}"
    denied = grammar.negate(head, contracted=rng.randbelow(2) == 0)
    return presupposition.Environments(
        grammar.sentence(would),
        grammar.sentence(person, denied, be, mood, clause),
        grammar.ask(head, person, be, mood, clause),
        presupposition.possibility(would, rng),
        grammar.sentence(f"if {pick_name(rng, would)} {rng.pick(_IF)},", would),
    )


def _attitude(draw: Draw, verb: Verb, clause: str, rng: Rng) -> presupposition.Environments:
    """Return the environments of a wish or hope, which is denied as a clause.

    "Bo doesn't wish that Ana had come" is unnatural.
    """
    person, tense = draw["person"], "past" if draw.cell["form"] == "past wish" else "present"
    phrase = VerbPhrase(verb, clause)
    wishes = grammar.join(person.text, grammar.inflect(phrase, tense))
    return presupposition.clause_environments(wishes, grammar.question(person, phrase, tense), rng)


counterfactuals = presupposition.presupposition_phenomenon(
    "counterfactuals",
    slots=_slots,
    build=_build,
    conditions={"form": ("conditional", "present wish", "past wish")},
    readings=("label", "attitude"),
    fixed=("wish",),
)
