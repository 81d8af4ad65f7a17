"""Labels of presuppositions under operators, and of inferences that are denied or affirmed."""

from __future__ import annotations

from grice.theory.worlds import C, E, N

# The hypotheses about a presupposition: that it holds, that it fails, and something like it that
# was not presupposed.
POLARITIES = ("positive", "negated", "neutral")
# Operators that keep a presupposition to themselves (Karttunen 1973): reports of speech and thought
# are plugs, and what the first part of a sentence supposes is filtered. All others are holes: it
# passes through.
PLUGS = frozenset(("plug",))
FILTERS = frozenset(("filtered conditional", "filtered disjunction", "filtered possibility"))
_STANDING = {"positive": E, "negated": C, "neutral": N}
_DENIAL = {
    ("implicature", "denied"): N,
    ("implicature", "affirmed"): N,
    ("implicature", "taken back"): C,
    ("none", "unrelated"): N,
}


def projected_label(operator: str, polarity: str, *, stands: bool = True) -> str:
    """Return the label of a hypothesis about a presupposition whose trigger is under an operator.

    `stands=False` is a theory on which the trigger presupposes nothing of the kind.

    >>> projected_label("negated", "positive"), projected_label("plug", "positive")
    ('entailment', 'neutral')
    """
    return _STANDING[polarity] if stands and operator not in PLUGS | FILTERS else N


def denial_label(inference: str, move: str) -> str:
    """Return the label of a continuation that denies or affirms an inference, by literal meaning.

    An implicature is not part of what was said: to deny it is no contradiction, and to affirm it
    adds to what was said. Entailments and presuppositions cannot be taken back.

    >>> denial_label("implicature", "denied"), denial_label("presupposition", "denied")
    ('neutral', 'contradiction')
    """
    return _DENIAL.get((inference, move)) or (C if move == "denied" else E)
