"""Attitudes as plugs: what Bo says that Ana stopped doing, the speaker need not take Ana to have done."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from grice.generate import grammar
from grice.generate._everyday import changes, habits, verb_of
from grice.generate._presupposition import ANSWERS, TAGS, Trigger, answered
from grice.generate._triggers import aspectual, change, once_more, someone_else
from grice.generate.grammar import VerbPhrase
from grice.generate.lexicon import Words, table
from grice.generate.paradigm import E, N
from grice.generate.phenomena.iteratives import repeatable
from grice.generate.phenomenon import Draw, Phenomenon, Row

# No possessives: "Bo said that Ana's car …" has a reading on which the speaker vouches for the car.
ATTITUDES = ("say", "believe", "dream")
TRIGGERS = ("aspectual", "change of state", "iterative")
_OPEN = tuple((polarity, N) for polarity, _ in ANSWERS)


@cache
def plugs(sort: str) -> tuple[tuple[VerbPhrase, str], ...]:
    """The reports of a sort, each with its tense."""
    return tuple(
        (VerbPhrase(verb_of(row), row["rest"]), row["tense"])
        for row in table("attitudes")
        if row["sort"] == sort
    )


def slots(words: Words, cell: Mapping[str, str]) -> Mapping[str, Sequence[Any]]:
    name, acts = {
        "aspectual": ("habit", habits()),
        "change of state": ("change", changes()),
        "iterative": ("deed", repeatable()),
    }[cell["trigger"]]
    return {"person": words.people, name: acts}


def embedded(draw: Draw) -> Trigger:
    """The clause under the attitude."""
    if draw.cell["trigger"] == "aspectual":
        return aspectual(draw, draw.rng.pick(("stop", "quit", "give up")))
    if draw.cell["trigger"] == "iterative":
        return once_more(draw, draw.rng.pick(("again", "once more")))
    return change(draw)


def build(draw: Draw) -> list[Row]:
    trigger, (phrase, tense) = embedded(draw), draw.rng.pick(plugs(draw.cell["attitude"]))
    holder = someone_else(draw.words, draw.rng, draw["person"]).text
    plain = grammar.sentence(trigger.clause)
    plugged = grammar.sentence(holder, grammar.finite(phrase, tense), "that", trigger.clause)
    knows = draw.rng.pick(("knows", "is aware"))
    known = grammar.sentence(holder, knows, "that", trigger.clause)
    tags = {"word": phrase.base}
    return [
        *answered("unembedded", plain, trigger.presupposed, ANSWERS, tags),
        *answered("plug", plugged, trigger.presupposed, _OPEN, tags),
        *answered("hole", known, trigger.presupposed, ANSWERS, tags),
        Row(plugged, plain, {"label": N}, {"role": "control", "operator": "plug", **tags}),
        Row(known, plain, {"label": E}, {"role": "control", "operator": "hole", **tags}),
    ]


attitudes = Phenomenon(
    name="attitudes",
    kind="presupposition",
    what="A trigger in a report of what someone says, believes or dreams: its presupposition is theirs, not the speaker's.",
    why=(
        "Verbs of saying, believing and dreaming are plugs: the speaker of \"Bo claimed that Ana stopped smoking\" is bound neither to her having "
        "stopped nor to her having smoked, so both stay open (neutral). Under \"know\", a hole, and unembedded, the presupposition stands. "
        "Labels follow Karttunen's reading, without anything a hearer may add of their own."
    ),
    slots=slots,
    build=build,
    rows=11,
    tags=(*TAGS, "word", "attitude", "tense"),
    conditions={"attitude": ATTITUDES, "trigger": TRIGGERS, "tense": ("past",)},
    marked=("trigger", "tense"),
    fixed=("know", "be", "stop", "quit", "give up"),
    references=("Karttunen (1973).", "Heim (1992)."),
)  # fmt: skip
