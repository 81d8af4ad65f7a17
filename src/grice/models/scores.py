"""Conversion of a model's raw scores to probabilities."""

from __future__ import annotations

import numpy as np

from grice.models.batching import Array

# Fault of an item whose scores are not finite.
NOT_A_NUMBER = "not a number: the model's scores are nan or infinite"


def softmax(scores: Array) -> Array:
    """Return the softmax of each row, in double precision."""
    shifted = np.exp(scores.astype(np.float64) - scores.max(axis=1, keepdims=True))
    probabilities: Array = shifted / shifted.sum(axis=1, keepdims=True)
    return probabilities


# Powers of ten that a double represents exactly.
TENS = np.array([float(f"1e{power}") for power in range(23)])


def shorts(values: Array) -> Array:
    """Return `short` of every value at once, to the same bit.

    Six digits are an integer over a power of ten; both are exact, so their quotient is the double
    nearest to the decimal. Values near the midpoint of two such numbers, or that need a larger
    power, are rounded one by one.
    """
    doubles = values.astype(np.float64)
    with np.errstate(all="ignore"):
        power = 5 - np.floor(np.log10(np.abs(doubles)))
        fits = (power >= 0) & (power <= 22)
        ten = TENS[np.where(fits, power, 0).astype(np.int64)]
        scaled = doubles * ten
        digits = np.rint(scaled)
        sure = fits & (np.abs(np.abs(scaled - digits) - 0.5) > 1e-6)
        rounded: Array = digits / ten
    slow = ~sure & (doubles != 0)
    rounded[slow] = [short(value) for value in doubles[slow].tolist()]
    return rounded


def short(value: float) -> float:
    """Round to six digits: the precision of single floats, at half the size in a file."""
    return float(f"{value:.6g}")
