"""UNLI's slider (Chen et al. 2020): 10,000 steps for probabilities, finest near 0 and 1."""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import MappingProxyType

from grice.core.errors import InputError

STEPS = 10_000
START = 5_000
# The constants of the released page: logistic slopes per raw step, below and above the middle.
# Whether the released answers were given with exactly these cannot be shown from the paper.
LOW_SLOPE = 0.003
HIGH_SLOPE = 0.0002
# The mean score of each SNLI label over the u-SNLI training pairs (their footnote 13).
SURROGATES: Mapping[str, float] = MappingProxyType(
    {"entailment": 0.9272, "neutral": 0.4250, "contradiction": 0.0209}
)


def probability(raw: float) -> float:
    """Return the probability of a raw step.

    The function is a logistic with one slope on each half, stretched to pass through 0, ½ and 1.
    """
    if not 0 <= raw <= STEPS:
        raise InputError(f"the slider has the steps 0 to {STEPS}, not {raw:g}; give one of them")
    from_middle = raw - START
    if from_middle <= 0:
        lowest = _logistic(-LOW_SLOPE * START)
        return 0.5 * (_logistic(LOW_SLOPE * from_middle) - lowest) / (0.5 - lowest)
    highest = _logistic(HIGH_SLOPE * START)
    return 0.5 + 0.5 * (_logistic(HIGH_SLOPE * from_middle) - 0.5) / (highest - 0.5)


def step(wanted: float) -> float:
    """Return the slider's position for a probability, possibly between two steps.

    It is the inverse of `probability`.
    """
    if not 0 <= wanted <= 1:
        raise InputError(
            f"a probability lies between 0 and 1, not at {wanted:g}; give another value"
        )
    if wanted <= 0.5:
        lowest = _logistic(-LOW_SLOPE * START)
        position = START + _logit(lowest + 2 * wanted * (0.5 - lowest)) / LOW_SLOPE
    else:
        highest = _logistic(HIGH_SLOPE * START)
        position = START + _logit(0.5 + (2 * wanted - 1) * (highest - 0.5)) / HIGH_SLOPE
    # Rounding may pass an end by a millionth of a step.
    return min(max(position, 0.0), float(STEPS))


def printed_probability(raw: float, slope: float = HIGH_SLOPE) -> float:
    """Return the probability by the printed formula σ(β(x − 5000)).

    Without the stretch of `probability` it never reaches 0 or 1.
    """
    return _logistic(slope * (raw - START))


def _logistic(x: float) -> float:
    return 1 / (1 + math.exp(-x))


def _logit(share: float) -> float:
    return math.log(share / (1 - share))
