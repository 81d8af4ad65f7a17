"""Estimate how likely a mined pair is right, by weights of its features fitted on readings."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from grice.core.words import read_rows
from grice.mining.pairs import MinedPair, sure_band

# `python -m tools.confidence` writes it from the readings in tools/readings.tsv.
WEIGHTS = Path(__file__).parent / "weights.tsv"


def features(pair: MinedPair) -> tuple[str, ...]:
    """Return the names of the features that confidence depends on."""
    return (*pair.rules, sure_band("sure", pair.sure))


@cache
def shipped_weights(kind: str) -> Mapping[str, float]:
    """Return the shipped weights of a kind's features ("": the intercept); empty if unknown."""
    return {
        feature: float(weight) for name, feature, weight, _ in read_rows(WEIGHTS) if name == kind
    }


def likelihood(weights: Mapping[str, float], names: Iterable[str]) -> float:
    """Return the probability that a pair with these features is right; 0.5 without weights."""
    return 1 / (1 + math.exp(-sum(weights.get(name, 0.0) for name in ("", *names))))


def confidence(kind: str, pair: MinedPair, weights: Mapping[str, float] | None = None) -> float:
    """Return the probability that both sentences, the change and the label are right.

    Args:
        weights: Weights by a reader's own readings; the shipped ones if None.
    """
    return likelihood(shipped_weights(kind) if weights is None else weights, features(pair))
