"""Plain definites: who speaks of the nurse on the train takes it that there was one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from grice.generate import grammar
from grice.generate._everyday import ANYWHERE, another_calling, callings, gatherings, manners
from grice.generate._presupposition import ROWS, TAGS, Presupposed, Trigger, environments, paradigm
from grice.generate.grammar import Subject
from grice.generate.lexicon import Words
from grice.generate.phenomenon import Draw, Phenomenon, Row


def slots(_words: Words, _cell: Mapping[str, str]) -> Mapping[str, Sequence[Any]]:
    return {"place": gatherings(), "noun": callings(), "manner": manners(*ANYWHERE, "mishap")}


def build(draw: Draw) -> list[Row]:
    noun, place = draw["noun"], draw["place"].text
    other = another_calling(draw.rng, noun)
    presupposed = Presupposed(
        grammar.sentence("there was", grammar.a(noun.singular), place),
        grammar.sentence("there was no", noun.singular, place),
        grammar.sentence("there was", grammar.a(other.singular), place),
    )
    trigger = Trigger(Subject(f"the {noun.singular} {place}"), draw["manner"], "past", presupposed)
    return paradigm(environments(trigger, draw.rng), presupposed, {"trigger": "definites"})


definites = Phenomenon(
    name="definites",
    kind="presupposition",
    what="A definite such as \"the nurse on the train\" takes for granted that there is one.",
    why=(
        "The phrase picks out someone of whom the sentence then tells, denies, asks or supposes something; without a nurse on the train there is no "
        "one to speak of. Whether there was someone of another calling stays open."
    ),
    slots=slots,
    build=build,
    rows=ROWS,
    tags=TAGS,
    references=("Frege (1892).", "Strawson (1950)."),
)  # fmt: skip
