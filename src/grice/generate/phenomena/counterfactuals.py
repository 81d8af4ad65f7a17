"""Counterfactuals: "if Ana had sold the farm" presupposes that she did not."""

from __future__ import annotations

from grice.generate import _presupposition as presupposition
from grice.generate import grammar
from grice.generate._everyday import pick_name
from grice.generate._scenes import Act, news, pair_by_tone
from grice.generate._triggers import pick_other_person, presuppose_act
from grice.generate.grammar import BE, Verb, VerbPhrase
from grice.generate.lexicon import Words
from grice.generate.phenomenon import Conditions, Draw, NewItem, Slots

_WISH = Verb("wish", "wishes", "wished", "wished", "wishing")
# What one would have been, by the sorts of news that bring it on.
_MOODS = {
    "glad": "feat favour",
    "happy": "feat favour",
    "pleased": "feat favour",
    "delighted": "feat",
    "proud": "feat",
    "impressed": "feat",
    "grateful": "favour",
    "thankful": "favour",
    "sad": "loss",
    "sorry": "loss",
    "surprised": "feat loss wrong",
    "shocked": "loss wrong crime",
    "upset": "loss wrong crime",
    "annoyed": "wrong",
    "angry": "wrong crime",
    "furious": "wrong crime",
    "disappointed": "wrong crime",
}
# Conditions on the speaker, since "if it is true that she would have … if …" is unnatural.
_IF = ("is right", "is telling the truth", "is not mistaken", "remembers correctly")


def _causes() -> list[tuple[VerbPhrase, Act]]:
    return pair_by_tone((sorts, VerbPhrase(BE, mood)) for mood, sorts in _MOODS.items())


def _slots(words: Words, cell: Conditions) -> Slots:
    if cell["form"] == "conditional":
        return {"cause": _causes(), "person": words.people}
    return {"deed": news("good"), "person": words.people}


def _build(draw: Draw) -> list[NewItem]:
    person, conditional = draw["person"], draw.cell["form"] == "conditional"
    deed = (draw["cause"][1] if conditional else draw["deed"]).phrase
    doer = pick_other_person(draw.words, draw.rng, person)
    was, was_not, *_ = presuppose_act(doer, deed, doer)
    third = pick_other_person(draw.words, draw.rng, doer, person)
    doubts = f"{doer.text} did just that", f"whether {doer.text} did so"
    presupposed = presupposition.Presupposed(
        was_not, was, presuppose_act(third, deed, third).negated, doubts
    )
    rivals = {"attitude": conditional}
    if conditional:
        premises = _would(draw, doer.text, deed)
    else:
        premises = _wishes(draw, f"that {doer.text} had {deed.participle}")
    return presupposition.paradigm_rows(
        premises, presupposed, {"trigger": "counterfactuals"}, rivals
    )


def _would(draw: Draw, doer: str, deed: VerbPhrase) -> presupposition.Environments:
    person, mood, rng = draw["person"].text, draw["cause"][0].rest, draw.rng
    if_done = f"if {doer} had {deed.participle}"
    would = f"{person} would have been {mood} {if_done}"
    denied = grammar.negate("would", contracted=rng.randbelow(2) == 0)
    return presupposition.Environments(
        grammar.sentence(would),
        grammar.sentence(person, denied, "have been", mood, if_done),
        grammar.ask("would", person, "have been", mood, if_done),
        presupposition.possibility(would, rng),
        grammar.sentence(f"if {pick_name(rng, would)} {rng.pick(_IF)},", would),
    )


def _wishes(draw: Draw, clause: str) -> presupposition.Environments:
    """Return the environments of a wish, which is denied as a clause.

    "Bo doesn't wish that Ana had come" is unnatural.
    """
    person, tense = draw["person"], "past" if draw.cell["form"] == "past wish" else "present"
    phrase = VerbPhrase(_WISH, clause)
    wishes = grammar.join(person.text, grammar.inflect(phrase, tense))
    return presupposition.clause_environments(
        wishes, grammar.question(person, phrase, tense), draw.rng
    )


counterfactuals = presupposition.presupposition_phenomenon(
    "counterfactuals",
    what=(
        'A counterfactual ("if Ana had …", "Bo wishes Ana had …") takes for granted that it did not'
        " happen."
    ),
    why=(
        'The past perfect under "if … would have" and under "wish" sets the case against the facts:'
        " Ana did not do it. The whole may be denied, asked or supposed, and the case stays"
        ' contrary to fact. Theories differ on "wish": for Heim (1992) it presupposes only that the'
        " one who wishes *believes* that Ana did not, and the fact is open; that is the reading"
        " `attitude`."
    ),
    slots=_slots,
    build=_build,
    conditions={"form": ("conditional", "present wish", "past wish")},
    readings=("label", "attitude"),
    fixed=("wish",),
    references=(
        "Levinson (1983), §4.2.",
        "Iatridou (2000).",
        "Heim (1992), Presupposition Projection and the Semantics of Attitude Verbs.",
    ),
)
