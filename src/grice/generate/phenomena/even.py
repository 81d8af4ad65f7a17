"""Even: "Even Ana painted the fence" takes it that she was not the likeliest to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from grice.generate import grammar
from grice.generate._everyday import deeds
from grice.generate._presupposition import ROWS, TAGS, Presupposed, around, paradigm, under_if
from grice.generate._triggers import someone_else
from grice.generate.lexicon import Words
from grice.generate.phenomenon import Draw, Phenomenon, Row


def slots(words: Words, _cell: Mapping[str, str]) -> Mapping[str, Sequence[Any]]:
    return {"person": words.people, "deed": deeds()}


def build(draw: Draw) -> list[Row]:
    person, deed, tense = draw["person"], draw["deed"].phrase, draw.cell["tense"]
    other = someone_else(draw.words, draw.rng, person)
    be = "was" if tense == "past" else "is"
    presupposed = Presupposed(
        grammar.sentence(person.text, be, "less likely than others to", deed.base),
        grammar.sentence(person.text, be, "more likely than others to", deed.base),
        grammar.sentence(other.text, be, "less likely than others to", deed.base),
    )
    who = f"even {person.text}"
    question = grammar.ask(grammar.do(tense), who, deed.base)
    supposed = f"{who} {grammar.finite(deed, under_if(tense))}"
    premises = around(
        f"{who} {grammar.finite(deed, tense)}", question, draw.rng, supposed=supposed, ahead=tense == "future"
    )
    return paradigm(premises, presupposed, {"trigger": "even"})


even = Phenomenon(
    name="even",
    kind="presupposition",
    what="\"Even Ana painted the fence\" takes for granted that Ana was less likely than others to do so.",
    why=(
        "\"Even\" leaves what is asserted as it is and ranks its focus low on a scale of likelihood. Negation stands outside the clause "
        "(\"it isn't true that even …\"), where the ranking keeps its direction."
    ),
    slots=slots,
    build=build,
    rows=ROWS,
    tags=(*TAGS, "tense"),
    conditions={"tense": ("past", "future")},
    marked=("tense",),
    references=("Karttunen and Peters (1979).", "Rooth (1985)."),
)  # fmt: skip
