"""Quantified subjects: "none of the nurses stopped smoking" presupposes that all of them smoked."""

from __future__ import annotations

from typing import NamedTuple

from grice.generate import grammar
from grice.generate._presupposition import (
    Presupposed,
    control_row,
    premise_rows,
    presupposition_phenomenon,
)
from grice.generate._scenes import family_acts
from grice.generate._triggers import aspectuals
from grice.generate.grammar import Verb, VerbPhrase
from grice.generate.lexicon import Words
from grice.generate.phenomenon import Conditions, Draw, NewItem, Slots
from grice.theory.worlds import C, E, N


class _Before(NamedTuple):
    """The state before, affirmed and denied of one person.

    `did` says it in words that the hypotheses do not have.
    """

    phrase: VerbPhrase
    was: str
    was_not: str
    did: str


# On the rival theory "none" and a question take it for granted of someone only.
EXISTENTIAL = {"existential": False}
_FACTIVE = (
    VerbPhrase(Verb("remember", "remembers", "remembered", "remembered", "remembering")),
    VerbPhrase(Verb("recall", "recalls", "recalled", "recalled", "recalling")),
)


def _slots(words: Words, cell: Conditions) -> Slots:
    sort = "habit" if cell["trigger"] == "aspectual" else "memory"
    return {"act": family_acts(sort), "who": words.relatives}


def _before(draw: Draw) -> _Before:
    act = draw["act"]
    if draw.cell["trigger"] == "aspectual":
        verb, _ = aspectuals()[draw.rng.pick(("stop", "quit", "give up"))]
        was, was_not, did = (
            f"had been {act.gerund} before then",
            f"hadn't been {act.gerund} before then",
            act.past,
        )
    else:
        verb = draw.rng.pick(_FACTIVE)
        # Not "two of them never danced": "danced" is in the hypotheses, and the premise has
        # "dancing".
        was, was_not, did = act.past, f"didn't {act.base}", f"came close to {act.gerund}"
    return _Before(verb.extend(act.gerund), was, was_not, did)


def _build(draw: Draw) -> list[NewItem]:
    phrase, was, was_not, did = _before(draw)
    them, others = (
        f"of {draw['who'].text}",
        f"of {draw.rng.pick_other(draw.words.relatives, draw['who']).text}",
    )
    say = grammar.sentence
    each_did = say("each", them, phrase.past)
    every = Presupposed(
        say("all", them, was),
        say("some", them, was_not),
        say("all", others, was),
        (f"two of them never {did}", f"how many of them ever {did}"),
    )
    some = Presupposed(
        say("at least one", them, was),
        say("none", them, was),
        say("all", them, was),
        (f"nobody among them ever {did}", f"whether any of them ever {did}"),
    )
    none_did, some_did = say("none", them, phrase.past), say("some", them, phrase.past)
    question = grammar.ask("did each", them, phrase.base)
    return [
        *premise_rows("each", each_did, every, {}),
        *premise_rows("none", none_did, every, {}, EXISTENTIAL),
        *premise_rows("question", question, every, {}, EXISTENTIAL),
        *premise_rows("some", some_did, some, {}),
        control_row("none", none_did, each_did, C),
        control_row("question", question, each_did, N),
        control_row("some", some_did, each_did, N),
        control_row("each", each_did, some_did, E),
        control_row("none", none_did, some_did, C),
        control_row("question", question, some_did, N),
    ]


quantified_subjects = presupposition_phenomenon(
    "quantified_subjects",
    what=(
        "A trigger said of each, none or some of a group: each and none take it for granted of all,"
        " some of at least one."
    ),
    why=(
        "If each of the nurses stopped smoking, or remembered dancing, all of them had smoked, or"
        " danced; the same holds when none of them did (universal projection, Heim 1983; most"
        ' hearers of Chemla 2009 draw it for "none"). On a rival theory (Beaver 2001) these take it'
        " for granted of one at least, and leave all of them open: the reading `existential`."
        ' "Some" commits the speaker to one at least and leaves all of them open.'
    ),
    slots=_slots,
    build=_build,
    readings=("label", "existential"),
    rows=18,
    verdicts=(1, 1),
    mirrored=16,
    conditions={"trigger": ("aspectual", "factive")},
    fixed=("stop", "quit", "give up", "remember", "recall"),
    references=(
        "Heim (1983).",
        "Chemla (2009).",
        "Beaver (2001), Presupposition and Assertion in Dynamic Semantics.",
    ),
)
