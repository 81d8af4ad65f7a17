"""What the context of an utterance does to its scalar implicature, by two theories."""

from __future__ import annotations

from collections.abc import Mapping

from grice.theory.worlds import compare_worlds

# A weaker sentence is enriched ("some and not all") where the stronger one matters and the speaker would know.
# On the contextual theory both count: what was asked (van Kuppevelt 1996), and what the speaker knows (Bergen and
# Grodner 2012). On the default theory (Levinson 2000) the question does not; only ignorance keeps a listener from it.
ENRICHED: Mapping[str, frozenset[str]] = {
    "logical": frozenset(),
    "pragmatic": frozenset(("none", "upper question", "full knowledge", "high stakes")),
    "default": frozenset(("none", "upper question", "lower question", "full knowledge", "high stakes")),
}
_HYPOTHESES = {"S": frozenset(("strong",)), "not S": frozenset(("none", "weak"))}


def context_labels(context: str, hypothesis: str, *, cancelled: bool = False) -> Mapping[str, str]:
    """The label of "S" or "not S" after the weaker sentence in a context, under each reading.

    `cancelled` adds "in fact, S" to the premise.

    >>> context_labels("lower question", "not S")
    {'logical': 'neutral', 'pragmatic': 'neutral', 'default': 'entailment'}
    """
    found = {}
    for reading, contexts in ENRICHED.items():
        weak = {"strong"} if cancelled else {"weak"} if context in contexts else {"weak", "strong"}
        found[reading] = compare_worlds(weak, _HYPOTHESES[hypothesis])
    return found
