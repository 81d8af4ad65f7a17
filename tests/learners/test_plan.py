"""The plan of a training: how words become its numbers."""

from __future__ import annotations

import pytest

from grice.core.errors import InputError
from grice.learners.training.arguments import Plan


@pytest.mark.parametrize(
    ("said", "degree"), [("true", 1), ("false", 0), ("True", 1), (True, 1), ("0.5", 0.5), ("1", 1), (0, 0)]
)
def test_balance_is_a_degree_or_a_yes_or_no(said: object, degree: float) -> None:
    found = Plan().changed({"balanced": said}).balanced
    assert found == degree and isinstance(found, float)


@pytest.mark.parametrize("said", ["1.5", "-0.1", "nan"])
def test_a_balance_that_is_no_degree_is_refused(said: str) -> None:
    with pytest.raises(InputError, match=rf"^-M balanced is from 0 .* to 1 .*, not {said}$"):
        Plan().changed({"balanced": said})


def test_a_word_that_is_no_number_is_refused() -> None:
    with pytest.raises(InputError, match="-M balanced takes float, not 'rather'"):
        Plan().changed({"balanced": "rather"})
    with pytest.raises(InputError, match="-M rate takes float, not 'true'"):
        Plan().changed({"rate": "true"})
