"""But that leaves out: all but one, everyone but Ana."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from grice.generate import _conjunction as conjuncts
from grice.generate import grammar
from grice.generate._conjunction import C, E, N
from grice.generate.lexicon import Words
from grice.generate.phenomenon import Draw, Phenomenon, Row

FEW = ("one", "two", "three", "four")


def slots(words: Words, cell: Mapping[str, str]) -> Mapping[str, Sequence[Any]]:
    if cell["exception"] == "number":
        return {"act": conjuncts.acts(*conjuncts.OUTINGS), "role": words.roles, "number": range(len(FEW))}
    return {"act": conjuncts.acts(*conjuncts.OUTINGS), "who": words.names}


def build(draw: Draw) -> list[Row]:
    return _number(draw) if draw.cell["exception"] == "number" else _name(draw)


def _number(draw: Draw) -> list[Row]:
    number = FEW[draw["number"]]
    other = draw.rng.other(FEW, number)
    nouns, phrase = draw["role"].plural, draw["act"].phrase
    whole = grammar.sentence("all but", number, "of the", nouns, phrase.past)
    all_ = grammar.sentence("all of the", nouns, phrase.past)
    some = grammar.sentence("some of the", nouns, phrase.past)
    left = grammar.sentence("exactly", number, "of the", nouns, "didn't", phrase.base)
    return [
        _row(whole, all_, C, "removed"),
        _row(all_, whole, C, "added"),
        _row(whole, grammar.sentence("all but", other, "of the", nouns, phrase.past), C, "replaced"),
        _row(whole, some, E, ""),
        _row(some, whole, N, "added"),
        _row(left, whole, E, "", negation=True),
    ]


def _name(draw: Draw) -> list[Row]:
    one, phrase = draw["who"].name, draw["act"].phrase
    other = draw.rng.other(draw.words.names, draw["who"]).name
    whole = grammar.sentence("everyone but", one, phrase.past)
    everyone = grammar.sentence("everyone", phrase.past)
    left = grammar.sentence(one, "didn't", phrase.base)
    return [
        _row(whole, everyone, C, "removed"),
        _row(everyone, whole, C, "added"),
        _row(whole, grammar.sentence("everyone but", other, phrase.past), C, "replaced"),
        _row(whole, grammar.sentence(one, phrase.past), C, "removed"),
        _row(whole, left, E, "removed", negation=True),
        _row(left, whole, N, "added", negation=True),
    ]


def _row(premise: str, hypothesis: str, label: str, operation: str, *, negation: bool = False) -> Row:
    told = conjuncts.tags(
        ("but",), operation, usage="exception", category="NP", quantifier=True, negation=negation
    )
    return Row(premise, hypothesis, {"label": label}, told)


conjunction_exceptions = Phenomenon(
    name="conjunction_exceptions",
    kind="conjunction",
    what="An exception after but: all but one of a group, everyone but one person.",
    why=(
        "The exception is not in it: leaving it out, adding it or exchanging it contradicts. Groups are taken to have more members than the "
        "exception, and to hold the people that are named."
    ),
    slots=slots,
    build=build,
    rows=6,
    tags=(*conjuncts.TAGS, "exception"),
    conditions={"exception": ("number", "name")},
    references=("Saha, Nie & Bansal (2020), Table 1.", "Moltmann (1995)."),
)  # fmt: skip
