"""Counterfactuals: "if Ana had sold the farm" takes it that she did not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from grice.generate import grammar
from grice.generate._everyday import deeds, moods
from grice.generate._presupposition import (
    ROWS,
    TAGS,
    Environments,
    Presupposed,
    Trigger,
    conditional,
    environments,
    paradigm,
    possible,
)
from grice.generate._triggers import did, someone_else
from grice.generate.grammar import Verb, VerbPhrase
from grice.generate.lexicon import Words
from grice.generate.phenomenon import Draw, Phenomenon, Row

_WISH = Verb("wish", "wishes", "wished", "wished", "wishing")


def slots(words: Words, cell: Mapping[str, str]) -> Mapping[str, Sequence[Any]]:
    return {
        "person": words.people,
        "deed": deeds(),
        **({"mood": moods()} if cell["form"] == "conditional" else {}),
    }


def build(draw: Draw) -> list[Row]:
    person, deed = draw["person"], draw["deed"].phrase
    doer = someone_else(draw.words, draw.rng, person)
    was, was_not, _ = did(doer, deed, doer)
    other = someone_else(draw.words, draw.rng, doer, person)
    presupposed = Presupposed(was_not, was, did(other, deed, other).negated)
    if draw.cell["form"] == "conditional":
        premises = _would(draw, doer.text, deed)
    else:
        phrase = VerbPhrase(_WISH, f"that {doer.text} had {deed.participle}")
        tense = "past" if draw.cell["form"] == "past wish" else "present"
        premises = environments(Trigger(person, phrase, tense, presupposed), draw.rng)
    return paradigm(premises, presupposed, {"trigger": "counterfactuals"})


def _would(draw: Draw, doer: str, deed: VerbPhrase) -> Environments:
    person, mood, rng = draw["person"].text, draw["mood"], draw.rng
    if_done = f"if {doer} had {deed.participle}"
    would = f"{person} would have been {mood} {if_done}"
    denied = grammar.negate("would", contracted=rng.below(2) == 0)
    return Environments(
        grammar.sentence(would),
        grammar.sentence(person, denied, "have been", mood, if_done),
        grammar.ask("would", person, "have been", mood, if_done),
        possible(would, rng),
        conditional(f"it is true that {would}", rng),
    )


counterfactuals = Phenomenon(
    name="counterfactuals",
    kind="presupposition",
    what="A counterfactual (\"if Ana had …\", \"Bo wishes Ana had …\") takes for granted that it did not happen.",
    why=(
        "The past perfect under \"if … would have\" and under \"wish\" sets the case against the facts: Ana did not do it. The whole may be "
        "denied, asked or supposed, and the case stays contrary to fact."
    ),
    slots=slots,
    build=build,
    rows=ROWS,
    tags=(*TAGS, "form"),
    conditions={"form": ("conditional", "present wish", "past wish")},
    marked=("form",),
    fixed=("wish",),
    references=("Levinson (1983), §4.2.", "Iatridou (2000)."),
)  # fmt: skip
