"""Labels of pairs in which a conjunct is removed, added or replaced, by use of the conjunction.

Two sources differ and both are kept: logic, by which data are generated, and the heuristics of
ConjNLI, by which they are mined.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Literal, NamedTuple

from grice.core.words import read_rows
from grice.theory.worlds import C, N, compare_worlds

Operation = Literal["removed", "added", "replaced"]
Polarity = Literal["upward", "downward", "none"]


class ConjunctLabels(NamedTuple):
    """The label for each operation on one conjunct; `added` reverses the pair of `removed`."""

    removed: str
    added: str
    replaced: str

    def label_for(self, operation: Operation) -> str:
        """Return the label for one operation."""
        return str(getattr(self, operation))


_ROWS = read_rows(Path(__file__).parent / "words" / "conjuncts.tsv")
LOGIC, CONJNLI = (
    {use: ConjunctLabels(*labels) for name, use, *labels in _ROWS if name == source}
    for source in ("logic", "conjnli")
)
# `replaced_label` has the rule by kind, with which ConjNLI's annotators agree: of 123 dev pairs
# with a word replaced 57 are neutral, 50 contradictions, 16 entailed.
# What the new conjunct of a replaced one is to the old: its opposite or denial, another count of
# the same things, another date of the same event, or another of its kind.
Relation = Literal["opposite", "count", "date", "denial", "exception", "other"]


def replaced_label(relation: Relation, *, exclusive: bool = True) -> str:
    """Return the label of a replaced conjunct, by one rule for generated and mined pairs.

    By logic with exact numbers: "rich and old" rules "poor and old" out (opposites said of one
    thing), "three cats and a dog" rules "four cats and a dog" out; "Ana and Ben came" says nothing
    of "Ana and Carl came", which only an exhaustive reading (an implicature, Grice 1975) would
    deny. Two amounts of one measure, two dates of one birth and two lists of exceptions exclude
    each other too. `exclusive` is False where old and new can hold side by side: "old and rare
    books".
    """
    return C if relation != "other" and exclusive else N


# Two conjuncts under a connective, as a function of their truth.
_JOINED: Mapping[str, Callable[[bool, bool], bool]] = {
    "and": lambda a, b: a and b,
    "or": lambda a, b: a or b,
    "nor": lambda a, b: not (a or b),
    "but not": lambda a, b: a and not b,
}


@cache
def joined_label(connective: str, premise: str, hypothesis: str) -> str:
    """Return the label of two sentences made of the independent clauses a, b and c.

    A sentence is a conjunct ("a"), two of them under the connective ("a+b"), or the denial of one
    of these ("not a"); "not a+b" denies both.

    >>> [joined_label(word, "a+b", "a") for word in ("and", "or")]
    ['entailment', 'neutral']
    >>> joined_label("or", "not a+b", "b")
    'contradiction'
    """
    return compare_worlds(_true_in(connective, premise), _true_in(connective, hypothesis))


def _true_in(connective: str, sentence: str) -> frozenset[str]:
    """Return the situations in which a sentence is true, named by those of a, b, c that hold."""
    body = sentence.removeprefix("not ")
    head, _, tail = body.partition("+")
    holds = {
        world: (
            _JOINED["or" if sentence != body else connective](head in world, tail in world)
            if tail
            else head in world
        )
        for world in ("", "a", "b", "c", "ab", "ac", "bc", "abc")
    }
    return frozenset(world for world, true in holds.items() if true == (sentence == body))


def logical_labels(use: str, polarity: Polarity = "upward") -> ConjunctLabels:
    """Return the labels of a use of `LOGIC` in a context of this polarity.

    "None of" (downward) swaps the labels of "and" and "or"; under "exactly two" (none) both are
    neutral.
    """
    labels = LOGIC[use]
    if polarity == "upward":
        return labels
    turned = ConjunctLabels(labels.added, labels.removed, labels.replaced)
    return turned if polarity == "downward" else ConjunctLabels(N, N, labels.replaced)
