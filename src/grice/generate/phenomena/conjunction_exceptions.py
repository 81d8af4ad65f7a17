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
    unrelated = draw.rng.pick_other(FEW, number)
    nouns, phrase = draw["occasion"].who(draw["tie"]), draw["occasion"].act.phrase
    all_but = grammar.sentence("all but", number, "of the", nouns, phrase.past)
    all_ = grammar.sentence("all of the", nouns, phrase.past)
    some = grammar.sentence("some of the", nouns, phrase.past)
    left = grammar.sentence("exactly", number, "of the", nouns, "didn't", phrase.base)
    return [
        _row(all_but, all_, LOGIC["exception"].removed, "removed"),
        _row(all_, all_but, LOGIC["exception"].added, "added"),
        _row(
            all_but,
            grammar.sentence("all but", unrelated, "of the", nouns, phrase.past),
            replaced_label("opposite"),
            "replaced",
        ),
        _row(all_but, some, E, ""),
        _row(some, all_but, N, "added"),
        _row(left, all_but, E, "", negation=True),
    ]


def _name(draw: Draw) -> list[NewItem]:
    name, phrase = draw["who"].name, draw["occasion"].act.phrase
    unrelated = draw.rng.pick_other(draw.words.names, draw["who"]).name
    everyone_there = f"everyone {locate(draw['occasion'].crowd.place, draw['tie'])}"
    all_but = grammar.sentence(everyone_there, "but", name, phrase.past)
    everyone = grammar.sentence(everyone_there, phrase.past)
    left = grammar.sentence(name, "didn't", phrase.base)
    return [
        _row(all_but, everyone, LOGIC["exception"].removed, "removed"),
        _row(everyone, all_but, LOGIC["exception"].added, "added"),
        _row(
            all_but,
            grammar.sentence(everyone_there, "but", unrelated, phrase.past),
            replaced_label("opposite"),
            "replaced",
        ),
        _row(all_but, grammar.sentence(name, phrase.past), C, "removed"),
        _row(all_but, left, E, "removed", negation=True),
        _row(left, all_but, N, "added", negation=True),
    ]


def _row(
    premise: str, hypothesis: str, label: str, operation: str, *, negation: bool = False
) -> NewItem:
    row_tags = conjuncts.tags(
        ("but",), operation, usage="exception", category="NP", quantifier=True, negation=negation
    )
    return NewItem(premise, hypothesis, {"label": label}, row_tags)


conjunction_exceptions = conjuncts.conjunction_phenomenon(
    "conjunction_exceptions",
    slots=_slots,
    build=_build,
    rows=6,
    conditions={"exception": ("number", "name")},
)
