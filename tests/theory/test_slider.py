"""The slider gives UNLI's check values, rises everywhere, and can be undone."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grice.core.errors import InputError
from grice.theory.slider import START, STEPS, SURROGATES, printed_probability, probability, step

steps = st.integers(min_value=0, max_value=STEPS)
chances = st.floats(min_value=0, max_value=1)


@pytest.mark.parametrize(
    ("raw", "printed"),
    [
        (0, 0.0),
        (2000, 1.2309e-4),
        (4000, 0.047426),
        (5000, 0.5),
        (7500, 0.764996),
        (9000, 0.911096),
        (10000, 1.0),
    ],
)
def test_the_slider_gives_the_check_values_of_the_released_page(raw: int, printed: float) -> None:
    assert float(f"{probability(raw):.5g}" if raw == 2000 else f"{probability(raw):.6f}") == printed


def test_without_the_stretch_the_printed_formula_tops_out_at_seventy_three_per_cent() -> None:
    assert round(printed_probability(STEPS), 4) == 0.7311
    assert printed_probability(START) == 0.5


@given(steps, steps)
def test_further_right_is_more_probable(left: int, right: int) -> None:
    if left < right:
        assert probability(left) < probability(right)


@given(steps)
def test_a_step_is_found_again_from_its_probability(raw: int) -> None:
    assert math.isclose(step(probability(raw)), raw, abs_tol=1e-4)


@given(chances)
def test_a_probability_is_found_again_from_its_step(chance: float) -> None:
    assert math.isclose(probability(step(chance)), chance, rel_tol=1e-9, abs_tol=1e-12)


@given(steps)
def test_a_step_stands_for_a_probability(raw: int) -> None:
    assert 0 <= probability(raw) <= 1


@pytest.mark.parametrize("raw", [-1, STEPS + 1, math.nan])
def test_a_step_off_the_slider_is_refused_with_the_ends(raw: float) -> None:
    with pytest.raises(InputError, match="0 to 10000"):
        probability(raw)


@pytest.mark.parametrize("chance", [-0.1, 1.1, math.nan])
def test_what_is_no_probability_has_no_step(chance: float) -> None:
    with pytest.raises(InputError, match="between 0 and 1"):
        step(chance)


def test_the_surrogate_scores_follow_the_order_of_the_labels() -> None:
    assert SURROGATES["entailment"] > SURROGATES["neutral"] > SURROGATES["contradiction"]
