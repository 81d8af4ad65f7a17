"""How likely a mined pair is right in every respect, calibrated on pairs that were read.

A logistic regression on the features of the pairs that were read (the rules that fired, how sure the parser is), with a penalty
on its weights, so that few readings move it little.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

import numpy as np

from grice.core.words import read_rows
from grice.mining._words import WORDS
from grice.mining.pairs import MinedPair

# The penalty on the squared weights of features; what all pairs of a kind share has a hundredth of it.
PENALTY = 1.0
# Lower bounds of the parser's certainty; a pair is in the highest that it reaches.
SURE = (0.0, 0.6, 0.9, 0.98)


def features(pair: MinedPair) -> list[str]:
    """The features that readings are kept by."""
    return [*pair.rules, f"sure {max(low for low in SURE if pair.sure >= low):g}"]


@cache
def _weights(kind: str) -> dict[str, float]:
    """The weight of each feature, "" that of the kind itself; empty for a kind of which none was read."""
    rows = [(found == "1", names.split("; ")) for own, found, names in read_rows(WORDS / "reviewed.tsv") if own == kind]
    names = ["", *dict.fromkeys(name for _, found in rows for name in found)]
    place = {name: i for i, name in enumerate(names)}
    made = np.zeros((len(rows), len(names)))
    made[:, 0] = 1.0
    for row, (_, found) in enumerate(rows):
        made[row, [place[name] for name in found]] = 1.0
    right = np.array([float(found) for found, _ in rows])
    penalty = np.full(len(names), PENALTY)
    penalty[0] /= 100
    weights = np.zeros(len(names))
    for _ in range(25 if rows else 0):
        share = 1 / (1 + np.exp(-made @ weights))
        slope = made.T @ (right - share) - penalty * weights
        curve = (made * (share * (1 - share))[:, None]).T @ made + np.diag(penalty)
        weights += np.linalg.solve(curve, slope)
    return dict(zip(names, weights.tolist(), strict=True)) if rows else {}


def confidence(kind: str, pair: MinedPair) -> float:
    """The probability that both sentences, the change and the label are right; 0.5 for a kind of which none was read."""
    weights = _weights(kind)
    total = sum(weights.get(name, 0.0) for name in ("", *features(pair)))
    return float(1 / (1 + np.exp(-total)))


def reading_rows(kind: str, read: Iterable[tuple[MinedPair, bool]]) -> list[str]:
    """The lines of `reviewed.tsv` for pairs that were read, each with whether it was right."""
    return [f"{kind}\t{int(right)}\t{'; '.join(features(pair))}" for pair, right in read]
