"""Effects of an utterance's context on its scalar implicature, by two theories."""

from __future__ import annotations

from collections.abc import Mapping

from grice.theory.worlds import compare_worlds

# A weaker sentence is enriched ("some and not all") where the stronger one matters and the speaker
# would know. On the contextual theory both count: what was asked (van Kuppevelt 1996), and what the
# speaker knows (Bergen and Grodner 2012). On the default theory (Levinson 2000) the question does
# not; only ignorance keeps a listener from it.
ENRICHED: Mapping[str, frozenset[str]] = {
    "logical": frozenset(),
    "pragmatic": frozenset(("none", "upper question", "full knowledge", "high stakes")),
    "default": frozenset(
        ("none", "upper question", "lower question", "full knowledge", "high stakes")
    ),
}
_HYPOTHESES = {"S": frozenset(("strong",)), "not S": frozenset(("none", "weak"))}


def context_labels(context: str, hypothesis: str, *, cancelled: bool = False) -> Mapping[str, str]:
    """Return the labels of "S" or "not S" after the weaker sentence in a context, by reading.

    `cancelled` adds "in fact, S" to the premise.

    >>> context_labels("lower question", "not S")
    {'logical': 'neutral', 'pragmatic': 'neutral', 'default': 'entailment'}
    """
    labels = {}
    for reading, contexts in ENRICHED.items():
        weak = {"strong"} if cancelled else {"weak"} if context in contexts else {"weak", "strong"}
        labels[reading] = compare_worlds(weak, _HYPOTHESES[hypothesis])
    return labels


# An answer whose trigger takes something for granted: said, denied, made to depend on it, not
# known, or rejected because it fails. Where nothing is taken for granted (Boër and Lycan 1976),
# "she has not stopped" leaves open whether she began.
STANDING: Mapping[str, frozenset[str]] = {
    "logical": frozenset(("asserted",)),
    "pragmatic": frozenset(("asserted", "denied")),
    "default": frozenset(("asserted", "denied")),
}
_BEFORE = {"positive": frozenset(("before",)), "negated": frozenset(("never",))}


def answer_labels(answer: str, polarity: str) -> Mapping[str, str]:
    """Return the labels of a presupposition or its negation after an answer with its trigger.

    >>> answer_labels("denied", "positive")
    {'logical': 'neutral', 'pragmatic': 'entailment', 'default': 'entailment'}
    """
    labels = {}
    for reading, answers in STANDING.items():
        left = {"never"} if answer == "rejected" else {"before", "never"}
        left = {"before"} if answer in answers else left
        labels[reading] = compare_worlds(left, _BEFORE[polarity])
    return labels
