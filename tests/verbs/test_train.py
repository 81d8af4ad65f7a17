"""`grice train` and `grice.train`: the flags are the arguments, and the arguments say what is
learnt.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from grice.cli import build
from grice.core.errors import GriceError
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
    words = (
        "train encoder --on a --then b --dev c --ask d --ask e --from f --apart g --unlabelled h -M"
        " then.learning_rate=1"
    )
    done = CliRunner().invoke(
        build(), [*words.split(), "--seeds", "2", "--json", "-o", str(tmp_path)]
    )
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
        "engine": "local",
        "workers": 1,
    }


def test_the_verb_names_what_to_learn_as_its_arguments_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
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
    spec = TrainingSpec(
        ["a"], ["c"], then=["b"], start="f", apart=["g"], ask=["d", "e"], unlabelled=["h"]
    )
    assert given["spec"] == spec and given["options"].seeds == 2 and given["out"] == tmp_path
    assert given["settings"] == {"epochs": "2", "recipe": "unli"}


def test_a_result_gives_the_rows_that_are_printed() -> None:
    model = TrainedModel("encoder/m/one", Path("m/one"), "one", {"a": 0.5, "b": None})
    (row,) = TrainResult([model]).to_rows()
    assert row == {
        "judge": "encoder/m/one",
        "task": "one",
        "folder": "trained/m/one",
        "a": 0.5,
        "b": None,
    }
    assert TrainedModel.from_json(model.to_json()) == model


def test_a_training_tells_how_it_fares_and_ends_with_scores_and_the_command_to_judge(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    words = "train bow --on quantifiers --dev quantifiers@1 -o m -M epochs=2"
    done = CliRunner().invoke(build(), words.split(), catch_exceptions=False)
    assert (
        "training m: step 48 of 48, epoch 2 of 2, loss " in done.stderr
        and ", dev 0." in done.stderr
    )
    assert "accuracy:logical" in done.stdout and "1,500" in done.stdout
    assert "grice judge DATA --by trained/m" in done.stdout
    lines = [
        json.loads(line) for line in Path("m/log.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    assert [line["dev"] for line in lines if "dev" in line] and all(
        "loss" in line or "dev" in line for line in lines
    )
    (row,) = json.loads(CliRunner().invoke(build(), [*words.split(), "--json"]).stdout)
    detail = row["details"]["quantifiers@1"]
    assert detail["n"] == 1500 and detail["low"] < row["quantifiers@1"] < detail["high"]


def test_a_training_that_fails_leaves_no_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(GriceError):
        verb.train(
            "bow",
            on="quantifiers",
            out="m",
            settings={"epochs": 1, "measure": "pearson"},
            dev="no-such",
            quiet=True,
        )
    assert not Path("m").exists()
    with pytest.raises(GriceError, match="neither a file of vectors nor a folder"):
        verb.train("cbow", on="quantifiers", out="m", settings={"vectors": "none.txt"}, quiet=True)
    assert not Path("m").exists()
