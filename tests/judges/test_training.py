"""The training loop: it learns, chooses its best epoch, survives a kill, and shares work between processes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch

from grice.core.errors import InputError
from grice.judges._marks import macro_f1, span_f1, spans
from grice.judges._plan import Plan, recipe
from grice.judges._training import Row, batched, ramp, teach
from tests.judges.loop import BagPupil, lesson, run

ROOT = Path(__file__).parents[2]
LOOP = str(ROOT / "tests" / "judges" / "loop.py")


def program(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    given = {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1", **environment}
    return subprocess.run([sys.executable, *words], capture_output=True, text=True, env=given, check=False)


def test_training_learns_and_holds_the_weights_of_its_best_epoch(tmp_path: Path) -> None:
    torch.manual_seed(0)
    pupil = BagPupil()
    plan = Plan(epochs=30, batch=16, rate=0.05, precision="fp32")
    result = teach(pupil, [lesson()], {"dev": lesson(48, seed=3)}, plan, folder=tmp_path)
    devs = [line["dev"] for line in result.history if "dev" in line]
    assert result.best == max(devs) > 0.45
    assert result.best_epoch == devs.index(max(devs)) + 1


def test_patience_stops_early() -> None:
    torch.manual_seed(0)
    plan = Plan(epochs=60, batch=16, rate=0.2, patience=2, precision="fp32")
    result = teach(BagPupil(), [lesson()], {"dev": lesson(32, seed=9)}, plan)
    ended = max(line["epoch"] for line in result.history)
    assert ended < 60 and ended == result.best_epoch + 2


@pytest.mark.slow
def test_a_killed_training_goes_on_to_the_same_weights(tmp_path: Path) -> None:
    whole = run(tmp_path / "whole")
    killed = program(LOOP, str(tmp_path / "killed"), "3")
    assert killed.returncode == -9 and (tmp_path / "killed" / "resume.pt").is_file()
    done = program(LOOP, str(tmp_path / "killed"))
    assert done.returncode == 0, done.stderr
    again = torch.load(tmp_path / "killed" / "weights.pt")
    assert all(torch.equal(whole[key], again[key]) for key in whole)
    assert not (tmp_path / "killed" / "resume.pt").exists()


@pytest.mark.slow
def test_another_training_does_not_resume_from_a_folder(tmp_path: Path) -> None:
    program(LOOP, str(tmp_path), "3")
    with pytest.raises(InputError, match="unfinished training on other data or settings"):
        run(tmp_path, rate=0.01)


@pytest.mark.slow
def test_two_processes_train_the_same_model_as_one(tmp_path: Path) -> None:
    one = run(tmp_path / "one", dropout=0.0)
    launch = [
        "-m",
        "accelerate.commands.launch",
        "--cpu",
        "--num_processes=2",
        "--num_machines=1",
        "--mixed_precision=no",
        "--dynamo_backend=no",
        "--main_process_port=0",
    ]
    done = program(*launch, LOOP, str(tmp_path / "two"), DROPOUT="0")
    assert done.returncode == 0, done.stderr[-2000:]
    two = torch.load(tmp_path / "two" / "weights.pt")
    # Sums in another order: AdamW divides tiny gradients by tiny roots, so the last digits move.
    assert all(torch.allclose(one[key], two[key], atol=1e-3) for key in one)


def test_batches_are_of_one_task_and_hold_every_row_once() -> None:
    rows = [Row([1] * (n % 7 + 1), 0, task="ab"[n % 2]) for n in range(50)]
    made = batched(rows, 4, "0/0")
    assert all(len({row.task for row in batch}) == 1 for batch in made)
    assert sorted(map(id, (row for batch in made for row in batch))) == sorted(map(id, rows))
    assert [len(batch) for batch in batched(rows, 4, "0/0")] == [len(batch) for batch in made]


def test_the_rate_rises_and_falls_in_lines() -> None:
    assert ramp(0.05, 0.1) == pytest.approx(0.5)
    assert ramp(0.1, 0.1) == pytest.approx(1.0)
    assert ramp(0.55, 0.1) == pytest.approx(0.5)
    assert ramp(1.0, 0.1) == 0.0


def test_a_plan_reads_words_and_refuses_nonsense() -> None:
    assert recipe("conjnli").changed({"rate": "1e-5", "balanced": "true"}).rate == 1e-5
    with pytest.raises(InputError, match="-M epochs takes int, not 'many'"):
        Plan().changed({"epochs": "many"})
    with pytest.raises(InputError, match=r"no recipe is called 'unly'\. Did you mean 'unli'"):
        recipe("unly")


def test_span_f1_counts_labelled_spans_and_not_the_given_verb() -> None:
    gold = ["B-ARG0", "I-ARG0", "B-V", "B-ARG1", "O"]
    said = ["B-ARG0", "O", "B-V", "B-ARG1", "O"]
    assert spans(gold) == {("ARG0", 0, 2), ("ARG1", 3, 4)}
    assert span_f1([said], [gold]) == pytest.approx(0.5)


def test_macro_f1_counts_labels_that_never_occur() -> None:
    import numpy as np

    assert macro_f1(np.array([0, 0]), np.array([0, 0]), 4) == pytest.approx(0.25)
