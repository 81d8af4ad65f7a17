"""Quantified subjects: "none of the nurses stopped smoking" presupposes that all of them smoked."""

from __future__ import annotations

from typing import NamedTuple

from grice.generate import grammar
from grice.generate._presupposition import (
    PRESENT,
    Presupposed,
    control_row,
    plain_rows,
    premise_rows,
    presupposition_phenomenon,
)
from grice.generate._scenes import family_acts
from grice.generate._triggers import aspectuals, pick_mention
from grice.generate.grammar import Verb, VerbPhrase
from grice.generate.lexicon import Words
from grice.generate.phenomenon import Conditions, Draw, NewItem, Slots
from grice.theory.worlds import C, N


class _Before(NamedTuple):
    """The trigger, a predicate without it, and the state before, affirmed and denied."""

    phrase: VerbPhrase
    plain: VerbPhrase
    was: str
    was_not: str


# On the rival theory "none" and a question take it for granted of someone only.
EXISTENTIAL = {"existential": False}
_FACTIVE = (
    VerbPhrase(Verb("remember", "remembers", "remembered", "remembered", "remembering")),
    VerbPhrase(Verb("recall", "recalls", "recalled", "recalled", "recalling")),
)


def _slots(words: Words, cell: Conditions) -> Slots:
    sort = "habit" if cell["trigger_type"] == "aspectual" else "memory"
    return {"act": family_acts(sort), "who": words.relatives}


def _before(draw: Draw) -> _Before:
    act = draw["act"]
    plain = pick_mention(act.gerund, draw.rng)
    if draw.cell["trigger_type"] == "aspectual":
        verb, _ = aspectuals()[draw.rng.pick(("stop", "quit", "give up"))]
        was, was_not = (f"{had} been {act.gerund} before then" for had in ("had", "hadn't"))
    else:
        verb = draw.rng.pick(_FACTIVE)
        was, was_not = act.past, f"didn't {act.base}"
    return _Before(verb.extend(act.gerund), plain, was, was_not)


def _premises(them: str, phrase: VerbPhrase) -> dict[str, str]:
    """Return the sentences of the four subjects: "each of the nurses stopped smoking"."""
    return {
        "each": grammar.sentence("each", them, phrase.past),
        "none": grammar.sentence("none", them, phrase.past),
        "question": grammar.ask("did each", them, phrase.base),
        "some": grammar.sentence("some", them, phrase.past),
    }


def _build(draw: Draw) -> list[NewItem]:
    phrase, plain, was, was_not = _before(draw)
    them, others = (
        f"of {draw['who'].text}",
        f"of {draw.rng.pick_other(draw.words.relatives, draw['who']).text}",
    )
    say = grammar.sentence
    every = Presupposed(say("all", them, was), say("some", them, was_not), say("all", others, was))
    some = Presupposed(
        say("at least one", them, was), say("none", them, was), say("all", them, was)
    )
    own, without = _premises(them, phrase), _premises(them, plain)
    rows: list[NewItem] = []
    for subject, premise in own.items():
        rivals = EXISTENTIAL if subject in ("none", "question") else None
        presupposed = some if subject == "some" else every
        rows += premise_rows(subject, premise, presupposed, PRESENT, rivals)
    for subject, label in (("none", C), ("question", N), ("some", N)):
        rows.append(control_row(subject, own[subject], own["each"], label))
    for subject, premise in without.items():
        rows += plain_rows(subject, premise, some if subject == "some" else every)
    return rows


quantified_subjects = presupposition_phenomenon(
    "quantified_subjects",
    slots=_slots,
    build=_build,
    readings=("label", "existential"),
    rows=23,
    conditions={"trigger_type": ("aspectual", "factive")},
    fixed=("stop", "quit", "give up", "remember", "recall"),
)
