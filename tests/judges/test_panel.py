"""The panel: recorded answers of real models to the suites."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tools.panel import record_model, write_model

from grice import loading
from grice.core.errors import InputError
from grice.core.judgement import Judge
from grice.judges import panel
from grice.judges.panel import PanelModel, panel_models, panel_runs, shown_models
from grice.models.checkpoint import Checkpoint, checkpoint
from grice.verbs.profile import profile

SUITES = ("core@0", "quick@0")


@pytest.fixture
def recorded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> PanelModel:
    """A panel of one model, which answered the first items of a phenomenon."""
    monkeypatch.setattr(panel, "FOLDER", tmp_path / "panel")
    panel_models.cache_clear()
    judge = loading.load_judge("encoder/grice-mini")
    assert isinstance(judge, Judge)
    suites = {"quantifiers@1": loading.load("quantifiers@1")}
    model = record_model("mini", judge, suites)
    write_model(model)
    return model


@pytest.mark.parametrize("model", panel_models(), ids=lambda model: model.name)
def test_a_shipped_model_answered_the_suites_as_they_are(model: PanelModel) -> None:
    assert model.suites and set(model.suites) <= set(SUITES)
    assert all(0 <= suite["controls"] <= 1 for suite in model.suites.values())
    assert int(model.about["parameters"]) > 10**6
    assert len(model.about["sha256"]) == 64 and len(model.about["date"]) == 10
    for name in model.suites:
        data = loading.load(name)
        run = model.run(data)
        assert run.answered == len(data)


def test_the_panel_is_small() -> None:
    assert sum(path.stat().st_size for path in panel.FOLDER.glob("*")) < 800_000


def test_a_recorded_model_answers_as_it_did(recorded: PanelModel) -> None:
    data = loading.load("quantifiers@1")
    (run,) = panel_runs(data)
    judge = loading.load_judge("encoder/grice-mini")
    assert isinstance(judge, Judge)
    expected = {j.item: j for j in judge.judge(data.questions(), data.scale)}
    given = {j.item: j for j in run.judgements()}
    assert given.keys() == expected.keys()
    for item, judgement in given.items():
        probs = expected[item].probs or {}
        assert judgement.probs is not None
        assert all(abs(judgement.probs[k] - p) < 1e-4 for k, p in probs.items())
    assert recorded.about["sha256"] and run.judge == "panel/mini"


def test_changed_sentences_are_refused(recorded: PanelModel) -> None:
    data = loading.load("quantifiers@1")
    changed = replace(data, frame=data.frame.head(10))
    with pytest.raises(InputError, match=r"tools\.panel"):
        recorded.run(changed)


def test_the_same_answers_are_the_same_file(recorded: PanelModel) -> None:
    path = panel.FOLDER / "mini.json.gz"
    before = path.read_bytes()
    assert write_model(recorded).read_bytes() == before


def test_a_profile_shows_the_panel_unless_told_otherwise(
    recorded: PanelModel, tmp_path: Path
) -> None:
    data = loading.load("quantifiers@1")
    other, itself = (loading.load_judge(n) for n in ("baseline/overlap", "encoder/grice-mini"))
    assert shown_models([data], other) == [f"panel/{recorded.name}"]
    assert not shown_models([loading.load("quantifiers@2")], other)
    assert not shown_models([data], itself)
    options: dict[str, Any] = {
        "data": "quantifiers@1",
        "images": False,
        "people": False,
        "exchange": 0,
    }
    made = {
        "shown": profile("baseline/overlap", out=tmp_path / "a", **options),
        "alone": profile("baseline/overlap", out=tmp_path / "b", panel=False, **options),
        "named": profile("baseline/overlap", out=tmp_path / "c", against="panel/mi*", **options),
    }
    judges = {name: [str(judge) for judge in page.judges] for name, page in made.items()}
    assert judges == {
        "shown": ["baseline/overlap", "panel/mini"],
        "alone": ["baseline/overlap"],
        "named": ["baseline/overlap", "panel/mini"],
    }
    with pytest.raises(InputError, match="panel/nobody"):
        profile("baseline/overlap", out=tmp_path / "d", against="panel/nobody", **options)


@pytest.mark.parametrize(
    ("parameters", "shown"),
    [
        (22, ["small", "best"]),
        (400, ["large", "best"]),
        (200, ["best", "large"]),
        (0, ["best", "large"]),
    ],
)
def test_the_closest_in_size_and_the_best_are_shown(
    parameters: int, shown: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    data = loading.load("quantifiers@1")

    def model(name: str, size: int, controls: float) -> PanelModel:
        suite = {"fingerprint": data.fingerprint, "controls": controls}
        return PanelModel(name, {"sha256": name, "parameters": str(size)}, {data.name: suite})

    models = (model("best", 150, 0.9), model("large", 500, 0.8), model("small", 20, 0.4))
    monkeypatch.setattr(panel, "panel_models", lambda: models)
    judge = loading.load_judge("encoder/grice-mini")
    monkeypatch.setattr(Checkpoint, "parameters", parameters)
    assert shown_models([data], judge) == [f"panel/{name}" for name in shown]


def test_a_recorded_model_is_no_judge_of_its_own(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="--against panel/grice-mini-2"):
        profile("panel/grice-mini-2", out=tmp_path / "a", data="quantifiers@1")
    assert not list(tmp_path.iterdir())


def test_the_number_of_parameters_is_about_that_of_the_weights() -> None:
    assert checkpoint("grice-mini", provider="encoder").parameters == pytest.approx(
        22.7e6, rel=0.03
    )
