"""Adverbs of frequency: "sometimes" says, and does not say, "not always"."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from grice.generate import grammar
from grice.generate._everyday import habits
from grice.generate.lexicon import Words
from grice.generate.paradigm import Four, quiet, scalar, scalar_phenomenon
from grice.generate.phenomenon import Draw, Row

MATES = {
    "sometimes - always": ("sometimes", "always"),
    "sometimes - usually": ("sometimes", "usually"),
    "usually - always": ("usually", "always"),
    "often - always": ("often", "always"),
}


def slots(words: Words, _cell: Mapping[str, str]) -> Mapping[str, Sequence[Any]]:
    times = [time.text for time in words.times if time.kind == "habit"]
    acts = [act for act in habits("act") if not _timed(act.rest)]
    return {"act": acts, "time": times, "subject": words.people}


def _timed(rest: str) -> bool:
    """Whether it says already when: "on Fridays", "after lunch"."""
    return any(word in f" {rest} " for word in _WHEN)


_WHEN = (
    "day", "lunch", "morning", "evening", "night", "weekend", "spring", "winter", "summer", "dawn", "sunrise", "moonlight", "week ",
    "Lent", "noon", "after ", "dinner", "breakfast", " for a living",
)  # fmt: skip


def build(draw: Draw) -> list[Row]:
    who, tense = draw["subject"].text, draw.cell["tense"]
    phrase = draw["act"].then(draw["time"])
    weak, strong = MATES[draw.cell["scale"]]
    does = grammar.finite(phrase, tense)
    not_at_all = f"never {does}"
    doubted = grammar.negate(grammar.do(tense))
    four = Four(
        weak=grammar.sentence(who, weak, does),
        strong=grammar.sentence(who, strong, does),
        not_weak=grammar.sentence(
            who, not_at_all if weak == "sometimes" else f"{doubted} {weak} {phrase.base}"
        ),
        not_strong=grammar.sentence(who, doubted, strong, phrase.base),
    )
    tags = {"trigger": "frequency"}
    # "Not always" implicates "sometimes", but neither "often" nor "usually".
    return scalar(four, tags) if weak == "sometimes" else quiet(four, tags)


sometimes_always = scalar_phenomenon(
    "sometimes_always",
    what='Adverbs of frequency: from "sometimes" a listener takes "not always".',
    why=(
        'What always happens on Mondays sometimes happens on Mondays; the denial of "sometimes" is "never". "Not always" implicates '
        '"sometimes", but neither "often" nor "usually", so with those the three rows have the same label under both readings.'
    ),
    slots=slots,
    build=build,
    conditions={"scale": tuple(MATES), "tense": ("present", "past")},
    fixed=("sometimes", "usually", "often", "always", "never"),
    marked=("tense",),
    references=("Horn (1989), A Natural History of Negation.",),
)
