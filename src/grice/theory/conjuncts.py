"""What follows when a conjunct is removed, added or replaced: the label of the pair, by the use of the conjunction.

Two sources differ and both are kept: logic, by which data are generated, and the heuristics of ConjNLI, by which they are mined.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

Operation = Literal["removed", "added", "replaced"]
Polarity = Literal["upward", "downward", "none"]
E, N, C = "entailment", "neutral", "contradiction"


class ConjunctLabels(NamedTuple):
    """The label for each operation on one conjunct; `added` is the pair of `removed` turned round."""

    removed: str
    added: str
    replaced: str

    def label_for(self, operation: Operation) -> str:
        """The label for one operation."""
        return {"removed": self.removed, "added": self.added, "replaced": self.replaced}[operation]


# By logic, of conjuncts none of which follows from another or rules it out; numbers are exact.
LOGIC = {
    "and": ConjunctLabels(E, N, N),
    "or": ConjunctLabels(N, E, N),
    "entity": ConjunctLabels(N, N, N),
    "exclusive": ConjunctLabels(N, E, N),
    "equivalence": ConjunctLabels(E, E, C),
    "measure": ConjunctLabels(C, C, C),
    "exception": ConjunctLabels(C, C, C),
}
# The rules of ConjNLI (§5, A.2), which take every replaced conjunct for a contradiction. "boolean" is their plain rule.
CONJNLI = {
    "boolean": ConjunctLabels(E, N, C),
    "name": ConjunctLabels(N, N, C),
    "collective": ConjunctLabels(C, C, C),
    "measure": ConjunctLabels(C, C, C),
    "exception": ConjunctLabels(C, C, C),
    "range": ConjunctLabels(N, N, C),
    "exclusive": ConjunctLabels(N, N, C),
    "counted": ConjunctLabels(N, N, C),
    "equivalent": ConjunctLabels(E, N, C),
    "free choice": ConjunctLabels(E, N, C),
    "denied": ConjunctLabels(E, N, C),
    "neither": ConjunctLabels(C, C, C),
}


def logical_labels(use: str, polarity: Polarity = "upward") -> ConjunctLabels:
    """The labels of a use of `LOGIC` in a context: "none of" (downward) turns "and" and "or" round, "exactly two" (none) frees both."""
    labels = LOGIC[use]
    if polarity == "upward":
        return labels
    turned = ConjunctLabels(labels.added, labels.removed, labels.replaced)
    return turned if polarity == "downward" else ConjunctLabels(N, N, labels.replaced)
