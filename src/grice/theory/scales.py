"""The meanings of scale-mates and their negations by theory, and the labels that follow.

Each sentence is the set of situations in which it is true on a theory; a label follows from two of
these sets, and from nothing else. The situations of most scales are `none` (not even the weaker
word applies), `weak` (it does, the stronger does not) and `strong`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from grice.core.words import read_rows
from grice.theory.worlds import compare_worlds

WORDS = Path(__file__).parent / "words" / "scale_traits.tsv"


class Denotations(NamedTuple):
    """The situations of the four sentences of a scale, separated by spaces.

    `said_not_strong` are those of the denied stronger word where, asserted, it suggests more than
    it says when it is asked about.
    """

    weak: str
    strong: str
    not_weak: str
    not_strong: str
    said_not_strong: str = ""


# The weaker word is compatible with the stronger.
_LOGICAL = Denotations("weak strong", "strong", "none", "none weak")
# The weaker word is enriched by "not the stronger", the denial of the stronger by "but the weaker".
_BOTH_WAYS = Denotations("weak", "strong", "none", "weak")
# The denial of the stronger word suggests nothing about the weaker: "not all" does not suggest
# "most".
_ONE_WAY = Denotations("weak", "strong", "none", "none weak")
# Numerals as exact numbers, of which there are more than two; "not two" is any other number.
_EXACT = Denotations("two", "three", "fewer three more", "fewer two more")
# "Finish" takes the start for granted, also when it is denied.
_STARTED = Denotations("weak strong", "strong", "none", "weak")
# Who is said not to know something is taken to be unaware of it; but one who believes it does not
# know it either.
_UNAWARE = Denotations("weak", "strong", "none", "none weak", "none")
# "Know" takes its complement for granted, also when it is denied; not to know what is so is to be
# unaware of it.
_FACTIVE = Denotations(
    "so,believed false,believed", "so,believed", "so,unaware false,unaware", "so,unaware"
)

# The theories of each kind of scale by the reading that stands for them. Under negation a numeral
# keeps its meaning: "not two" is "fewer than two" on the logical and the pragmatic reading, "not
# exactly two" on the exact one.
SCALES: Mapping[str, Mapping[str, Denotations]] = {
    "both ways": {"logical": _LOGICAL, "pragmatic": _BOTH_WAYS},
    "one way": {"logical": _LOGICAL, "pragmatic": _ONE_WAY},
    "numeral": {"logical": _LOGICAL, "pragmatic": _ONE_WAY, "exact": _EXACT},
    "stage": {"logical": _LOGICAL, "pragmatic": _BOTH_WAYS, "presuppositional": _STARTED},
    "knowledge": {"logical": _LOGICAL, "pragmatic": _UNAWARE, "presuppositional": _FACTIVE},
}


@cache
def scale_labels(kind: str, premise: str, hypothesis: str) -> Mapping[str, str]:
    """Return the label of two of the four sentences of a scale, under each reading of its kind.

    >>> scale_labels("both ways", "strong", "weak")
    {'logical': 'entailment', 'pragmatic': 'contradiction'}
    """
    return {
        reading: compare_worlds(
            _worlds(getattr(worlds, f"said_{premise}", "") or getattr(worlds, premise)),
            _worlds(getattr(worlds, hypothesis)),
        )
        for reading, worlds in SCALES[kind].items()
    }


@cache
def scale_traits(scale: str) -> Mapping[str, str]:
    """Return the traits of a scale by its name "weaker - stronger"; empty if it is not listed.

    The traits are class, bounded, polarity, distance and denied.

    >>> scale_traits("some - all")["bounded"], scale_traits("big - huge")["bounded"]
    ('bounded', 'unbounded')
    """
    header, *rows = read_rows(WORDS)
    traits_by_scale = {row[0]: dict(zip(header[1:], row[1:], strict=True)) for row in rows}
    return traits_by_scale.get(scale, {})


def scale_kind(scale: str) -> str:
    """Return the kind of a scale of words: "both ways" or "one way".

    It is "both ways" if denying the stronger word suggests the weaker.

    >>> scale_kind("difficult - impossible"), scale_kind("small - tiny")
    ('both ways', 'one way')
    """
    return "both ways" if scale_traits(scale)["denied"] == "weaker" else "one way"


def _worlds(names: str) -> frozenset[str]:
    return frozenset(names.split())
