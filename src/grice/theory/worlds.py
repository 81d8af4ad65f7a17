"""Entailment as inclusion of sets: a sentence is the set of situations in which it is true."""

from __future__ import annotations

from collections.abc import Set

E, N, C = "entailment", "neutral", "contradiction"


def compare_worlds(premise: Set[str], hypothesis: Set[str]) -> str:
    """Return the label of two sentences, each given by the situations in which it is true.

    >>> compare_worlds({"all"}, {"some", "all"}), compare_worlds({"some", "all"}, {"all"})
    ('entailment', 'neutral')
    >>> compare_worlds({"none"}, {"all"})
    'contradiction'
    """
    if not premise & hypothesis:
        return C
    return E if premise <= hypothesis else N
