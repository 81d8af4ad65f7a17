"""Labels of presuppositions under operators."""

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


def projected_label(operator: str, polarity: str, *, stands: bool = True) -> str:
    """Return the label of a hypothesis about a presupposition whose trigger is under an operator.

    `stands=False` is a theory on which the trigger presupposes nothing of the kind.

    >>> projected_label("negated", "positive"), projected_label("plug", "positive")
    ('entailment', 'neutral')
    """
    return _STANDING[polarity] if stands and operator not in PLUGS | FILTERS else N
