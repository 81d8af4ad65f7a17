"""`grice train` and `grice.train`: the flags are the arguments, and the arguments say what is learnt."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from grice.cli import build
from grice.learners.training.results import TrainedModel, TrainResult
from grice.learners.training.spec import TrainingSpec
from grice.verbs import train as verb


def test_the_command_line_hands_over_what_to_ask_and_where_to_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: dict[str, Any] = {}

    def run(learner: str, **more: Any) -> TrainResult:
        given.update(more, learner=learner)
        return TrainResult([])

    monkeypatch.setattr("grice.verbs.train.train", run)
    words = "train encoder --on a --then b --dev c --ask d --ask e --from f --apart g --unlabelled h -M then.learning_rate=1"
    done = CliRunner().invoke(build(), [*words.split(), "--seeds", "2", "--json", "-o", str(tmp_path)])
    assert done.exit_code == 0, done.output
    assert {key: value for key, value in given.items() if value} == {
        "learner": "encoder",
        "out": tmp_path,
        "on": ["a"],
        "dev": ["c"],
        "then": ["b"],
        "start": "f",
        "apart": ["g"],
        "ask": ["d", "e"],
        "unlabelled": ["h"],
        "settings": {"then.learning_rate": "1"},
        "seeds": 2,
    }


def test_the_verb_names_what_to_learn_as_its_arguments_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given: dict[str, Any] = {}

    def run(learner: str, spec: TrainingSpec, **more: Any) -> TrainResult:
        given.update(more, learner=learner, spec=spec)
        return TrainResult([])

    monkeypatch.setattr("grice.verbs.train.run_training", run)
    verb.train(
        "encoder",
        on="a",
        dev=["c"],
        then="b",
        ask=["d", "e"],
        start="f",
        apart="g",
        unlabelled="h",
        recipe="unli",
        settings={"epochs": 2},
        seeds=2,
        out=tmp_path,
    )
    spec = TrainingSpec(["a"], ["c"], then=["b"], start="f", apart=["g"], ask=["d", "e"], unlabelled=["h"])
    assert given["spec"] == spec and given["seeds"] == 2 and given["out"] == tmp_path
    assert given["settings"] == {"epochs": "2", "recipe": "unli"}


def test_a_result_gives_the_rows_that_are_printed() -> None:
    model = TrainedModel("encoder/m/one", Path("m/one"), "one", {"a": 0.5, "b": None})
    (row,) = TrainResult([model]).to_rows()
    assert row == {"judge": "encoder/m/one", "task": "one", "folder": "trained/m/one", "a": 0.5, "b": None}
    assert TrainedModel.from_json(model.to_json()) == model
