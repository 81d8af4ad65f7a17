"""Softmax regression with an L2 penalty: sentence-vector heads and surface classifiers."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from grice.models.batching import Array

STEPS = 300
# Memory of L-BFGS in steps, and the relative decrease of the loss at which it stops.
MEMORY, ENOUGH = 10, 1e-9


class Matrix(Protocol):
    """Feature matrix: the operations needed for fitting."""

    @property
    def shape(self) -> tuple[int, ...]:
        """Number of rows and columns."""
        ...

    def __matmul__(self, weights: Array) -> Array:
        """Return a row of scores for each row of features."""
        ...

    @property
    def T(self) -> Matrix:  # noqa: N802
        """Transpose."""
        ...


@dataclass(frozen=True)
class OneHot:
    """Binary feature matrix: each row has a few of `width` features.

    >>> (OneHot.from_rows([[0, 2], [1]], 3) @ np.array([[1.0], [10.0], [100.0]])).tolist()
    [[101.0], [10.0]]
    """

    rows: Array
    columns: Array
    shape: tuple[int, int]

    @staticmethod
    def from_rows(features: Sequence[Sequence[int]], width: int) -> OneHot:
        """Build the matrix from the indices of each row's features."""
        rows = np.repeat(np.arange(len(features)), [len(row) for row in features])
        columns = np.array([index for row in features for index in row], dtype=np.int64)
        return OneHot(rows, columns, (len(features), width))

    def __matmul__(self, weights: Array) -> Array:
        """Return sums of the weights of each row's features."""
        return np.stack(
            [np.bincount(self.rows, part[self.columns], self.shape[0]) for part in weights.T],
            axis=1,
        )

    @property
    def T(self) -> OneHot:  # noqa: N802
        """Transpose."""
        return OneHot(self.columns, self.rows, self.shape[::-1])

    def take(self, chosen: Array) -> OneHot:
        """Return the rows where `chosen` is true."""
        here = chosen[self.rows]
        places = np.cumsum(chosen) - 1
        return OneHot(
            places[self.rows[here]], self.columns[here], (int(chosen.sum()), self.shape[1])
        )


def fit_softmax(
    inputs: Matrix, targets: Array, penalty: float, *, steps: int = STEPS
) -> tuple[Array, Array]:
    """Return the weights and bias of maximum likelihood with an L2 penalty on the weights.

    `targets` has a row of probabilities for each row of `inputs`.
    """
    rows, width = inputs.shape
    labels = targets.shape[1]
    turned = inputs.T

    def loss(flat: Array) -> tuple[float, Array]:
        weights, bias = flat[: width * labels].reshape(width, labels), flat[width * labels :]
        scores = inputs @ weights + bias
        scores -= scores.max(axis=1, keepdims=True)
        logs = scores - np.log(np.exp(scores).sum(axis=1, keepdims=True))
        off = (np.exp(logs) - targets) / rows
        slope = np.concatenate([(turned @ off + 2 * penalty * weights).ravel(), off.sum(axis=0)])
        return float(-(targets * logs).sum() / rows + penalty * (weights**2).sum()), slope

    solution = minimize(loss, np.zeros((width + 1) * labels), steps=steps)
    return solution[: width * labels].reshape(width, labels), solution[width * labels :]


def minimize(loss: Callable[[Array], tuple[float, Array]], start: Array, *, steps: int) -> Array:
    """Return the minimum of a smooth convex function, by L-BFGS with backtracking line search.

    `loss` returns the value and the gradient.
    """
    point, (value, slope) = start, loss(start)
    memory: deque[tuple[Array, Array]] = deque(maxlen=MEMORY)
    for _ in range(steps):
        direction = -_inverse_curvature(slope, memory)
        fall = float(slope @ direction)
        size = 1.0 if memory else min(1.0, 1 / (float(np.abs(slope).sum()) + 1e-12))
        while True:
            reached = point + size * direction
            lower, new_slope = loss(reached)
            if lower <= value + 1e-4 * size * fall or size < 1e-10:
                break
            size /= 2
        if value - lower <= ENOUGH * max(abs(value), abs(lower), 1.0):
            return reached if lower < value else point
        moved, bent = reached - point, new_slope - slope
        if float(moved @ bent) > 1e-12:
            memory.append((moved, bent))
        point, value, slope = reached, lower, new_slope
    return point


def _inverse_curvature(slope: Array, memory: Sequence[tuple[Array, Array]]) -> Array:
    """Multiply the gradient by the L-BFGS inverse-Hessian approximation (two-loop recursion)."""
    step = slope.copy()
    shares = []
    for moved, bent in reversed(memory):
        share = float(moved @ step) / float(moved @ bent)
        shares.append(share)
        step -= share * bent
    if memory:
        moved, bent = memory[-1]
        step *= float(moved @ bent) / float(bent @ bent)
    for (moved, bent), share in zip(memory, reversed(shares), strict=True):
        step += moved * (share - float(bent @ step) / float(moved @ bent))
    return step
