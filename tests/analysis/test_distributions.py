from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from grice.analysis.calibration import calibration
from grice.analysis.statistics.shares import answer_shares, divergence
from tests.analysis.frames import LABELS, drawn, frame

E, N, C = LABELS


def test_divergence_is_that_of_mean_probabilities() -> None:
    p, q = (np.array([f[f"p.{label}"].mean() for label in LABELS]) for f in (drawn(40), drawn(30)))
    assert divergence(40 * p, q) == pytest.approx(stats.entropy(p, q))


def test_divergence_of_bare_labels_is_finite_where_one_judge_never_gives_a_label() -> None:
    (one, half), (two, _) = (
        answer_shares(frame(said), LABELS) for said in ([E] * 9 + [C], [E] * 10)
    )
    p, q = np.array([9.5, 0.5, 1.5]) / 11.5, np.array([10.5, 0.5, 0.5]) / 11.5
    assert divergence(one.sum(axis=0) + half, two.sum(axis=0) + half) == pytest.approx(
        stats.entropy(p, q)
    )
    assert divergence(p, p) == pytest.approx(0.0)


def test_the_expected_calibration_error_weighs_the_gap_of_each_bin() -> None:
    probs = [(0.9, 0.05, 0.05)] * 4 + [(0.5, 0.3, 0.2)] * 2
    rows = frame([E] * 6, [E, E, E, N, E, N], probs=probs)
    found = calibration("ece")(rows)
    assert found is not None
    assert found.value == pytest.approx((4 * abs(0.75 - 0.9) + 2 * abs(0.5 - 0.5)) / 6)


def test_the_brier_score_sums_squared_errors_over_labels() -> None:
    found = calibration("brier")(frame([E, E], [E, N], probs=[(1, 0, 0), (0.5, 0.5, 0)]))
    assert found is not None and found.value == pytest.approx((0 + 0.5) / 2)
    assert calibration("brier")(frame([E], [E])) is None
