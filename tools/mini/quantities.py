"""Pairs about numbers and quantifiers, labelled by the sets of amounts that make each true.

A pair is made only where its label is the same by the logical and by the pragmatic reading of both
texts ("some": at least one; or: at least one and not all), so that no scalar implicature is taught.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

from tools.mini.clauses import Clause
from tools.mini.operators import finish

NUMBERS = {
    **dict(
        zip(
            ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"],
            range(2, 11),
            strict=True,
        )
    ),
    "eleven": 11,
    "twelve": 12,
    "fifteen": 15,
    "twenty": 20,
    "thirty": 30,
    "fifty": 50,
}
MOST = 10**6
# An amount of the partitives is a share in twentieths.
WHOLE, HALF = 20, 10
Range = tuple[int, int]


@dataclass(frozen=True)
class Amount:
    """Words for an amount, with the range of amounts that each reading allows."""

    words: str
    logical: Range
    pragmatic: Range


SHARES = (
    Amount("all of the", (WHOLE, WHOLE), (WHOLE, WHOLE)),
    Amount("none of the", (0, 0), (0, 0)),
    Amount("not one of the", (0, 0), (0, 0)),
    Amount("some of the", (1, WHOLE), (1, WHOLE - 1)),
    Amount("not all of the", (0, WHOLE - 1), (1, WHOLE - 1)),
    Amount("most of the", (HALF + 1, WHOLE), (HALF + 1, WHOLE - 1)),
    Amount("more than half of the", (HALF + 1, WHOLE), (HALF + 1, WHOLE - 1)),
    Amount("fewer than half of the", (0, HALF - 1), (1, HALF - 1)),
    Amount("at least half of the", (HALF, WHOLE), (HALF, WHOLE)),
    Amount("at most half of the", (0, HALF), (0, HALF)),
    Amount("exactly half of the", (HALF, HALF), (HALF, HALF)),
    Amount("a third of the", (WHOLE // 3, WHOLE), (WHOLE // 3, WHOLE // 3)),
)
_NUMBERED: tuple[tuple[str, Callable[[int], Range], Callable[[int], Range]], ...] = (
    ("{}", lambda n: (n, MOST), lambda n: (n, n)),
    ("exactly {}", lambda n: (n, n), lambda n: (n, n)),
    ("at least {}", lambda n: (n, MOST), lambda n: (n, MOST)),
    ("at most {}", lambda n: (0, n), lambda n: (0, n)),
    ("more than {}", lambda n: (n + 1, MOST), lambda n: (n + 1, MOST)),
    ("fewer than {}", lambda n: (0, n - 1), lambda n: (0, n - 1)),
    ("no fewer than {}", lambda n: (n, MOST), lambda n: (n, MOST)),
    ("no more than {}", lambda n: (0, n), lambda n: (0, n)),
)
NOTHING = Amount("no", (0, 0), (0, 0))


def label_of(first: Amount, second: Amount) -> str | None:
    """Return the label of a pair of amounts, or None where the readings differ."""
    logical = _relation(first.logical, second.logical)
    return logical if logical == _relation(first.pragmatic, second.pragmatic) else None


def draw_amounts(draw: random.Random) -> tuple[Amount, Amount, str]:
    """Return two amounts and the label of the first to the second."""
    while True:
        if draw.random() < 0.5:
            first, second = draw.sample(SHARES, 2)
        else:
            first, second = _number(draw), _number(draw)
        label = label_of(first, second)
        # Two ranges drawn at random are often disjoint.
        if label and first != second and (label != "contradiction" or draw.random() < 0.6):
            return first, second, label


def amount_pair(clause: Clause, draw: random.Random) -> tuple[str, str, str]:
    """Return a premise, hypothesis and label about amounts of what the clause counts."""
    first, second, label = draw_amounts(draw)
    tail = " ".join(part for part in (clause.counted, clause.finite, clause.rest) if part)
    return finish(f"{first.words} {tail}"), finish(f"{second.words} {tail}"), label


def _number(draw: random.Random) -> Amount:
    if draw.random() < 0.12:
        return NOTHING
    word, n = draw.choice(list(NUMBERS.items()))
    form, logical, pragmatic = draw.choice(_NUMBERED)
    return Amount(form.format(word), logical(n), pragmatic(n))


def _relation(first: Range, second: Range) -> str:
    if second[0] <= first[0] and first[1] <= second[1]:
        return "entailment"
    is_disjoint = first[1] < second[0] or second[1] < first[0]
    return "contradiction" if is_disjoint else "neutral"
