"""Only: "Only Ana painted the fence" takes it that Ana did, and says that no one else did."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from grice.generate import grammar
from grice.generate._everyday import deeds
from grice.generate._presupposition import (
    PAPER,
    ROWS,
    TAGS,
    Environments,
    Presupposed,
    Trigger,
    around,
    environments,
    paradigm,
    with_adverb,
)
from grice.generate._triggers import did, someone_else
from grice.generate.grammar import Tense, VerbPhrase
from grice.generate.lexicon import Words
from grice.generate.phenomenon import Draw, Phenomenon, Row


def slots(words: Words, _cell: Mapping[str, str]) -> Mapping[str, Sequence[Any]]:
    return {"person": words.people, "deed": deeds()}


def build(draw: Draw) -> list[Row]:
    person, deed = draw["person"], draw["deed"].phrase
    tense: Tense = "past" if draw.cell["tense"] == "past" else "future"
    does, does_not, else_does = did(person, deed, someone_else(draw.words, draw.rng, person), tense)
    if draw.cell["focus"] == "subject":
        # What no one else did says nothing of what else this one did.
        more = grammar.sentence(person.text, grammar.finite(draw["deed"].instead(draw.rng), tense))
        presupposed = Presupposed(does, does_not, more)
        premises = _subject_focus(draw, deed, tense)
    else:
        presupposed = Presupposed(does, does_not, else_does)
        premises = environments(Trigger(person, with_adverb("only", deed), tense, presupposed), draw.rng)
    return paradigm(premises, presupposed, {"trigger": "only"})


def _subject_focus(draw: Draw, deed: VerbPhrase, tense: Tense) -> Environments:
    who = f"only {draw['person'].text}"
    clause = f"{who} {grammar.finite(deed, tense)}"
    # "If only Ana …" alone would be a wish.
    supposed = f"it is true that {clause}"
    question = grammar.ask(grammar.do(tense), who, deed.base)
    return around(clause, question, draw.rng, supposed=supposed, ahead=tense == "future")


only = Phenomenon(
    name="only",
    kind="presupposition",
    what="\"Only\" takes for granted what its sentence says without it.",
    why=(
        "\"Only Ana painted the fence\" asserts that no one else did and presupposes that Ana did; \"Ana only painted the fence\" asserts that "
        "she did nothing further. Without \"only\" the sentence stands under every operator, on the theory of the paper."
    ),
    slots=slots,
    build=build,
    rows=ROWS,
    tags=(*TAGS, "focus", "tense"),
    conditions={"focus": ("subject", "predicate"), "tense": ("past", "future")},
    marked=("focus", "tense"),
    references=(PAPER, "Horn (1969)."),
)  # fmt: skip
