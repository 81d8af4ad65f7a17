"""`reproduce --train` from data to table: small real trainings on hand-made data in the published formats."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from grice.core.errors import GriceError, InputError, NoMemory
from grice.core.exhibit import ReproducedExhibit
from grice.learners.training.stages import TrainingSpec
from grice.papers import training as _training
from grice.papers.experiment import Unit, run
from grice.verbs.reproduce import Training, reproduce
from tests.datasets.formats import put
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
        write_cad_nli, write_conjnli, write_nli_variation, write_pragmeval, write_snli, write_veridicality,
    ):  # fmt: skip
        write(folder)
    rows = [
        {
            "premise": f"{item.premise} A bird and a bee.",
            "hypothesis": item.hypothesis,
            "label": item.gold["label"],
        }
        for item in pairs().head(12).items()
    ]
    lines = [json.dumps({**row, "source": source}) + "\n" for source in ("snli", "mnli") for row in rows]
    put(folder / "nli_train" / "snli_mnli_anli_subset.jsonl.gz", gzip.compress("".join(lines).encode()))
    return folder


def settings(folder: Path) -> dict[str, str]:
    return {"base": tiny_encoder(folder), "epochs": "1", "batch": "16", "max_length": "24"}


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
        training = Training(folder, seeds=2, rows=rows, workers=workers, slim=True)
        return reproduce("conjnli", ["Table 7", "Section 6.5"], settings=given, train=training)

    table, spread = again(2)
    ours = {(cell.row, cell.column): cell for cell in table.cells if cell.reading.startswith("mean")}
    assert set(ours) == {(row, column) for row in ("RoBERTa", "RoBERTa-M", "IAFT") for column in ("CD", "SD")}
    seeds = {cell.column: cell for cell in spread.cells if cell.row == "RoBERTa-M" and cell.n}
    assert (
        seeds["mean"].ours == pytest.approx(ours["RoBERTa", "CD"].ours) and seeds["mean"].published == 64.48
    )
    assert seeds["total-sd"].ours is not None
    assert all(cell.reading.startswith("mean of 2 seeds, sd ") for cell in ours.values())
    assert ours["IAFT", "CD"].n == 3 and ours["IAFT", "CD"].published == 69.18
    # Which data stood in, and nothing of sets that were not asked.
    assert len(table.notes) == 1 and table.notes[0].startswith("Trained here: ")
    assert " on conjnli/dev" not in capsys.readouterr().err
    assert set(when(folder)) == {f"{name}/seed-{seed}" for name in ("nli", "IAFT") for seed in (0, 1)}
    weights = {path.relative_to(folder).parts[0] for path in folder.rglob("*.safetensors")}
    assert weights == {"nli"}
    answers = {path.name for path in (folder / "answers").iterdir()}
    assert answers == {f"{row}-{seed}.jsonl" for row in ("RoBERTa", "RoBERTa-M", "IAFT") for seed in (0, 1)}
    assert trained_again(folder, again) == set()
    (folder / "IAFT" / "seed-1" / "done.json").unlink()
    assert trained_again(folder, again) == {"IAFT/seed-1"}


@pytest.mark.slow
def test_pragmeval_is_trained_task_by_task_from_all_of_them_together(data: Path, tmp_path: Path) -> None:
    assert data.is_dir()
    folder, given = tmp_path / "x", settings(tmp_path)

    def again(workers: int) -> list[ReproducedExhibit]:
        training = Training(folder, seeds=2, rows=["BERT+PragmEval"], workers=workers, slim=True)
        return reproduce("pragmeval", ["Table 2", "Table 3"], settings=given, train=training)

    tasks, averages = again(2)
    cells = [cell for cell in tasks.cells if cell.judge == "BERT+PragmEval"]
    assert len(cells) == 11 and all("mean of 2 seeds" in cell.reading for cell in cells)
    (mean,) = [c for c in averages.cells if c.judge == "BERT+PragmEval" and c.column == "PragmEval-AVG"]
    assert mean.ours == pytest.approx(sum(cell.ours or 0 for cell in cells) / 11)
    assert len(when(folder)) == 2 * 19
    assert {path.parent for path in folder.rglob("*.safetensors")} == {
        folder / "tasks" / f"seed-{seed}" / "body" for seed in (0, 1)
    }
    (folder / "BERT+PragmEval" / "GUM" / "seed-0" / "done.json").unlink()
    assert trained_again(folder, again) == {"BERT+PragmEval/GUM/seed-0"}


@pytest.mark.slow
def test_a_task_is_taught_by_larger_models_after_inference_and_all_tasks_together(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from safetensors.torch import load_file

    assert data.is_dir()
    monkeypatch.setattr(_training, "CORPUS", {"STAC": "STAC", "GUM": "GUM"})
    title = "BERT+MNLI+PragmEval"
    # The tasks together learn nothing, so that what they started from can be seen.
    given = settings(tmp_path) | {"nli.rate": "1e-2", "tasks.rate": "1e-12", "GUM.batch": "2"}

    def again(name: str, row: str, *, slim: bool, **more: str) -> set[tuple[str, str]]:
        training = Training(tmp_path / name, rows=[row], slim=slim)
        (table,) = reproduce("pragmeval", ["Table 2"], settings=given | more, train=training)
        return {(cell.judge, cell.column) for cell in table.cells if cell.judge == row and cell.n}

    assert again("large", title, slim=False) == {(title, "STAC"), (title, "GUM")}
    taught = f"{title}, taught"
    assert again("small", taught, slim=True, teachers=str(tmp_path / "large")) == {
        (taught, "STAC"),
        (taught, "GUM"),
    }
    folder = tmp_path / "small"
    assert {path.parent.relative_to(folder).as_posix() for path in folder.rglob("*.safetensors")} == {
        "nli/seed-0",
        "nli, tasks/seed-0/body",
    }
    weights = {
        name: load_file(tmp_path / name / "model.safetensors")
        for name in ("tiny", "small/nli/seed-0", "small/nli, tasks/seed-0/body")
    }
    plain, first, second = (
        next(value for key, value in one.items() if key.endswith("word_embeddings.weight"))
        for one in weights.values()
    )
    assert second.allclose(first, atol=1e-6) and not second.allclose(plain, atol=1e-4)


@pytest.mark.slow
def test_conjnlis_baseline_and_iaft_are_taught_by_other_baselines(data: Path, tmp_path: Path) -> None:
    assert data.is_dir()
    given = settings(tmp_path)
    large, small = tmp_path / "large", tmp_path / "small"
    first = Training(large, seeds=2, rows=["RoBERTa"], slim=True)
    reproduce("conjnli", ["Table 7"], settings=given, train=first)
    then = Training(small, rows=["RoBERTa", "IAFT", "IAFT, taught"], slim=True)
    more = {"teachers": str(large), "nli.extra": "0.5"}
    (table,) = reproduce("conjnli", ["Table 7"], settings=given | more, train=then)
    assert {cell.judge for cell in table.cells if cell.n} >= {"RoBERTa", "IAFT", "IAFT, taught"}
    assert any(note.endswith(f"Teachers: the models in {large}.") for note in table.notes)
    for name in ("nli", "IAFT, taught"):
        asked = json.loads((small / name / "seed-0" / "done.json").read_text())["request"]
        assert asked["learner"] == "distilled"
        assert asked["settings"]["teacher"] == ",".join(f"{large}/nli/seed-{seed}" for seed in (0, 1))
    assert set(when(small)) == {"nli/seed-0", "IAFT/seed-0", "IAFT, taught/seed-0"}


@pytest.mark.slow
def test_what_fails_in_a_worker_is_said_with_the_place_of_its_training(data: Path, tmp_path: Path) -> None:
    assert data.is_dir()
    spec = TrainingSpec(["snli/dev"])
    units = [Unit(name, "encoder", spec, {"base": "./nowhere"}) for name in ("one", "two")]
    with pytest.raises(InputError, match=r"^(one|two): encoder/\./nowhere: no such folder"):
        run(units, tmp_path, workers=2)


@pytest.mark.parametrize("workers", [1, 2])
def test_a_training_that_fails_takes_down_those_that_start_from_it_and_no_other(
    data: Path, tmp_path: Path, workers: int
) -> None:
    assert data.is_dir()
    (tmp_path / "made.py").write_text(FAILS, encoding="utf-8")
    spec, learner = TrainingSpec(["snli/dev"]), str(tmp_path / "made.py")
    units = [
        Unit("bad", learner, spec, {"fails": "true"}),
        Unit("after bad", learner, spec, {}, ("bad",)),
        Unit("after that", learner, spec, {}, ("after bad",)),
        Unit("good", learner, spec, {}),
    ]
    with pytest.raises(InputError, match=r"^bad: it failed \(3 of 4 trainings are left"):
        run(units, tmp_path / "x", workers=workers)
    assert [path.parent.name for path in (tmp_path / "x").glob("*/done.json")] == ["good"]


FAILS = """
from types import SimpleNamespace
from grice.core.errors import InputError

class Made:
    def __init__(self, *, out, told=None, fails="false"):
        self.out, self.fails = out, fails

    def lesson(self, data, **_):
        return data

    def teach(self, lessons, dev):
        if self.fails == "true":
            raise InputError("it failed")
        return [SimpleNamespace(name=f"made/{self.out}")]
"""
CRAMPED = """
import pathlib
from types import SimpleNamespace
from grice.core.errors import NoMemory

class Made:
    def __init__(self, *, out, told=None, times="0"):
        self.out, self.times = pathlib.Path(out), int(times)

    def lesson(self, data, **_):
        return data

    def teach(self, lessons, dev):
        tries = self.out.parent / f"{self.out.name} tries"
        seen = len(tries.read_text()) if tries.exists() else 0
        tries.write_text("x" * (seen + 1))
        if seen < self.times:
            raise NoMemory("no room")
        return [SimpleNamespace(name=f"made/{self.out}")]
"""


@pytest.mark.slow
def test_a_training_without_memory_is_tried_again_after_the_others_with_half_as_many(
    data: Path, tmp_path: Path
) -> None:
    assert data.is_dir()
    (tmp_path / "made.py").write_text(CRAMPED, encoding="utf-8")
    spec, learner, out = TrainingSpec(["snli/dev"]), str(tmp_path / "made.py"), tmp_path / "x"

    def units(**times: str) -> list[Unit]:
        made = [Unit(name, learner, spec, {"times": much}) for name, much in times.items()]
        return [*made, Unit("after", learner, spec, {}, ("cramped",))]

    # Four at once, then two, then one.
    run(units(cramped="2", other="1", easy="0"), out, workers=4)
    tries = {path.name.removesuffix(" tries"): len(path.read_text()) for path in out.glob("* tries")}
    assert tries == {"cramped": 3, "other": 2, "easy": 1, "after": 1}
    assert len(list(out.glob("*/done.json"))) == 4
    with pytest.raises(NoMemory, match=r"^cramped: no room \(2 of 3 trainings are left"):
        run(units(cramped="9", easy="0"), tmp_path / "y", workers=2)
    # Alone, there is nothing to wait for.
    with pytest.raises(NoMemory, match=r"^cramped: no room \(2 of 3"):
        run(units(cramped="1", easy="0"), tmp_path / "z", workers=1)


LEARNER = """
import os, pathlib, signal

class Dies:
    def __init__(self, *, out, **_):
        pathlib.Path(out, "was here").touch()
        os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.slow
def test_a_worker_that_is_killed_is_an_error_that_says_how_to_go_on(data: Path, tmp_path: Path) -> None:
    assert data.is_dir()
    (tmp_path / "dies.py").write_text(LEARNER, encoding="utf-8")
    units = [Unit(name, str(tmp_path / "dies.py"), TrainingSpec(["snli/dev"]), {}) for name in ("one", "two")]
    with pytest.raises(GriceError, match="a process was ended, perhaps for want of memory"):
        run(units, tmp_path / "x", workers=2)
    assert list((tmp_path / "x").rglob("was here"))
