"""Assignment of pairs to people: pure rules, without a database and without a clock."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby

from grice.core.item import Item


def ratings_wanted(raws: Sequence[int], redundancy: int, third_when: int, extra: int = 0) -> int:
    """Return how many ratings a pair needs, given its raw steps so far in order.

    It is one more than usual where the first ones differ by more than `third_when` steps (UNLI,
    appendix B).
    """
    first = raws[:redundancy]
    differ = (
        third_when > 0 and len(first) == redundancy > 1 and max(first) - min(first) > third_when
    )
    return redundancy + int(differ) + extra


def page_of(candidates: Sequence[tuple[int, int]], size: int) -> list[int]:
    """Return at most `size` of the candidates, which are pairs with their bundles in order.

    The page has the first bundle, cut if needed, then later bundles that fit.
    """
    page: list[int] = []
    for _, group in groupby(candidates, key=lambda candidate: candidate[1]):
        pairs = [pair for pair, _ in group]
        if not page:
            page = pairs[:size]
        elif len(page) + len(pairs) <= size:
            page += pairs
    return page


def assign_bundles(items: Sequence[Item], together: str, seed: int) -> list[int]:
    """Return the bundle of each item, numbered in random order.

    Items that are shown together have the same number.
    """
    key_of: dict[str, Callable[[Item], str]] = {
        "premise": lambda item: item.premise,
        "group": lambda item: item.group or item.id,
        "nothing": lambda item: item.id,
    }
    keys = [key_of[together](item) for item in items]
    distinct = list(dict.fromkeys(keys))
    order = list(range(len(distinct)))
    random.Random(seed).shuffle(order)
    number = dict(zip(distinct, order, strict=True))
    return [number[key] for key in keys]


def draw(seed: int, person: int, turn: int) -> random.Random:
    """Return the random generator of one page of one person, fixed by the seed."""
    return random.Random(f"{seed}/{person}/{turn}")


def label_order(labels: Sequence[str], seed: int, person: int) -> list[str]:
    """Return the labels in the order this person sees them, the same on every page."""
    order = list(labels)
    draw(seed, person, -1).shuffle(order)
    return order


@dataclass(frozen=True)
class Statement:
    """Turn of a discussion: who claims which label, and why."""

    person: int
    label: str
    note: str = ""


def settle(
    statements: Sequence[Statement], people: Sequence[int], turns: int
) -> tuple[str | None, bool]:
    """Return the label two people agree on, if any, and whether their discussion is over."""
    latest = {statement.person: statement.label for statement in statements}
    labels = [latest.get(person) for person in people]
    if len(set(labels)) == 1 and labels[0] is not None:
        return labels[0], True
    spoken = [sum(statement.person == person for statement in statements) for person in people]
    return None, min(spoken, default=0) >= turns


def has_the_turn(statements: Sequence[Statement], person: int) -> bool:
    """Return whether the other person spoke last, or this one has not spoken yet."""
    own_statements = [s for s in statements if s.person == person]
    return not own_statements or statements[-1].person != person
