"""From a model's raw scores to probabilities."""

from __future__ import annotations

import numpy as np

from grice.judges._batching import Array


def softmax(scores: Array) -> Array:
    """Row by row, in double precision."""
    shifted = np.exp(scores.astype(np.float64) - scores.max(axis=1, keepdims=True))
    found: Array = shifted / shifted.sum(axis=1, keepdims=True)
    return found


def short(value: float) -> float:
    """Six digits: what single precision is good for, and half the size in a file."""
    return float(f"{value:.6g}")
