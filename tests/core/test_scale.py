from __future__ import annotations

import pytest

from grice.core.errors import InputError
from grice.core.scale import LIKERT5, NLI, UNIT, Scale


def test_labels_accept_only_their_words() -> None:
    assert NLI.accepts("neutral")
    assert not NLI.accepts("Neutral")
    assert not NLI.accepts(1.0)


@pytest.mark.parametrize(
    ("answer", "on"),
    [(0, True), (1.0, True), (1.01, False), (float("nan"), False), ("0.5", False), (True, False)],
)
def test_a_numeric_scale_accepts_numbers_between_its_ends(answer: object, on: bool) -> None:
    assert UNIT.accepts(answer) is on


def test_a_mean_rating_may_fall_between_two_steps() -> None:
    assert LIKERT5.accepts(1.67)


@pytest.mark.parametrize(
    ("labels", "low", "high"),
    [((), None, None), (("a",), 0.0, 1.0), (("a", "a"), None, None), ((), 1.0, 0.0)],
)
def test_a_scale_is_labels_or_two_ends(
    labels: tuple[str, ...], low: float | None, high: float | None
) -> None:
    with pytest.raises(InputError):
        Scale(labels, low, high)


@pytest.mark.parametrize("scale", [NLI, UNIT, LIKERT5])
def test_a_scale_survives_json(scale: Scale) -> None:
    assert Scale.from_json(scale.to_json()) == scale
