"""A probability out of the three NLI probabilities, by a named rule."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from grice.core.errors import unknown
from grice.core.scale import NLI
from grice.core.settings import setting
from grice.theory.slider import SURROGATES

Rule = Callable[[Mapping[str, float]], float]

HALFWAY = {"entailment": 1.0, "neutral": 0.5, "contradiction": 0.0}
ENTAILED = {"entailment": 1.0, "neutral": 0.0, "contradiction": 0.0}
VALUES = {"entailment": ENTAILED, "halfway": HALFWAY, "surrogate": SURROGATES}


def rule(name: str) -> Rule:
    """The answer on UNIT as the mean of a value for each label, weighted by its probability.

    `entailment`: P(entailment). `halfway`: neutral counts one half. `surrogate`: UNLI's mean answer
    to each label.
    """
    if name not in VALUES:
        raise unknown("rule for a probability", name, VALUES)
    chosen = VALUES[name]
    # Rounding may leave a sum of probabilities a bit above one.
    return lambda probs: min(
        1.0, max(0.0, sum(probs[label] * chosen[label] for label in NLI.labels))
    )


def unit_setting(default: str) -> str:
    """A field of settings that names such a rule."""
    named: str = setting(default, choices=tuple(VALUES), noun="rule for a probability")
    return named
