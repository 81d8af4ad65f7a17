"""Rules that turn the three NLI probabilities into one probability."""

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
    """Return a rule for the answer on UNIT: a mean of label values, weighted by probability.

    `entailment`: P(entailment). `halfway`: neutral counts one half. `surrogate`: UNLI's mean answer
    to each label.
    """
    if name not in VALUES:
        raise unknown("rule for a probability", name, VALUES)
    chosen = VALUES[name]
    # Rounded probabilities may add up to slightly more than 1.
    return lambda probs: min(
        1.0, max(0.0, sum(probs[label] * chosen[label] for label in NLI.labels))
    )


def unit_setting(default: str) -> str:
    """Return a settings field that names such a rule."""
    named: str = setting(default, choices=tuple(VALUES), noun="rule for a probability")
    return named
