"""Fit the weights of confidence: a penalised logistic regression on pairs that people read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from grice.core.errors import InputError, bad_line
from grice.core.files import read_text, write_atomically
from grice.core.words import read_rows
from grice.mining.confidence import WEIGHTS, shipped_weights
from grice.models.batching import Array

# The penalty on squared weights; the intercept, which all pairs of a kind share, has a hundredth.
PENALTY, INTERCEPT_PENALTY = 8.0, 0.08
MAX_STEPS, TOLERANCE = 25, 1e-9
HEADER = "# Mined pairs that people read: kind, 1 if right in every respect or else 0, features"
# The row of a file of readings that says that they update the shipped weights.
PRIOR = ("prior", "shipped")


@dataclass(frozen=True)
class ReviewedPair:
    """A pair that was read: its kind, whether it is right in every respect, and its features."""

    kind: str
    right: bool
    features: tuple[str, ...]

    def to_line(self) -> str:
        """Return the line of a file of readings."""
        return f"{self.kind}\t{int(self.right)}\t{'; '.join(self.features)}"


@dataclass(frozen=True)
class Readings:
    """The readings of a file, and whether they update the shipped weights or stand alone."""

    pairs: Sequence[ReviewedPair]
    updates_shipped: bool = False

    def write(self, path: Path) -> None:
        """Write the file that `read_readings` reads."""
        rows = [HEADER, *(["\t".join(PRIOR)] if self.updates_shipped else [])]
        rows += [pair.to_line() for pair in self.pairs]
        with write_atomically(path) as file:
            file.writelines(f"{row}\n" for row in rows)


def read_readings(path: Path) -> Readings:
    """Read a file of readings: kind, 1 or 0, and features separated by semicolons."""
    pairs, updates_shipped = [], False
    for number, line in enumerate(read_text(path).splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        fields = tuple(line.split("\t"))
        if fields == PRIOR:
            updates_shipped = True
            continue
        if len(fields) != 3 or fields[1] not in ("0", "1"):
            hint = "write one with grice mine review: kind, 1 or 0, features"
            raise bad_line(path, number, "no reading", hint)
        pairs.append(ReviewedPair(fields[0], fields[1] == "1", tuple(fields[2].split("; "))))
    return Readings(pairs, updates_shipped)


@dataclass(frozen=True)
class Fit:
    """A fitted regression.

    Attributes:
        weights: Feature to weight; "" is the intercept.
        curvature: Negative second derivatives of the log-likelihood at the weights, without the
            penalty; rows and columns in the order of the weights.
    """

    weights: dict[str, float]
    curvature: Array


NO_FIT = Fit({}, np.zeros((0, 0)))


def fit(readings: Sequence[ReviewedPair], prior: Fit = NO_FIT) -> Fit:
    """Fit by Newton's method.

    Args:
        prior: A fit on other readings, which it stands for by Laplace's approximation.
    """
    if not readings:
        return prior
    names = list(dict.fromkeys(["", *prior.weights, *_feature_names(readings)]))
    column = {name: i for i, name in enumerate(names)}
    design = np.zeros((len(readings), len(names)))
    design[:, 0] = 1.0
    for row, reading in enumerate(readings):
        design[row, [column[name] for name in reading.features]] = 1.0
    is_right = np.array([float(reading.right) for reading in readings])
    precision = np.diag([INTERCEPT_PENALTY, *[PENALTY] * (len(names) - 1)])
    n_prior = len(prior.weights)
    precision[:n_prior, :n_prior] += prior.curvature
    start = np.array([prior.weights.get(name, 0.0) for name in names])
    weights, curvature = start.copy(), precision
    for _ in range(MAX_STEPS):
        share = 1 / (1 + np.exp(-design @ weights))
        gradient = design.T @ (is_right - share) - precision @ (weights - start)
        curvature = (design * (share * (1 - share))[:, None]).T @ design
        step = np.linalg.solve(curvature + precision, gradient)
        weights += step
        if np.abs(step).max() < TOLERANCE:
            break
    return Fit(dict(zip(names, weights.tolist(), strict=True)), curvature)


def _feature_names(readings: Iterable[ReviewedPair]) -> list[str]:
    return list(dict.fromkeys(name for reading in readings for name in reading.features))


def shipped_fit(kind: str) -> Fit:
    """Return the shipped weights of a kind with their curvature."""
    weights = dict(shipped_weights(kind))
    curvature = np.zeros((len(weights), len(weights)))
    rows = (row[3] for row in read_rows(WEIGHTS) if row[0] == kind)
    for i, entries in enumerate(rows):
        for entry in entries.split():
            j, value = entry.split(":")
            curvature[i, int(j)] = curvature[int(j), i] = float(value)
    return Fit(weights, curvature)


def weight_rows(kind: str, fitted: Fit) -> list[str]:
    """Return the lines of `weights.tsv` for a kind; curvature is rounded to a tenth."""
    rows = []
    for i, (name, weight) in enumerate(fitted.weights.items()):
        values = np.round(fitted.curvature[i, : i + 1], 1).tolist()
        entries = " ".join(f"{j}:{value:g}" for j, value in enumerate(values) if value)
        rows.append(f"{kind}\t{name}\t{weight!r}\t{entries}")
    return rows


def weights_of(kind: str, path: Path) -> dict[str, float]:
    """Fit the weights of a kind on a file of readings.

    Raises:
        InputError: The file has no reading of this kind.
    """
    readings = read_readings(path)
    pairs = [pair for pair in readings.pairs if pair.kind == kind]
    if not pairs:
        raise InputError(f"{path}: has no reading of {kind}; make one with grice mine review")
    return fit(pairs, shipped_fit(kind) if readings.updates_shipped else NO_FIT).weights
