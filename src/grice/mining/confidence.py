"""How likely a mined pair is right in every respect, calibrated on pairs that were read.

A logistic regression on the features of the pairs that were read (the rules that fired, how sure the parser is), with a penalty
on its weights, so that few readings move it little.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from grice.core.errors import bad_line
from grice.core.files import read_text
from grice.mining._words import WORDS
from grice.mining.pairs import MinedPair, sure_band

# The penalty on the squared weights of features; what all pairs of a kind share has a hundredth of it.
PENALTY = 8.0
REVIEWED = WORDS / "reviewed.tsv"


@dataclass(frozen=True)
class ReviewedPair:
    """A pair that was read: of which kind, whether it was right in every respect, and its features."""

    kind: str
    right: bool
    features: tuple[str, ...]

    def to_line(self) -> str:
        """The line of a file of readings."""
        return f"{self.kind}\t{int(self.right)}\t{'; '.join(self.features)}"


def features(pair: MinedPair) -> tuple[str, ...]:
    """The features that readings are kept by."""
    return (*pair.rules, sure_band("sure", pair.sure))


def read_readings(path: Path) -> list[ReviewedPair]:
    """The readings of a file such as `reviewed.tsv`: kind, 1 or 0, and features parted by semicolons."""
    found = []
    for number, line in enumerate(read_text(path).splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        fields = line.split("\t")
        if len(fields) != 3 or fields[1] not in ("0", "1"):
            raise bad_line(path, number, "no reading", "write one with grice mine review: kind, 1 or 0, features")
        found.append(ReviewedPair(fields[0], fields[1] == "1", tuple(fields[2].split("; "))))
    return found


def fit_weights(readings: Sequence[ReviewedPair]) -> dict[str, float]:
    """The weight of each feature, "" that of the kind itself; empty where nothing was read."""
    names = ["", *dict.fromkeys(name for reading in readings for name in reading.features)]
    place = {name: i for i, name in enumerate(names)}
    made = np.zeros((len(readings), len(names)))
    made[:, 0] = 1.0
    for row, reading in enumerate(readings):
        made[row, [place[name] for name in reading.features]] = 1.0
    right = np.array([float(reading.right) for reading in readings])
    penalty = np.full(len(names), PENALTY)
    penalty[0] /= 100
    weights = np.zeros(len(names))
    for _ in range(25 if readings else 0):
        share = 1 / (1 + np.exp(-made @ weights))
        slope = made.T @ (right - share) - penalty * weights
        curve = (made * (share * (1 - share))[:, None]).T @ made + np.diag(penalty)
        step = np.linalg.solve(curve, slope)
        weights += step
        if np.abs(step).max() < 1e-9:
            break
    return dict(zip(names, weights.tolist(), strict=True)) if readings else {}


@cache
def weights_of(kind: str, path: Path = REVIEWED) -> dict[str, float]:
    """The weights by the readings of a kind in a file, those that ship unless told."""
    return fit_weights([reading for reading in read_readings(path) if reading.kind == kind])


def likelihood(weights: Mapping[str, float], names: Iterable[str]) -> float:
    """The probability of being right by the features' names; 0.5 where there are no weights."""
    return float(1 / (1 + np.exp(-sum(weights.get(name, 0.0) for name in ("", *names)))))


def confidence(kind: str, pair: MinedPair, weights: Mapping[str, float] | None = None) -> float:
    """The probability that both sentences, the change and the label are right; 0.5 for a kind of which none was read."""
    return likelihood(weights_of(kind) if weights is None else weights, features(pair))
