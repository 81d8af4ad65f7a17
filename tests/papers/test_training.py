"""`reproduce --train`: the paper's models by the titles of its rows, trained with the paper's own algorithm."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from grice.core.errors import InputError
from grice.papers import _conjnli, _training


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    found: dict[str, Any] = {}

    def train(learner: str, course: Any, *, out: Path, settings: dict[str, str]) -> list[dict[str, Any]]:
        found[out.name] = (learner, course, settings)
        return [{"folder": f"trained/{out}"}]

    monkeypatch.setattr(_training, "train", train)
    return found


def test_conjnli_trains_every_model_of_tables_7_and_8(asked: dict[str, Any], tmp_path: Path) -> None:
    made, told = _training.trained("conjnli", tmp_path, {"base": "models/mpnet"})
    printed = {row for row, _ in (*_conjnli.TABLE7, *_conjnli.TABLE8)}
    assert set(made) == printed - {"BERT"}
    learner, course, settings = asked["IAFT"]
    assert (learner, course.how, settings["recipe"], settings["base"]) == (
        "encoder",
        "iaft",
        "conjnli",
        "models/mpnet",
    )
    assert asked["PA-IAFT"][2]["srl"] == str(tmp_path / "srl")
    assert "nli_train stood in for MultiNLI" in told


def test_pragmeval_trains_each_task_alone_after_inference_and_after_all(
    asked: dict[str, Any], tmp_path: Path
) -> None:
    for title in ("BERT", "BERT+MNLI", "BERT+PragmEval"):
        (tmp_path / title).mkdir()
    made, _ = _training.trained("pragmeval", tmp_path, {})
    assert list(made) == ["BERT", "BERT+MNLI", "BERT+PragmEval"]
    assert asked["together"][1].mix == "uniform"
    assert asked["MRDA"][2]["measure"] == "macro_f1" and asked["GUM"][2]["measure"] == "accuracy"
    assert asked["GUM"][2]["base"] == str(tmp_path / "together")


def test_unli_learns_surrogate_scores_with_and_without_the_premise(
    asked: dict[str, Any], tmp_path: Path
) -> None:
    _training.trained("unli", tmp_path, {})
    assert asked["surrogate"][1].surrogate and "hypothesis_only" not in asked["surrogate"][2]
    assert asked["hypothesis"][2]["hypothesis_only"] == "true"


def test_a_paper_without_models_to_train_says_which_have_them(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="There are: conjnli, pragmeval, unli"):
        _training.trained("imppres", tmp_path, {})
