"""A finished training in its folder: taken as it is for the same request, done again for any other,
once at a time.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from grice import loading
from grice.core.errors import GriceError, InputError
from grice.learners.training import trainer
from grice.learners.training.folder import ANSWERS, DONE, FITTED, fingerprint_of, read_finished
from grice.learners.training.spec import TrainingData, TrainingSpec
from grice.storage.evaluation import evaluate
from tests.hand import wait_until
from tests.learners.test_learners import pairs, tiny_encoder, vectors
from tests.learners.training import train

ROOT = Path(__file__).parents[1]


class Counted:
    """How often something was really trained, and into which folders."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folders: list[str] = []
        real = trainer._run

        def run(learner: str, data: TrainingData, out: Path, *given: Any, **more: Any) -> Any:
            self.folders.append(out.name)
            return real(learner, data, out, *given, **more)

        monkeypatch.setattr(trainer, "_run", run)


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Counted:
    return Counted(monkeypatch)


@pytest.fixture
def data(tmp_path: Path) -> str:
    pairs().head(12).write(tmp_path / "pairs.jsonl")
    return str(tmp_path / "pairs.jsonl")


def bow(folder: Path, **more: str) -> dict[str, str]:
    return {"vectors": str(vectors(folder)), "epochs": "1", "batch_size": "8", **more}


def test_an_equal_request_is_taken_as_it_is(tmp_path: Path, data: str, counted: Counted) -> None:
    spec, given = TrainingSpec([data], [data]), bow(tmp_path)
    first = train("bow", spec, out=tmp_path / "m", settings=given)
    # The same in another order and as tuples.
    again = train(
        "bow",
        TrainingSpec((data,), (data,)),
        out=tmp_path / "m",
        settings=dict(reversed(given.items())),
    )
    assert again == first and counted.folders == ["m"]


def test_a_training_stopped_while_it_is_scored_is_not_trained_again(
    tmp_path: Path, data: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec, given = TrainingSpec([data], [data]), bow(tmp_path)
    real_measure, real_fit = trainer._measure, trainer._fit_stage
    n_fits = []

    def fit(*words: Any, **more: Any) -> Any:
        n_fits.append(1)
        return real_fit(*words, **more)

    def stop(*_: Any) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr(trainer, "_fit_stage", fit)
    monkeypatch.setattr(trainer, "_measure", stop)
    with pytest.raises(KeyboardInterrupt):
        train("bow", spec, out=tmp_path / "m", settings=given)
    assert (tmp_path / "m" / FITTED).is_file()
    monkeypatch.setattr(trainer, "_measure", real_measure)
    scored = train("bow", spec, out=tmp_path / "m", settings=given)
    assert len(n_fits) == 1 and not (tmp_path / "m" / FITTED).exists()
    other = train("bow", spec, out=tmp_path / "n", settings=given)
    assert scored.models[0].scores == other.models[0].scores
    (weights,) = (tmp_path / "m").rglob("*.safetensors")
    monkeypatch.setattr(trainer, "_measure", stop)
    with pytest.raises(KeyboardInterrupt):
        train("bow", spec, out=tmp_path / "m", settings={**given, "seed": "3"})
    weights.write_bytes(b"")
    monkeypatch.setattr(trainer, "_measure", real_measure)
    train("bow", spec, out=tmp_path / "m", settings={**given, "seed": "3"})
    assert len(n_fits) == 4, "damaged weights are trained again"


def test_another_setting_other_data_or_another_question_is_trained(
    tmp_path: Path, data: str, counted: Counted
) -> None:
    def run(spec: TrainingSpec, **more: str) -> None:
        train("bow", spec, out=tmp_path / "m", settings=bow(tmp_path, **more))

    run(TrainingSpec([data]))
    run(TrainingSpec([data]), learning_rate="0.1")
    run(TrainingSpec([data], ask=[data]), learning_rate="0.1")
    assert len(counted.folders) == 3
    pairs().head(9).write(Path(data))
    run(TrainingSpec([data], ask=[data]), learning_rate="0.1")
    assert len(counted.folders) == 4


def test_a_changed_file_that_a_setting_names_is_a_change(
    tmp_path: Path, data: str, counted: Counted
) -> None:
    given = bow(tmp_path)
    table = Path(given["vectors"])
    for text in (table.read_text(encoding="utf-8"), "dog 1 0\ncat 0 1\n", "dog 1 0\ncat 0 1\n"):
        table.write_text(text, encoding="utf-8")
        train("bow", TrainingSpec([data]), out=tmp_path / "m", settings=given)
    assert len(counted.folders) == 2


@pytest.mark.slow
def test_a_changed_folder_to_start_from_is_a_change(
    tmp_path: Path, data: str, counted: Counted
) -> None:
    given = {"base": tiny_encoder(tmp_path), "epochs": "1", "batch_size": "8", "max_length": "24"}
    spec = TrainingSpec([data], start=str(tmp_path / "a"))

    def later() -> None:
        train("encoder", spec, out=tmp_path / "b", settings=given)

    train("encoder", TrainingSpec([data]), out=tmp_path / "a", settings=given)
    later()
    later()
    assert counted.folders == ["a", "b"]
    train("encoder", TrainingSpec([data]), out=tmp_path / "a", settings={**given, "seed": "1"})
    later()
    assert counted.folders == ["a", "b", "a", "b"]


def test_changed_teachers_are_a_change(tmp_path: Path, data: str) -> None:
    places = [tmp_path / name for name in "ab"]
    for place in places:
        place.mkdir()
        (place / "model.safetensors").write_bytes(b"weights")
    given = {"teacher": ",".join(map(str, places))}
    spec = TrainingSpec([data])
    read = TrainingData(spec, {}, {data: "content"})
    before = trainer._request("distilled", spec, read, given)
    assert before == trainer._request("distilled", spec, read, given)
    (places[1] / "model.safetensors").write_bytes(b"others!")
    os.utime(places[1] / "model.safetensors", ns=(1, 1))
    assert before != trainer._request("distilled", spec, read, given)


def test_answers_are_left_as_recorded_ones(tmp_path: Path, data: str) -> None:
    done = train(
        "bow", TrainingSpec([data], ask=[data]), out=tmp_path / "m", settings=bow(tmp_path)
    )
    loaded = loading.load(data)
    read = evaluate(loaded, loading.load_judge(f"preds/{tmp_path / 'm' / ANSWERS}"))
    asked = evaluate(loaded, loading.load_judge(f"trained/{done.models[0].folder}"))
    assert read.frame["answer"].to_list() == asked.frame["answer"].to_list() and read.answered == 12


@pytest.mark.slow
def test_without_weights_answers_stay_and_of_several_tasks_the_body(
    tmp_path: Path, data: str
) -> None:
    pairs().head(8).write(tmp_path / "other.jsonl")
    given = {"base": tiny_encoder(tmp_path), "epochs": "1", "batch_size": "8", "max_length": "24"}
    spec = TrainingSpec([data, str(tmp_path / "other.jsonl")], mix="uniform", ask=[data])
    train("encoder", spec, out=tmp_path / "m", settings=given, keep=False)
    left = [
        path.relative_to(tmp_path / "m").as_posix()
        for path in (tmp_path / "m").rglob("*.safetensors")
    ]
    assert left == ["body/model.safetensors"] and (tmp_path / "m" / ANSWERS).is_file()
    # The body is what another training starts from.
    done = train(
        "encoder",
        TrainingSpec([data], start=str(tmp_path / "m")),
        out=tmp_path / "n",
        settings=given,
    )
    note = json.loads((tmp_path / "n" / "grice.json").read_text(encoding="utf-8"))
    assert (
        note["settings"]["base"] == str(tmp_path / "m" / "body")
        and done.models[0].folder.name == "n"
    )


def test_weights_that_are_wanted_and_gone_are_trained_again(
    tmp_path: Path, data: str, counted: Counted
) -> None:
    spec, given = TrainingSpec([data]), bow(tmp_path)
    train("bow", spec, out=tmp_path / "m", settings=given, keep=False)
    assert not list((tmp_path / "m").rglob("*.safetensors"))
    train("bow", spec, out=tmp_path / "m", settings=given, keep=False)
    assert len(counted.folders) == 1
    train("bow", spec, out=tmp_path / "m", settings=given)
    assert len(counted.folders) == 2
    (tmp_path / "m" / "model.safetensors").unlink()
    train("bow", spec, out=tmp_path / "m", settings=given)
    assert len(counted.folders) == 3


def test_weights_that_were_changed_are_not_taken_for_the_trained_ones(
    tmp_path: Path, data: str
) -> None:
    spec, given = TrainingSpec([data]), bow(tmp_path)
    train("bow", spec, out=tmp_path / "m", settings=given)
    before = fingerprint_of(tmp_path / "m")
    weights = tmp_path / "m" / "model.safetensors"
    raw = bytearray(weights.read_bytes())
    raw[-1] ^= 1
    weights.write_bytes(raw)
    assert fingerprint_of(tmp_path / "m") != before
    with pytest.raises(
        GriceError,
        match=r"model\.safetensors: not the weights that this training wrote; train into",
    ):
        train("bow", spec, out=tmp_path / "m", settings=given)
    (tmp_path / "m" / DONE).write_text("{")
    with pytest.raises(GriceError, match=r"done\.json: not JSON .*; delete it to train again"):
        train("bow", spec, out=tmp_path / "m", settings=given)


def test_a_training_that_fails_takes_back_what_an_earlier_one_said(
    tmp_path: Path, data: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else the earlier request would be answered by weights that may be another's."""
    train("bow", TrainingSpec([data]), out=tmp_path / "m", settings=bow(tmp_path))
    request = json.loads((tmp_path / "m" / DONE).read_text(encoding="utf-8"))["request"]
    assert read_finished(tmp_path / "m", request, weights=True) is not None

    def fails(*_: Any, **__: Any) -> None:
        raise InputError("no")

    monkeypatch.setattr(trainer, "_run", fails)
    with pytest.raises(InputError):
        train(
            "bow",
            TrainingSpec([data]),
            out=tmp_path / "m",
            settings=bow(tmp_path, learning_rate="0.1"),
        )
    assert read_finished(tmp_path / "m", request, weights=True) is None


PROGRAM = """
import sys, time
from pathlib import Path
from grice.learners.training import trainer
from grice.learners.training.spec import TrainingSpec
from grice.loading import load

real, (folder, data) = trainer._run, sys.argv[1:]

def slow(*given, **more):
    with Path(folder, "count").open("a") as out:
        out.write("trained\\n")
    while not Path(folder, "go").exists():
        time.sleep(0.01)
    return real(*given, **more)

trainer._run = slow
given = {"vectors": str(Path(folder, "vectors.txt")), "epochs": "1"}
trainer.train("bow", TrainingSpec([data]), load=load, out=Path(folder, "m"), settings=given)
"""


@pytest.mark.slow
def test_of_two_processes_on_one_folder_the_second_waits_and_takes_what_the_first_made(
    tmp_path: Path, data: str
) -> None:
    vectors(tmp_path)
    command = [sys.executable, "-c", PROGRAM, str(tmp_path), data]
    first = subprocess.Popen(command, stderr=subprocess.DEVNULL, cwd=ROOT)
    wait_until(lambda: (tmp_path / "count").exists())
    second = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=ROOT)
    assert second.stderr is not None
    assert any("another process trains here; waiting for it" in line for line in second.stderr)
    (tmp_path / "go").touch()
    told = second.communicate(timeout=120)[1]
    assert (first.wait(120), second.returncode) == (0, 0), told
    assert (tmp_path / "count").read_text(encoding="utf-8") == "trained\n"


@pytest.mark.slow
@pytest.mark.parametrize("kilobytes", [1, 4])
def test_weights_that_do_not_fit_onto_the_disk_are_told_in_one_line(
    tmp_path: Path, kilobytes: int
) -> None:
    rows = [
        {"premise": f"Ada ate {n} cakes.", "hypothesis": "She ate.", "label": label}
        for n, label in enumerate(("a", "b") * 9)
    ]
    (tmp_path / "pairs.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (tmp_path / "vectors.txt").write_text(
        "".join(f"{word} {'0.1 ' * 299}0.2\n" for word in ("ada", "ate", "cakes"))
    )
    words = (
        "-m grice train bow --on pairs.jsonl -o out -M epochs=2 -M vectors=vectors.txt -M"
        " save_seconds=0"
    )
    done = subprocess.run(
        ["bash", "-c", f"ulimit -f {kilobytes}; {sys.executable} {words}"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1 and "Traceback" not in done.stderr, done.stderr
    assert "cannot be written" in done.stderr.splitlines()[-1]
    assert not list(tmp_path.rglob("*.part"))
