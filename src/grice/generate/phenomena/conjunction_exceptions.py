""" "But" that names an exception: all but one, everyone but Ana."""

from __future__ import annotations

from grice.generate import _conjunction as conjuncts
from grice.generate import grammar
from grice.generate._scenes import TIES, locate, occasions
from grice.generate.lexicon import Words
from grice.generate.phenomenon import Conditions, Draw, NewItem, Slots
from grice.theory.conjuncts import LOGIC, replaced_label
from grice.theory.worlds import C, E, N

FEW = ("one", "two", "three", "four")


def _slots(words: Words, cell: Conditions) -> Slots:
    if cell["exception"] == "number":
        return {"occasion": occasions(), "tie": TIES, "number": range(len(FEW))}
    return {"occasion": occasions(), "tie": TIES, "who": words.names}


def _build(draw: Draw) -> list[NewItem]:
    return _number(draw) if draw.cell["exception"] == "number" else _name(draw)


def _number(draw: Draw) -> list[NewItem]:
    number = FEW[draw["number"]]
    other = draw.rng.pick_other(FEW, number)
    nouns, phrase = draw["occasion"].who(draw["tie"]), draw["occasion"].act.phrase
    whole = grammar.sentence("all but", number, "of the", nouns, phrase.past)
    all_ = grammar.sentence("all of the", nouns, phrase.past)
    some = grammar.sentence("some of the", nouns, phrase.past)
    left = grammar.sentence("exactly", number, "of the", nouns, "didn't", phrase.base)
    return [
        _row(whole, all_, LOGIC["exception"].removed, "removed"),
        _row(all_, whole, LOGIC["exception"].added, "added"),
        _row(
            whole,
            grammar.sentence("all but", other, "of the", nouns, phrase.past),
            replaced_label("opposite"),
            "replaced",
        ),
        _row(whole, some, E, ""),
        _row(some, whole, N, "added"),
        _row(left, whole, E, "", negation=True),
    ]


def _name(draw: Draw) -> list[NewItem]:
    one, phrase = draw["who"].name, draw["occasion"].act.phrase
    other = draw.rng.pick_other(draw.words.names, draw["who"]).name
    there = f"everyone {locate(draw['occasion'].crowd.place, draw['tie'])}"
    whole = grammar.sentence(there, "but", one, phrase.past)
    everyone = grammar.sentence(there, phrase.past)
    left = grammar.sentence(one, "didn't", phrase.base)
    return [
        _row(whole, everyone, LOGIC["exception"].removed, "removed"),
        _row(everyone, whole, LOGIC["exception"].added, "added"),
        _row(
            whole,
            grammar.sentence(there, "but", other, phrase.past),
            replaced_label("opposite"),
            "replaced",
        ),
        _row(whole, grammar.sentence(one, phrase.past), C, "removed"),
        _row(whole, left, E, "removed", negation=True),
        _row(left, whole, N, "added", negation=True),
    ]


def _row(
    premise: str, hypothesis: str, label: str, operation: str, *, negation: bool = False
) -> NewItem:
    told = conjuncts.tags(
        ("but",), operation, usage="exception", category="NP", quantifier=True, negation=negation
    )
    return NewItem(premise, hypothesis, {"label": label}, told)


conjunction_exceptions = conjuncts.conjunction_phenomenon(
    "conjunction_exceptions",
    what="An exception after but: all but one of a group, everyone but one person.",
    why=(
        "The exception is not in it: leaving it out, adding it or exchanging it contradicts. Groups"
        " are taken to have more members than the exception, and to hold the people that are named."
    ),
    slots=_slots,
    build=_build,
    rows=6,
    conditions={"exception": ("number", "name")},
    references=("Saha, Nie & Bansal (2020), Table 1.", "Moltmann (1995)."),
)
