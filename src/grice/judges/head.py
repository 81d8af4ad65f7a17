"""The head on two sentence vectors: softmax regression on u, v, |u−v| and u·v."""

from __future__ import annotations

import io
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from grice.core.errors import InputError
from grice.core.files import read_bytes, write_atomically
from grice.models.batching import Array
from grice.models.softmax_regression import fit_softmax

FILE = "head.npz"
PENALTIES = (1e-5, 1e-4, 1e-3, 1e-2)
PENALTY = 1e-4


@dataclass(frozen=True)
class Head:
    """Weights for each label, fitted on the vectors of one model.

    `encoder` is the hash of that model. A head for numbers has no labels: its two columns are 'yes'
    and 'no', and the answer is P(yes).
    """

    labels: tuple[str, ...]
    weights: Array
    bias: Array
    encoder: str

    def scores(self, features: Array) -> Array:
        """Return a row of scores, one for each label, for each row of features."""
        scores: Array = features @ self.weights + self.bias
        return scores

    def save(self, folder: Path) -> None:
        """Write the head into a folder."""
        with write_atomically(folder / FILE, binary=True) as out:
            labels, encoder = np.array(self.labels, dtype=np.str_), np.array(self.encoder)
            np.savez(out, labels=labels, weights=self.weights, bias=self.bias, encoder=encoder)

    @staticmethod
    def read(folder: Path) -> Head:
        """Read the head that `save` wrote from its folder or its file."""
        path = folder / FILE if folder.is_dir() else folder
        try:
            with np.load(io.BytesIO(read_bytes(path)), allow_pickle=False) as archive:
                labels = tuple(map(str, archive["labels"].tolist()))
                return Head(labels, archive["weights"], archive["bias"], str(archive["encoder"]))
        except (ValueError, KeyError, OSError) as error:
            raise InputError(
                f"{path}: not a classifier head ({error}); fit one on labelled pairs and save it"
            ) from None


def features(first: Array, second: Array) -> Array:
    """Return the features of pairs of sentence vectors."""
    return np.concatenate([first, second, np.abs(first - second), first * second], axis=1)


def fit(inputs: Array, targets: Array, penalty: float) -> tuple[Array, Array]:
    """Fit weights and bias by softmax regression.

    Columns are scaled to unit variance, on which few steps suffice; the weights are scaled back.
    """
    spread = inputs.std(axis=0) + 1e-6
    weights, bias = fit_softmax(inputs / spread, targets, penalty)
    return weights / spread[:, None], bias
