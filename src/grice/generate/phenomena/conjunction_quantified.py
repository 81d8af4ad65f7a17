"""Conjuncts under a quantifier: what may be left out is reversed under "none" and "few"."""

from __future__ import annotations

from grice.generate import _conjunction as conjuncts
from grice.generate import grammar
from grice.generate._scenes import TIES, occasions
from grice.generate.phenomenon import Draw, NewItem
from grice.theory.conjuncts import Polarity, logical_labels

UPWARD = ("all of the", "most of the", "some of the", "several of the", "at least two of the")
DOWNWARD = ("none of the", "few of the", "at most two of the")
NEITHER = ("exactly two of the", "exactly three of the")


def _build(draw: Draw) -> list[NewItem]:
    quantifier, word = draw.cell["who"], draw.cell["connective"]
    act, who = draw["occasion"].act, draw["occasion"].who(draw["tie"])
    first, second = act.phrase, act.pick_companion(draw.rng)
    third = act.pick_companion(draw.rng, second)

    def say(did: str) -> str:
        return grammar.sentence(quantifier, who, did)

    both = say(f"{first.past} {word} {second.past}")
    polarity: Polarity = (
        "downward" if quantifier in DOWNWARD else "none" if quantifier in NEITHER else "upward"
    )
    removed, added, replaced = logical_labels(word, polarity)
    pairs = (
        (both, say(first.past), "removed", removed),
        (both, say(second.past), "removed", removed),
        (say(first.past), both, "added", added),
        (both, say(f"{first.past} {word} {third.past}"), "replaced", replaced),
    )
    items = []
    for premise, hypothesis, operation, label in pairs:
        none = quantifier.startswith("none")
        tag = conjuncts.tags((word,), operation, category="VP", quantifier=True, negation=none)
        items.append(NewItem(premise, hypothesis, {"label": label}, tag))
    return items


conjunction_quantified = conjuncts.conjunction_phenomenon(
    "conjunction_quantified",
    slots=lambda _words, _cell: {"occasion": occasions(), "tie": TIES},
    build=_build,
    rows=4,
    conditions={"who": (*UPWARD, *DOWNWARD, *NEITHER), "connective": ("and", "or")},
    marked=("who", "connective"),
)
