"""Iteratives: who does it again has done it before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from grice.generate._everyday import Deed, deeds
from grice.generate._presupposition import ROWS, TAGS, environments, paradigm
from grice.generate._triggers import once_more
from grice.generate.lexicon import Words
from grice.generate.phenomenon import Draw, Phenomenon, Row

WORDS = ("again", "once more", "for a second time", "return to")
# Some things are done to the same thing only once, and some leave a state to which "again" could also go back.
_ONCE = frozenset(
    [
        "adopt",
        "bury",
        "sell",
        "donate",
        "spend",
        "publish",
        "throw",
        "harvest",
        "finish",
        "hire",
        "plant",
        "pick",
        "chop",
        "mash",
        "carve",
        "peel",
        "post",
    ]
)
_STATE = frozenset(
    [
        "open",
        "close",
        "lock",
        "unlock",
        "fill",
        "empty",
        "hide",
        "start",
        "stop",
        "heat",
        "cool",
        "freeze",
        "release",
    ]
)


@cache
def repeatable() -> tuple[Deed, ...]:
    return tuple(deed for deed in deeds() if deed.phrase.verb.base.split()[0] not in _ONCE | _STATE)


def slots(words: Words, cell: Mapping[str, str]) -> Mapping[str, Sequence[Any]]:
    if cell["word"] == "return to":
        times = [time for time in words.times if time.kind == cell["tense"]]
        return {"person": words.people, "city": words.nouns_of("city"), "time": times}
    return {"person": words.people, "deed": repeatable()}


def build(draw: Draw) -> list[Row]:
    trigger = once_more(draw, draw.cell["word"])
    return paradigm(environments(trigger, draw.rng), trigger.presupposed, {"trigger": "iteratives"})


iteratives = Phenomenon(
    name="iteratives",
    kind="presupposition",
    what="\"Again\", \"once more\" and \"return to\" take for granted that it happened before.",
    why=(
        "\"Again\" adds nothing to the sentence but that the same happened earlier, and this stands when the sentence is denied, asked or supposed. "
        "Verbs whose result state could be what comes back (\"closed it again\") are left out."
    ),
    slots=slots,
    build=build,
    rows=ROWS,
    tags=(*TAGS, "word", "tense"),
    conditions={"word": WORDS, "tense": ("past", "future")},
    marked=("word", "tense"),
    fixed=("return",),
    references=("van der Sandt and Geurts (2001).", "Beck (2006)."),
)  # fmt: skip
