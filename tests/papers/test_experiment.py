"""`reproduce --train` from data to table: small real trainings on hand-made data in the published
formats.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from grice.cluster import Cluster
from grice.core.errors import GriceError, InputError, NoMemory
from grice.learners.training.spec import TrainingSpec
from grice.papers.experiment import TrainingJob, train_jobs
from grice.papers.imppres.printed import MODELS
from grice.papers.pragmeval import experiment as _pragmeval
from grice.tables.exhibit import ReproducedExhibit
from grice.verbs.reproduce import reproduce
from tests.datasets.formats import put
from tests.datasets.paradigms import write_imppres
from tests.datasets.tiny import (
    write_cad_nli,
    write_conjnli,
    write_nli_variation,
    write_pragmeval,
    write_snli,
    write_veridicality,
)
from tests.learners.test_learners import pairs, tiny_encoder

Reproduce = Callable[[int], list[ReproducedExhibit]]


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "data"
    monkeypatch.setenv("GRICE_DATA", str(folder))
    for write in (
        write_cad_nli,
        write_conjnli,
        write_nli_variation,
        write_pragmeval,
        write_snli,
        write_veridicality,
    ):
        write(folder)
    rows = [
        {
            "premise": f"{item.premise} A bird and a bee.",
            "hypothesis": item.hypothesis,
            "label": item.gold["label"],
        }
        for item in pairs().head(12).items()
    ]
    lines = [
        json.dumps({**row, "source": source}) + "\n" for source in ("snli", "mnli") for row in rows
    ]
    put(
        folder / "nli_train" / "snli_mnli_anli_subset.jsonl.gz",
        gzip.compress("".join(lines).encode()),
    )
    return folder


def settings(folder: Path) -> dict[str, str]:
    return {"base": tiny_encoder(folder), "epochs": "1", "batch_size": "16", "max_length": "24"}


def when(folder: Path) -> Mapping[str, int]:
    """When each training of an experiment was finished."""
    return {
        path.parent.relative_to(folder).as_posix(): path.stat().st_mtime_ns
        for path in folder.rglob("done.json")
    }


def trained_again(folder: Path, again: Reproduce) -> set[str]:
    before = when(folder)
    again(1)
    return {place for place, moment in when(folder).items() if before.get(place) != moment}


@pytest.mark.slow
def test_conjnli_is_trained_over_seeds_once_and_gives_its_table(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert data.is_dir()
    folder = tmp_path / "x"
    given = settings(tmp_path)

    def again(workers: int) -> list[ReproducedExhibit]:
        rows = ["RoBERTa", "RoBERTa-M", "IAFT"]
        return reproduce(
            "conjnli",
            ["Table 7", "Section 6.5"],
            settings=given,
            train=folder,
            seeds=2,
            rows=rows,
            workers=workers,
            slim=True,
        )

    table, spread = again(2)
    ours = {
        (cell.row, cell.column): cell for cell in table.cells if cell.reading.startswith("mean")
    }
    assert set(ours) == {
        (row, column) for row in ("RoBERTa", "RoBERTa-M", "IAFT") for column in ("CD", "SD")
    }
    seeds = {cell.column: cell for cell in spread.cells if cell.row == "RoBERTa-M" and cell.n}
    assert (
        seeds["mean"].ours == pytest.approx(ours["RoBERTa", "CD"].ours)
        and seeds["mean"].published == 64.48
    )
    assert seeds["total-sd"].ours is not None
    assert all(cell.reading.startswith("mean of 2 seeds, sd ") for cell in ours.values())
    assert ours["IAFT", "CD"].n == 3 and ours["IAFT", "CD"].published == 69.18
    # Which data stood in, and nothing of sets that were not asked.
    assert len(table.notes) == 1 and table.notes[0].startswith("Trained here: ")
    assert " on conjnli/dev" not in capsys.readouterr().err
    assert set(when(folder)) == {
        f"{name}/seed-{seed}" for name in ("nli", "IAFT") for seed in (0, 1)
    }
    weights = {path.relative_to(folder).parts[0] for path in folder.rglob("*.safetensors")}
    assert weights == {"nli"}
    answers = {path.name for path in (folder / "answers").iterdir()}
    assert answers == {
        f"{row}-{seed}.jsonl" for row in ("RoBERTa", "RoBERTa-M", "IAFT") for seed in (0, 1)
    }
    assert trained_again(folder, again) == set()
    (folder / "IAFT" / "seed-1" / "done.json").unlink()
    assert trained_again(folder, again) == {"IAFT/seed-1"}


@pytest.fixture
def two_tasks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two tasks of PragmEval stand for its eighteen."""
    monkeypatch.setattr(_pragmeval, "CORPUS", {"GUM": "GUM", "STAC": "STAC"})
    monkeypatch.setattr(_pragmeval, "TOGETHER", ["GUM", "STAC"])


@pytest.mark.slow
@pytest.mark.usefixtures("two_tasks")
def test_pragmeval_is_trained_task_by_task_from_all_of_them_together(
    data: Path, tmp_path: Path
) -> None:
    assert data.is_dir()
    folder, given = tmp_path / "x", settings(tmp_path)

    def again(workers: int) -> list[ReproducedExhibit]:
        rows = ["BERT+PragmEval"]
        return reproduce(
            "pragmeval",
            ["Table 2"],
            settings=given,
            train=folder,
            rows=rows,
            seeds=2,
            workers=workers,
            slim=True,
        )

    (tasks,) = again(2)
    cells = [c for c in tasks.cells if c.judge == "BERT+PragmEval" and c.ours is not None]
    assert all("mean of 2 seeds" in cell.reading for cell in cells)
    on_test = [cell.column for cell in cells if cell.reading.startswith("on test")]
    assert sorted(on_test) == ["GUM", "STAC"] and len(cells) == 4
    assert len(when(folder)) == 2 * 3
    assert {path.parent for path in folder.rglob("*.safetensors")} == {
        folder / "tasks" / f"seed-{seed}" / "body" for seed in (0, 1)
    }
    (folder / "BERT+PragmEval" / "GUM" / "seed-0" / "done.json").unlink()
    assert trained_again(folder, again) == {"BERT+PragmEval/GUM/seed-0"}


@pytest.mark.slow
def test_imppres_trains_three_models_and_every_figure_is_made_of_them(
    data: Path, tmp_path: Path
) -> None:
    write_imppres(data)
    folder, given = tmp_path / "x", settings(tmp_path)
    given["vectors"] = given["base"]
    done = {
        one.exhibit.id: one for one in reproduce("imppres", settings=given, train=folder, slim=True)
    }
    for name in (f"Figure {n}" for n in range(2, 14)):
        measured = {cell.judge for cell in done[name].cells if cell.n}
        # A judge that passes no control of a paradigm has no cell there.
        assert measured == {"BERT"} if name == "Figure 4" else measured <= set(MODELS), name
        assert measured or name == "Figure 7", name
    assert {cell.judge for cell in done["Figure 5"].cells if cell.n} == set(MODELS)
    beside = [
        cell
        for cell in done["Figure 10"].cells
        if cell.judge == "InferSent" and cell.published is not None
    ]
    assert len(beside) == 12 and all(cell.ours is not None for cell in beside)
    assert done["Figure 5"].notes[0].startswith("Trained here: SNLI, MultiNLI and CAD-NLI pairs")
    assert set(when(folder)) == {f"{row}/seed-0" for row in MODELS}
    assert not list(folder.rglob("*.safetensors"))

    def again(workers: int) -> list[ReproducedExhibit]:
        return reproduce(
            "imppres",
            ["Figure 3"],
            settings=given,
            train=folder,
            rows=["BOW"],
            seeds=2,
            workers=workers,
            slim=True,
        )

    assert trained_again(folder, again) == {"BOW/seed-1"}
    (figure,) = again(1)
    assert {cell.judge for cell in figure.cells if "mean of 2 seeds" in cell.reading} == {"BOW"}


@pytest.mark.slow
def test_veridicalitys_model_is_trained_and_answers_sentences_with_other_verbs_too(
    data: Path, tmp_path: Path
) -> None:
    assert data.is_dir()
    folder, given = tmp_path / "x", settings(tmp_path)

    def again(workers: int) -> list[ReproducedExhibit]:
        names = ["Table 5", "Table 7", "Figure 2"]
        return reproduce(
            "veridicality", names, settings=given, train=folder, workers=workers, slim=True
        )

    table, swapped, figure = again(1)
    lines = (folder / "answers" / "BERT-0.jsonl").read_text(encoding="utf-8").splitlines()
    said = {row["id"]: row["probs"] for row in map(json.loads, lines)}
    ids = {name.rpartition("/")[0] for name in said}
    assert {"veridicality/positive", "veridicality/negative"} <= ids
    assert any(name.startswith("veridicality/swaps/0/") for name in said)
    # The released BERT gives way to the one just trained.
    (cell,) = [
        c for c in figure.cells if (c.row, c.column) == ("know that, positive", "entailment")
    ]
    assert cell.judge == "BERT" and cell.ours == pytest.approx(
        said["veridicality/positive/0"]["entailment"]
    )
    assert {cell.judge for cell in table.cells if cell.n and cell.judge} == {"BERT"}
    assert [cell for cell in swapped.cells if cell.judge == "BERT" and cell.ours is not None]
    assert trained_again(folder, again) == set()


@pytest.mark.slow
@pytest.mark.usefixtures("two_tasks")
def test_a_quick_training_is_one_epoch_over_a_sample(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert data.is_dir()
    monkeypatch.setattr("grice.papers.experiment.QUICK_PAIRS", 9)
    tables = reproduce(
        "pragmeval",
        ["Table 2"],
        train=tmp_path / "x",
        rows=["CBoW"],
        quick=True,
        settings={"cbow.epochs": "50"},
    )
    done = json.loads(next((tmp_path / "x").rglob("done.json")).read_text(encoding="utf-8"))
    assert "'epochs': '1'" in str(done)
    ours = [c for c in tables[0].cells if c.judge == "CBoW" and c.ours is not None]
    assert ours and {cell.kind for cell in ours} == {"trained"}
    assert any("A trial" in note for note in tables[0].notes)


@pytest.mark.slow
def test_what_fails_in_a_worker_is_said_with_the_place_of_its_training(
    data: Path, tmp_path: Path
) -> None:
    assert data.is_dir()
    spec = TrainingSpec(["snli/dev"])
    jobs = [TrainingJob(name, "encoder", spec, {"base": "./nowhere"}) for name in ("one", "two")]
    with pytest.raises(InputError, match=r"^(one|two): encoder/\./nowhere: no such folder"):
        train_jobs(jobs, tmp_path, Cluster("local", 2))


@pytest.mark.parametrize("workers", [1, 2])
def test_a_training_that_fails_takes_down_those_that_start_from_it_and_no_other(
    data: Path, tmp_path: Path, workers: int
) -> None:
    assert data.is_dir()
    (tmp_path / "made.py").write_text(FAILS, encoding="utf-8")
    spec, learner = TrainingSpec(["snli/dev"]), str(tmp_path / "made.py")
    jobs = [
        TrainingJob("bad", learner, spec, {"fails": "true"}),
        TrainingJob("after bad", learner, spec, {}, ("bad",)),
        TrainingJob("after that", learner, spec, {}, ("after bad",)),
        TrainingJob("good", learner, spec, {}),
    ]
    with pytest.raises(InputError, match=r"^bad: it failed \(3 of 4 trainings are left"):
        train_jobs(jobs, tmp_path / "x", Cluster("local", workers))
    assert [path.parent.name for path in (tmp_path / "x").glob("*/done.json")] == ["good"]


FAILS = """
from types import SimpleNamespace
from grice.core.errors import InputError
from grice.learners.training.results import SavedModel

class Made:
    def __init__(self, *, out, progress=None, fails="false"):
        self.out, self.fails = out, fails

    def make_examples(self, data, **_):
        return data

    def fit_tasks(self, train, dev):
        if self.fails == "true":
            raise InputError("it failed")
        return [SavedModel(SimpleNamespace(name=f"made/{self.out}"), self.out)]
"""
CRAMPED = """
import pathlib
from types import SimpleNamespace
from grice.core.errors import NoMemory
from grice.learners.training.results import SavedModel

class Made:
    def __init__(self, *, out, progress=None, times="0"):
        self.out, self.times = pathlib.Path(out), int(times)

    def make_examples(self, data, **_):
        return data

    def fit_tasks(self, train, dev):
        tries = self.out.parent / f"{self.out.name} tries"
        seen = len(tries.read_text()) if tries.exists() else 0
        tries.write_text("x" * (seen + 1))
        if seen < self.times:
            raise NoMemory("no room")
        return [SavedModel(SimpleNamespace(name=f"made/{self.out}"), self.out)]
"""


@pytest.mark.slow
def test_a_training_without_memory_is_tried_again_after_the_others_with_half_as_many(
    data: Path, tmp_path: Path
) -> None:
    assert data.is_dir()
    (tmp_path / "made.py").write_text(CRAMPED, encoding="utf-8")
    spec, learner, out = TrainingSpec(["snli/dev"]), str(tmp_path / "made.py"), tmp_path / "x"

    def jobs(**times: str) -> list[TrainingJob]:
        made = [TrainingJob(name, learner, spec, {"times": much}) for name, much in times.items()]
        return [*made, TrainingJob("after", learner, spec, {}, ("cramped",))]

    # Four at once, then two, then one.
    train_jobs(jobs(cramped="2", other="1", easy="0"), out, Cluster("local", 4))
    tries = {
        path.name.removesuffix(" tries"): len(path.read_text()) for path in out.glob("* tries")
    }
    assert tries == {"cramped": 3, "other": 2, "easy": 1, "after": 1}
    assert len(list(out.glob("*/done.json"))) == 4
    with pytest.raises(NoMemory, match=r"^cramped: no room \(2 of 3 trainings are left"):
        train_jobs(jobs(cramped="9", easy="0"), tmp_path / "y", Cluster("local", 2))
    # Alone, there is nothing to wait for.
    with pytest.raises(NoMemory, match=r"^cramped: no room \(2 of 3"):
        train_jobs(jobs(cramped="1", easy="0"), tmp_path / "z", Cluster("local", 1))


LEARNER = """
import os, pathlib, signal

class Dies:
    def __init__(self, *, out, **_):
        pathlib.Path(out, "was here").touch()
        os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.slow
def test_a_worker_that_is_killed_is_an_error_that_says_how_to_go_on(
    data: Path, tmp_path: Path
) -> None:
    assert data.is_dir()
    (tmp_path / "dies.py").write_text(LEARNER, encoding="utf-8")
    jobs = [
        TrainingJob(name, str(tmp_path / "dies.py"), TrainingSpec(["snli/dev"]), {})
        for name in ("one", "two")
    ]
    with pytest.raises(GriceError, match="a process was ended, possibly out of memory"):
        train_jobs(jobs, tmp_path / "x", Cluster("local", 2))
    assert list((tmp_path / "x").rglob("was here"))
