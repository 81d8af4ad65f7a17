"""Adverbs of frequency: "sometimes" implicates "not always"."""

from __future__ import annotations

import re

from grice.generate import grammar
from grice.generate._everyday import habits
from grice.generate.lexicon import Words
from grice.generate.paradigm import ScaleClauses, scalar_phenomenon, scalar_rows
from grice.generate.phenomenon import Conditions, Draw, NewItem, Slots
from grice.theory.scales import scale_kind

MATES = {
    "sometimes - always": ("sometimes", "always"),
    "sometimes - usually": ("sometimes", "usually"),
    "usually - always": ("usually", "always"),
    "often - always": ("often", "always"),
}


def _slots(words: Words, _cell: Conditions) -> Slots:
    return {"act": [act for act in habits("act") if not _timed(act.rest)], "subject": words.people}


def _timed(rest: str) -> bool:
    """Return whether a text has a time adverbial: "on Fridays", "after lunch"."""
    return bool(_WHEN.search(f" {rest} "))


_WHEN = re.compile(
    r"day|lunch|morning|evening|night|weekend|spring|winter|summer|dawn|sunrise"
    r"|moonlight|week |Lent|noon|after |dinner|breakfast| for a living"
)


def _clauses(draw: Draw) -> ScaleClauses:
    who, tense = draw["subject"].text, draw.cell["tense"]
    phrase = draw["act"]
    weak, strong = MATES[draw.cell["scale"]]
    does = grammar.inflect(phrase, tense)
    not_at_all = f"never {does}"
    doubted = grammar.negate(grammar.do(tense))
    return ScaleClauses(
        weak=f"{who} {weak} {does}",
        strong=f"{who} {strong} {does}",
        not_weak=(
            f"{who} {not_at_all if weak == 'sometimes' else f'{doubted} {weak} {phrase.base}'}"
        ),
        not_strong=f"{who} {doubted} {strong} {phrase.base}",
    )


def _build(draw: Draw) -> list[NewItem]:
    # "Not always" implicates "sometimes", but neither "often" nor "usually".
    kind = scale_kind(draw.cell["scale"])
    return scalar_rows(draw, _clauses, {"trigger": "frequency"}, kind=kind, balance="mixed")


sometimes_always = scalar_phenomenon(
    "sometimes_always",
    slots=_slots,
    build=_build,
    balance="mixed",
    conditions={"scale": tuple(MATES), "tense": ("present", "past")},
    fixed=("sometimes", "usually", "often", "always", "never"),
    marked=("tense",),
)
