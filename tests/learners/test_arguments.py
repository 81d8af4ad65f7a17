"""The arguments of a training: how words become its numbers."""

from __future__ import annotations

import pytest

from grice.core.errors import InputError
from grice.learners.training.arguments import TrainingArguments


@pytest.mark.parametrize(
    ("said", "degree"),
    [("true", 1), ("false", 0), ("True", 1), (True, 1), ("0.5", 0.5), ("1", 1), (0, 0)],
)
def test_balance_is_a_degree_or_a_yes_or_no(said: object, degree: float) -> None:
    found = TrainingArguments().with_settings({"balanced": said}).balanced
    assert found == degree and isinstance(found, float)


@pytest.mark.parametrize("said", ["1.5", "-0.1", "nan"])
def test_a_balance_that_is_no_degree_is_refused(said: str) -> None:
    with pytest.raises(InputError, match=rf"^-M balanced is a number from 0 to 1, not '{said}'$"):
        TrainingArguments().with_settings({"balanced": said})


def test_a_word_that_is_no_number_is_refused() -> None:
    with pytest.raises(InputError, match="-M balanced is a number from 0 to 1, not 'rather'"):
        TrainingArguments().with_settings({"balanced": "rather"})
    with pytest.raises(InputError, match="-M learning_rate is a number above 0, not 'true'"):
        TrainingArguments().with_settings({"learning_rate": "true"})


@pytest.mark.parametrize(
    ("name", "near"),
    [("rate", "learning_rate"), ("batch", "batch_size"), ("graphs", "cuda_graphs")],
)
def test_an_unknown_argument_suggests_the_near_one(name: str, near: str) -> None:
    with pytest.raises(
        InputError, match=rf"no setting of training is called '{name}'\. Did you mean '{near}'"
    ):
        TrainingArguments().with_settings({name: "1"})
