"""Every learner on its shelf says what it is, names its kind as its file, and takes training
arguments.
"""

from __future__ import annotations

import inspect
from pathlib import Path

import pytest

from grice.core.errors import InputError
from grice.core.shelf import LEARNERS


@pytest.mark.parametrize("name", LEARNERS.names())
def test_a_learner_is_described_and_named_like_its_file(name: str, tmp_path: Path) -> None:
    make = LEARNERS.find(name)
    assert inspect.getdoc(make)
    learner = make(out=tmp_path, epochs="2", learning_rate="1e-4", seed="7")
    assert learner.kind == name
    assert (learner.arguments.epochs, learner.arguments.learning_rate, learner.arguments.seed) == (
        2,
        1e-4,
        7,
    )


@pytest.mark.parametrize("name", LEARNERS.names())
def test_a_learner_refuses_a_setting_it_does_not_have(name: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no setting of"):
        LEARNERS.find(name)(out=tmp_path, colour="red")
