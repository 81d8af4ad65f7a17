"""What `recorded` names: the models published with a dataset, never its people, the same for every
verb.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.datasets.formats import put
from tests.datasets.paradigms import npy, write_imppres
from tests.datasets.tiny import write_chaosnli, write_nli_variation, write_veridicality

import grice
from grice import loading
from grice.core.errors import InputError
from grice.core.judgement import Judgement
from grice.profiling.gather import gather
from grice.storage.run import Run
from grice.storage.run_folder import RunKind

IMPPRES = "imppres/cleft_existence"


@pytest.fixture
def published(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "data"
    for write in (write_imppres, write_nli_variation, write_chaosnli, write_veridicality):
        write(folder)
    for name, answer in (("bert", 0), ("bow", 1)):
        put(
            folder / f"imppres/predictions/presupposition/cleft_existence_{name}.npy",
            npy(1900, answer),
        )
    monkeypatch.setenv("GRICE_DATA", str(folder))


def rivals(against: list[str], data: list[str], into: Path) -> list[list[str]]:
    found = gather("baseline/overlap", against, data, into=into / "runs")
    return [[run.judge for run in runs[1:]] for _, runs in found.pairs]


@pytest.mark.parametrize(
    ("name", "models"),
    [
        ("recorded", ["BERT", "BOW"]),
        ("recorded/BERT", ["BERT"]),
        ("recorded/BE*", ["BERT"]),
        ("recorded/B*", ["BERT", "BOW"]),
    ],
)
@pytest.mark.usefixtures("published")
def test_a_pattern_names_the_same_models_for_judge_and_profile(
    tmp_path: Path, name: str, models: list[str]
) -> None:
    runs = grice.judge(IMPPRES, [name], into=None)
    assert [run.judge for run in runs] == models
    assert rivals([name], [IMPPRES], tmp_path) == [models]


@pytest.mark.usefixtures("published")
def test_a_model_that_two_patterns_name_is_one_rival(tmp_path: Path) -> None:
    assert rivals(["recorded/BOW", "recorded", "recorded/BERT"], [IMPPRES], tmp_path) == [
        ["BOW", "BERT"]
    ]


@pytest.mark.parametrize("data", ["nli_variation/pairs", "chaosnli/snli", "quantifiers@7"])
@pytest.mark.parametrize("name", ["recorded", "recorded/rating*"])
@pytest.mark.usefixtures("published")
def test_people_are_no_rivals_and_where_nothing_else_is_recorded_nobody_is_asked(
    tmp_path: Path, data: str, name: str
) -> None:
    with pytest.raises(InputError, match=f"nothing recorded for {data}"):
        grice.judge(data, name, into=None)
    with pytest.raises(InputError, match=f"nothing recorded for {data}"):
        rivals([name], [data], tmp_path)
    assert not (tmp_path / "runs").exists()


@pytest.mark.usefixtures("published")
def test_of_several_datasets_one_may_have_nothing_recorded_and_the_page_says_which(
    tmp_path: Path,
) -> None:
    found = gather(
        "baseline/overlap", ["recorded"], [IMPPRES, "quantifiers@7"], into=tmp_path / "runs"
    )
    assert [[run.judge for run in runs] for _, runs in found.pairs] == [
        ["baseline/overlap", "BERT", "BOW"],
        ["baseline/overlap"],
    ]
    assert [note.partition(" ")[0] for note in found.not_tested] == ["quantifiers@7"]


@pytest.mark.usefixtures("published")
def test_a_pattern_that_no_model_fits_is_told_with_the_models(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"'GPT'.*BERT, BOW"):
        grice.judge(IMPPRES, "recorded/GPT", into=None)
    with pytest.raises(InputError, match=r"'GPT'.*BERT, BOW"):
        rivals(["recorded/GPT"], [IMPPRES], tmp_path)


@pytest.mark.usefixtures("published")
def test_a_source_says_of_each_recorded_run_whether_it_is_of_a_model_a_person_or_a_pool() -> None:
    def kinds(name: str) -> dict[str, RunKind]:
        return {run.judge: run.kind for run in loading.source(name).runs(loading.load(name))}

    assert kinds("veridicality") == {"BERT": RunKind.MODEL} | {
        f"rank {i}": RunKind.PERSON for i in (1, 2, 3)
    }
    assert set(kinds("nli_variation/pairs").values()) == {RunKind.PERSON}
    assert kinds("chaosnli/snli") == {"100 annotators": RunKind.POOL}


def test_a_header_with_another_kind_is_refused_and_one_without_is_of_a_model(
    tmp_path: Path,
) -> None:
    run = people_run(grice.load("quantifiers@7", groups=2), "p").write(tmp_path)
    assert run.folder
    path = run.folder / "run.json"
    header = {
        key: value
        for key, value in json.loads(path.read_text()).items()
        if key not in ("sum", "kind")
    }
    path.write_text(json.dumps(header))
    assert Run.read(run.folder).kind is RunKind.MODEL
    for odd in ("robot", ["model"]):
        path.write_text(json.dumps(header | {"kind": odd}))
        with pytest.raises(InputError, match="'kind'"):
            Run.read(run.folder)


def test_the_kind_of_a_run_is_kept_in_its_folder_and_a_pool_is_none_of_a_person(
    tmp_path: Path,
) -> None:
    data = grice.load("quantifiers@7", groups=2)
    people = [people_run(data, f"p{i}") for i in range(3)]
    kept = [run.write(tmp_path) for run in people]
    assert {Run.read(run.folder).kind for run in kept if run.folder} == {RunKind.PERSON}
    assert grice.pool(people, "people").kind is RunKind.POOL
    model = grice.evaluate(data, grice.load_judge("baseline/overlap"), into=tmp_path)
    assert model.kind is RunKind.MODEL


def people_run(data: grice.Dataset, name: str) -> Run:
    return Run.recorded(
        data, name, [Judgement(one, "neutral") for one in data.ids], kind=RunKind.PERSON
    )


def test_report_and_board_take_no_person_for_a_rival(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = grice.load("quantifiers@7", groups=2)
    models = [grice.judge(data, f"baseline/{name}", into=None) for name in ("overlap", "random")]
    runs = [people_run(data, "p1"), *models, people_run(data, "p2")]
    assert grice.report(runs, tmp_path / "a", images=False).judges == (
        "baseline/overlap",
        "baseline/random",
    )
    assert "2" in capsys.readouterr().err
    assert grice.report(runs, tmp_path / "b", of="p2", images=False).judges[0] == "p2"
    pooled = grice.report(runs, tmp_path / "c", pool="people", images=False).judges
    assert set(pooled) == {"people", "baseline/overlap", "baseline/random"}
    board = grice.board(runs, tmp_path / "site", pages=False)
    assert set(board.judges) == {"baseline/overlap", "baseline/random"}
