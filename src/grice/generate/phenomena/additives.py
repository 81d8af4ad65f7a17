"""Additives: "Ana, too, painted the fence" takes it that someone else did."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from grice.generate import grammar
from grice.generate._everyday import deeds
from grice.generate._presupposition import ROWS, TAGS, Presupposed, around, paradigm, under_if, with_adverb
from grice.generate.lexicon import Words
from grice.generate.phenomenon import Draw, Phenomenon, Row


def slots(words: Words, _cell: Mapping[str, str]) -> Mapping[str, Sequence[Any]]:
    return {"person": words.people, "deed": deeds()}


def build(draw: Draw) -> list[Row]:
    person, deed, tense = draw["person"].text, draw["deed"], draw.cell["tense"]
    does = grammar.finite(deed.phrase, tense)
    if draw.cell["word"] == "too":
        who, added = f"{person}, too,", deed.phrase
    else:
        who, added = person, with_adverb("likewise", deed.phrase)
    premises = around(
        f"{who} {grammar.finite(added, tense)}",
        grammar.ask(grammar.do(tense), who, added.base),
        draw.rng,
        supposed=f"{who} {grammar.finite(added, under_if(tense))}",
        ahead=tense == "future",
    )
    presupposed = Presupposed(
        grammar.sentence("someone other than", person, does),
        grammar.sentence("no one other than", person, does),
        grammar.sentence("someone other than", person, grammar.finite(deed.instead(draw.rng), tense)),
    )
    return paradigm(premises, presupposed, {"trigger": "additives"})


additives = Phenomenon(
    name="additives",
    kind="presupposition",
    what="\"Too\" and \"likewise\" take for granted that the same holds of someone else.",
    why=(
        "The additive stands beside the subject, so what is added is the person: someone else did the same. Negation stands outside the "
        "clause, since \"too\" under \"not\" gives way to \"either\"."
    ),
    slots=slots,
    build=build,
    rows=ROWS,
    tags=(*TAGS, "word", "tense"),
    conditions={"word": ("too", "likewise"), "tense": ("past", "future")},
    marked=("word", "tense"),
    references=("Karttunen and Peters (1979).", "Kripke (2009)."),
)  # fmt: skip
