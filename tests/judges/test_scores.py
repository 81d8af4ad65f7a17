"""Six digits of many values at once, and answers made of them."""

from __future__ import annotations

import numpy as np
import pytest

from grice.core.judgement import best
from grice.core.scale import NLI, UNIT
from grice.judges.providers.encoder import _labelled, _numbers
from grice.models.batching import Array
from grice.models.scores import short, shorts, softmax

CHANCE = np.random.default_rng(4)
TENS = 10.0 ** np.arange(-30, 20)
VALUES: dict[str, Array] = {
    "probabilities": CHANCE.random(100_000),
    "single precision": CHANCE.random(50_000, dtype=np.float32),
    "tiny to large": 10 ** CHANCE.uniform(-30, 8, 100_000),
    "negative": -(10 ** CHANCE.uniform(-20, 6, 50_000)),
    "half-way": (
        (CHANCE.integers(100_000, 999_999, 50_000) + 0.5) / 10.0 ** CHANCE.integers(0, 22, 50_000)
    ),
    "next to half-way": np.nextafter(CHANCE.integers(100_000, 999_999, 50_000) / 1e6 + 5e-7, 0),
    "six digits already": CHANCE.integers(0, 10**6, 50_000) / 1e6,
    "powers of ten": np.concatenate([TENS, np.nextafter(TENS, 0), np.nextafter(TENS, np.inf)]),
    "odd ones": np.array([0.0, -0.0, 1.0, 5e-324, 1e300, np.inf, -np.inf, np.nan]),
}


@pytest.mark.parametrize("kind", VALUES)
def test_many_values_are_shortened_to_the_same_bit_as_one(kind: str) -> None:
    values = VALUES[kind]
    one_by_one = np.array([short(value) for value in values.astype(np.float64).tolist()])
    assert np.array_equal(shorts(values).view(np.int64), one_by_one.view(np.int64))


def test_a_table_keeps_its_shape() -> None:
    assert shorts(np.array([[1 / 3, 2 / 3], [0.0, 1.0]])).tolist() == [
        [0.333333, 0.666667],
        [0.0, 1.0],
    ]


def test_the_answer_is_the_first_of_the_highest_probabilities() -> None:
    scores = np.vstack([CHANCE.normal(size=(200, 3)), np.zeros((1, 3)), [[0.0, 5.0, 5.0]]]).astype(
        np.float32
    )
    found = {"entailment": [1], "neutral": [2], "contradiction": [0]}
    replies = list(_labelled(scores, found))
    for (answer, probs, _), row in zip(replies, softmax(scores).tolist(), strict=True):
        assert probs == {label: short(row[places[0]]) for label, places in found.items()}
        assert answer == best(probs)
    assert [answer for answer, _, _ in replies[-2:]] == ["entailment", "entailment"]
    assert {answer for answer, _, _ in replies} == set(NLI.labels)


def test_a_number_beyond_its_scale_is_clipped_with_a_note() -> None:
    scores = np.array([[0.25], [1.5], [-0.1234567], [np.nan]])
    assert list(_numbers(scores, False, UNIT)) == [
        (0.25, None, None),
        (1.0, None, "clipped: 1.5"),
        (0.0, None, "clipped: -0.123457"),
        (0.0, None, "clipped: nan"),
    ]
    assert next(_numbers(np.array([[0.0]]), True, UNIT)) == (0.5, None, None)
