"""A probability out of three: what each rule says."""

from __future__ import annotations

import pytest

from grice.core.errors import InputError
from grice.judges.unit import rule

PROBS = {"entailment": 0.5, "neutral": 0.3, "contradiction": 0.2}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("entailment", 0.5),
        ("halfway", 0.65),
        ("surrogate", 0.5 * 0.9272 + 0.3 * 0.4250 + 0.2 * 0.0209),
    ],
)
def test_a_rule_weighs_each_label_by_its_value(name: str, value: float) -> None:
    assert rule(name)(PROBS) == pytest.approx(value)


def test_rounding_never_leaves_the_scale() -> None:
    assert (
        rule("entailment")({"entailment": 1.0000001, "neutral": 0.0, "contradiction": 0.0}) == 1.0
    )


def test_an_unknown_rule_names_those_there_are() -> None:
    with pytest.raises(InputError, match="surrogate"):
        rule("suorrgate")
