"""The small head on two sentence vectors: softmax regression on u, v, |u−v| and u·v."""

from __future__ import annotations

import io
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from grice.core.errors import InputError
from grice.core.files import read_bytes, write_atomically
from grice.models.batching import Array

FILE = "head.npz"
PENALTIES = (1e-5, 1e-4, 1e-3, 1e-2)
PENALTY = 1e-4
STEPS = 300


@dataclass(frozen=True)
class Head:
    """Weights for each label; `encoder` is the hash of the model whose vectors they were fitted on.

    A head for numbers has no labels: its two columns are 'yes' and 'no', and the answer is P(yes).
    """

    labels: tuple[str, ...]
    weights: Array
    bias: Array
    encoder: str

    def scores(self, features: Array) -> Array:
        found: Array = features @ self.weights + self.bias
        return found

    def save(self, folder: Path) -> None:
        with write_atomically(folder / FILE, binary=True) as out:
            np.savez(
                out,
                labels=np.array(self.labels, dtype=np.str_),
                weights=self.weights,
                bias=self.bias,
                encoder=np.array(self.encoder),
            )

    @staticmethod
    def read(folder: Path) -> Head:
        path = folder / FILE if folder.is_dir() else folder
        try:
            with np.load(io.BytesIO(read_bytes(path)), allow_pickle=False) as found:
                labels = tuple(map(str, found["labels"].tolist()))
                return Head(labels, found["weights"], found["bias"], str(found["encoder"]))
        except (ValueError, KeyError, OSError) as error:
            raise InputError(f"{path}: not a head ({error}); fit one on labelled pairs and save it") from None


def features(first: Array, second: Array) -> Array:
    return np.concatenate([first, second, np.abs(first - second), first * second], axis=1)


def fit(inputs: Array, targets: Array, penalty: float) -> tuple[Array, Array]:
    """Weights and bias that make the targets (a row of probabilities each) likeliest, less an L2 penalty."""
    from scipy.optimize import minimize

    rows, width = inputs.shape
    labels = targets.shape[1]
    # Columns of like size, so that few steps are enough; undone in the weights at the end.
    spread = inputs.std(axis=0) + 1e-6
    scaled = inputs / spread

    def loss(flat: Array) -> tuple[float, Array]:
        weights, bias = flat[: width * labels].reshape(width, labels), flat[width * labels :]
        scores = scaled @ weights + bias
        scores -= scores.max(axis=1, keepdims=True)
        logs = scores - np.log(np.exp(scores).sum(axis=1, keepdims=True))
        off = (np.exp(logs) - targets) / rows
        slope = np.concatenate([(scaled.T @ off + 2 * penalty * weights).ravel(), off.sum(axis=0)])
        return float(-(targets * logs).sum() / rows + penalty * (weights**2).sum()), slope

    start = np.zeros((width + 1) * labels)
    found: Any = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": STEPS})
    weights = found.x[: width * labels].reshape(width, labels) / spread[:, None]
    return weights, found.x[width * labels :]
