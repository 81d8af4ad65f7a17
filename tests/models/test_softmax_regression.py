"""One softmax regression for dense features and for a few ones a row."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize as scipy_minimize

from grice.models.softmax_regression import OneHot, fit_softmax, minimize

RNG = np.random.default_rng(0)


def loss_of(inputs: np.ndarray, targets: np.ndarray, penalty: float, flat: np.ndarray) -> float:
    width, labels = inputs.shape[1], targets.shape[1]
    weights, bias = flat[: width * labels].reshape(width, labels), flat[width * labels :]
    scores = inputs @ weights + bias
    logs = scores - np.log(np.exp(scores).sum(axis=1, keepdims=True))
    return float(-(targets * logs).sum() / len(inputs) + penalty * (weights**2).sum())


def test_the_fit_is_as_low_as_scipys() -> None:
    inputs, targets = RNG.normal(size=(200, 12)), np.eye(3)[RNG.integers(3, size=200)]
    weights, bias = fit_softmax(inputs, targets, 1e-3)
    ours = loss_of(inputs, targets, 1e-3, np.concatenate([weights.ravel(), bias]))
    theirs = scipy_minimize(
        lambda flat: loss_of(inputs, targets, 1e-3, flat),
        np.zeros(39),
        method="L-BFGS-B",
        tol=1e-12,
    )
    assert ours == pytest.approx(theirs.fun, abs=1e-6)


def test_few_ones_a_row_give_what_the_same_dense_table_gives() -> None:
    features = [sorted(set(RNG.integers(9, size=4).tolist())) for _ in range(60)]
    dense = np.zeros((60, 9))
    for row, places in enumerate(features):
        dense[row, places] = 1
    targets = np.eye(2)[RNG.integers(2, size=60)]
    sparse = OneHot.from_rows(features, 9)
    for one, other in zip(
        fit_softmax(sparse, targets, 0.01), fit_softmax(dense, targets, 0.01), strict=True
    ):
        assert one == pytest.approx(other, abs=1e-8)
    chosen = np.arange(60) % 3 == 0
    assert (sparse.take(chosen) @ np.eye(9)).tolist() == dense[chosen].tolist()


def test_a_function_without_slope_stays_where_it_is() -> None:
    found = minimize(lambda x: (0.0, np.zeros_like(x)), np.array([3.0, 4.0]), steps=5)
    assert found.tolist() == [3.0, 4.0]
