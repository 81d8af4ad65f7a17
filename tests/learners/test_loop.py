"""The training loop: it learns, chooses its best epoch, and survives a kill."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from grice.core.errors import InputError, NoMemory
from grice.learners.training.arguments import TrainingArguments, recipe
from grice.learners.training.loop import train_model
from grice.learners.training.model import (
    EncodedExample,
    make_batches,
    pad_rows,
    predict,
    share_devices,
)
from grice.learners.training.optimizer import epochs_needed, linear_schedule
from grice.learners.training.results import TrainingProgress
from grice.learners.training.scores import macro_f1, span_f1, spans
from tests.learners.tiny_model import BagModel, run, task_examples

ROOT = Path(__file__).parents[2]
LOOP = str(ROOT / "tests" / "learners" / "tiny_model.py")


def program(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    places = [str(ROOT), os.environ.get("PYTHONPATH", "")]
    given = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(places),
        "OMP_NUM_THREADS": "1",
        **environment,
    }
    return subprocess.run(
        [sys.executable, *words], capture_output=True, text=True, env=given, check=False
    )


def test_training_learns_and_holds_the_weights_of_its_best_epoch(tmp_path: Path) -> None:
    torch.manual_seed(0)
    model = BagModel()
    arguments = TrainingArguments(epochs=30, batch_size=16, learning_rate=0.05, precision="fp32")
    result = train_model(
        model, [task_examples()], {"dev": task_examples(48, seed=3)}, arguments, folder=tmp_path
    )
    devs = [line["dev"] for line in result.history if "dev" in line]
    assert result.best_score == max(devs) > 0.45
    assert result.best_epoch == devs.index(max(devs)) + 1


def test_patience_stops_early() -> None:
    torch.manual_seed(0)
    arguments = TrainingArguments(
        epochs=60, batch_size=16, learning_rate=0.2, patience=2, precision="fp32"
    )
    result = train_model(
        BagModel(), [task_examples()], {"dev": task_examples(32, seed=9)}, arguments
    )
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
def test_a_killed_training_goes_on_to_the_same_running_mean(tmp_path: Path) -> None:
    arguments: dict[str, Any] = {"ema": 0.9, "save_steps": 0, "save_seconds": 0}
    whole = run(tmp_path / "whole", **arguments)
    killed = program(LOOP, str(tmp_path / "killed"), "3", ARGUMENTS=json.dumps(arguments))
    assert killed.returncode == -9 and (tmp_path / "killed" / "resume.pt").is_file()
    again = run(tmp_path / "killed", **arguments)
    assert all(torch.equal(whole[key], again[key]) for key in whole)
    plain = run(tmp_path / "plain", save_steps=0, save_seconds=0)
    assert not all(torch.equal(whole[key], plain[key]) for key in whole)


class Watched(BagModel):
    """Keeps the weights it was judged with."""

    def __init__(self) -> None:
        super().__init__()
        self.judged: list[list[torch.Tensor]] = []

    def decode(self, output: torch.Tensor, rows: Sequence[EncodedExample]) -> list[Any]:
        self.judged.append(weights(self))
        return super().decode(output, rows)


def weights(model: BagModel) -> list[torch.Tensor]:
    return [p.detach().clone() for p in model.module.parameters()]


@pytest.mark.parametrize("memory", [0.3, 0.99])
def test_a_running_mean_is_what_is_judged_and_given(memory: float) -> None:
    torch.manual_seed(0)
    model = Watched()
    mean, means, steps = weights(model), [], 0

    def report(progress: TrainingProgress) -> None:
        nonlocal mean, steps
        if progress.step == steps:
            # The start, or what dev gave after a step that was told already.
            return
        steps += 1
        # By hand: the memory, or less of it while few steps are made.
        held = min(memory, steps / (steps + 10))
        mean = [
            held * old + (1 - held) * new for old, new in zip(mean, weights(model), strict=True)
        ]
        means.append(mean)

    # One step an epoch, so that each is told.
    arguments = TrainingArguments(
        epochs=6, batch_size=96, learning_rate=0.05, precision="fp32", ema=memory
    )
    result = train_model(
        model, [task_examples()], {"dev": task_examples(32, seed=1)}, arguments, progress=report
    )
    assert len(model.judged) == len(means) == 6
    for ours, by_hand in zip(model.judged, means, strict=True):
        assert all(torch.allclose(a, b, atol=1e-6) for a, b in zip(ours, by_hand, strict=True))
    best = means[int(result.best_epoch) - 1]
    assert all(torch.allclose(a, b, atol=1e-6) for a, b in zip(weights(model), best, strict=True))


def test_without_dev_the_mean_of_the_last_step_is_given() -> None:
    torch.manual_seed(0)
    model = BagModel()
    seen: list[list[torch.Tensor]] = []
    arguments = TrainingArguments(
        epochs=3, batch_size=96, learning_rate=0.05, precision="fp32", ema=0.9
    )
    train_model(
        model, [task_examples()], {}, arguments, progress=lambda _: seen.append(weights(model))
    )
    assert not any(torch.equal(a, b) for a, b in zip(weights(model), seen[-1], strict=True))


def test_a_mean_remembers_less_than_all() -> None:
    with pytest.raises(InputError, match=r"-M ema is a number from 0 to less than 1, not 1\.0"):
        TrainingArguments(ema=1.0)


@pytest.mark.parametrize(
    ("least", "rows", "epochs"), [(0, 40, 3), (15, 40, 3), (16, 40, 4), (100, 40, 20), (7, 3, 7)]
)
def test_small_sets_get_epochs_until_the_least_steps_are_made(
    least: int, rows: int, epochs: int
) -> None:
    assert epochs_needed(TrainingArguments(epochs=3, batch_size=8, min_steps=least), rows) == epochs


def test_the_least_steps_are_made() -> None:
    torch.manual_seed(0)
    arguments = TrainingArguments(epochs=1, batch_size=32, min_steps=10, precision="fp32")
    result = train_model(
        BagModel(), [task_examples()], {"dev": task_examples(32, seed=1)}, arguments
    )
    assert [line["epoch"] for line in result.history if "dev" in line] == [1, 2, 3, 4]


def test_dev_is_scored_several_times_an_epoch_and_the_best_of_them_is_kept() -> None:
    torch.manual_seed(0)
    model = Watched()
    arguments = TrainingArguments(
        epochs=3, batch_size=8, learning_rate=0.2, precision="fp32", evals_per_epoch=4
    )
    result = train_model(model, [task_examples()], {"dev": task_examples(32, seed=3)}, arguments)
    found = {line["epoch"]: line["dev"] for line in result.history if "dev" in line}
    assert list(found) == [part / 4 for part in range(1, 13)]
    assert found[result.best_epoch] == result.best_score == max(found.values())
    held = model.judged[list(found).index(result.best_epoch)]
    assert all(torch.equal(a, b) for a, b in zip(weights(model), held, strict=True))


def test_dev_cannot_be_scored_less_than_once_an_epoch() -> None:
    with pytest.raises(InputError, match="-M evals_per_epoch is a whole number from 1 on, not 0"):
        TrainingArguments(evals_per_epoch=0)


class Killed(BaseException):
    """Ends a training from inside, as a signal would."""


def killed_in_epoch(epoch: int, folder: Path, **arguments: Any) -> None:
    def report(progress: TrainingProgress) -> None:
        if progress.epoch == epoch:
            raise Killed

    torch.manual_seed(1)
    given = TrainingArguments(
        epochs=4, batch_size=8, learning_rate=0.05, precision="fp32", **arguments
    )
    with pytest.raises(Killed):
        train_model(
            BagModel(0.3),
            [task_examples()],
            {"dev": task_examples(32, seed=1)},
            given,
            folder=folder,
            progress=report,
        )


def test_nothing_is_written_before_its_time_and_a_kill_after_it_goes_on(tmp_path: Path) -> None:
    whole = run(tmp_path / "whole", save_steps=0)
    killed_in_epoch(3, tmp_path / "soon", save_seconds=3600)
    assert not (tmp_path / "soon" / "resume.pt").exists()
    killed_in_epoch(3, tmp_path / "late", save_seconds=0)
    assert torch.load(tmp_path / "late" / "resume.pt", weights_only=True)["epoch"] == 2
    again = run(tmp_path / "late", save_steps=0, save_seconds=0)
    assert all(torch.equal(whole[key], again[key]) for key in whole)


def test_the_log_has_each_epoch_once_after_a_kill_and_after_another_training(
    tmp_path: Path,
) -> None:
    def epochs() -> list[int]:
        lines = map(json.loads, (tmp_path / "log.jsonl").read_text(encoding="utf-8").splitlines())
        return [line["epoch"] for line in lines if "dev" in line]

    killed_in_epoch(4, tmp_path, save_seconds=3600)
    assert epochs() == [1, 2, 3]
    run(tmp_path, save_steps=0)
    assert epochs() == [1, 2, 3, 4]
    run(tmp_path, save_steps=0, epochs=2)
    assert epochs() == [1, 2]


@pytest.mark.slow
def test_another_training_does_not_resume_from_a_folder(tmp_path: Path) -> None:
    program(LOOP, str(tmp_path), "3")
    with pytest.raises(InputError, match="unfinished training on other data or settings"):
        run(tmp_path, learning_rate=0.01)


def test_batches_are_of_one_task_and_hold_every_row_once() -> None:
    rows = [EncodedExample(np.ones(n % 7 + 1, np.int32), 0, task="ab"[n % 2]) for n in range(50)]
    made = make_batches(rows, 4, "0/0")
    assert all(len({row.task for row in batch}) == 1 for batch in made)
    assert sorted(map(id, (row for batch in made for row in batch))) == sorted(map(id, rows))
    assert [len(batch) for batch in make_batches(rows, 4, "0/0")] == [len(batch) for batch in made]


def test_the_rate_rises_and_falls_in_lines() -> None:
    assert linear_schedule(0.05, 0.1) == pytest.approx(0.5)
    assert linear_schedule(0.1, 0.1) == pytest.approx(1.0)
    assert linear_schedule(0.55, 0.1) == pytest.approx(0.5)
    assert linear_schedule(1.0, 0.1) == 0.0


def test_training_arguments_read_words_and_refuse_nonsense() -> None:
    assert (
        recipe("conjnli").with_settings({"learning_rate": "1e-5", "balanced": "true"}).learning_rate
        == 1e-5
    )
    with pytest.raises(InputError, match="-M epochs is a whole number from 1 on, not 'many'"):
        TrainingArguments().with_settings({"epochs": "many"})
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


def test_rows_of_any_lengths_are_filled_up_to_a_multiple() -> None:
    made, there = pad_rows([np.array([3, 1, 4]), np.array([1])], 9, multiple=4)
    assert made.tolist() == [[3, 1, 4, 9], [1, 9, 9, 9]]
    assert there.tolist() == [[True, True, True, False], [True, False, False, False]]


class Raises(BagModel):
    def __init__(self, error: Exception) -> None:
        super().__init__()
        self.error = error

    def losses(self, output: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:  # noqa: ARG002
        raise self.error


@pytest.mark.parametrize(
    "error",
    [
        torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 20.00 MiB."),
        torch.AcceleratorError(
            "CUDA error: out of memory\nSearch for `cudaErrorMemoryAllocation' in"
        ),
        RuntimeError("CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(handle)`"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_a_device_without_memory_is_one_line_with_a_remedy(error: RuntimeError) -> None:
    with pytest.raises(NoMemory, match="no memory left for batches of 8; with fewer --workers"):
        train_model(
            Raises(error), [task_examples()], {}, TrainingArguments(batch_size=8, precision="fp32")
        )
    # Nor has it room for a model that is only asked, such as a teacher.
    model = BagModel()

    def full(*_: object) -> None:
        raise error

    model.module.to = full  # type: ignore[method-assign,assignment]
    with pytest.raises(
        NoMemory, match="no memory left for a model that is to answer; the same command goes on"
    ):
        predict(model, model.encode(task_examples()), 64)


class Small(BagModel):
    """On a device whose memory holds so many rows at once."""

    def __init__(self, most: int) -> None:
        torch.manual_seed(1)
        super().__init__()
        self.most = most

    def collate(self, rows: Sequence[EncodedExample]) -> dict[str, Any]:
        if len(rows) > self.most:
            raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 20.00 MiB.")
        return super().collate(rows)


def test_a_device_with_little_memory_is_asked_fewer_rows_at_once() -> None:
    rows = Small(1).encode(task_examples())
    plain = predict(Small(64), rows, 64)
    for most in (1, 7):
        assert np.allclose(np.stack(predict(Small(most), rows, 64)), np.stack(plain), atol=1e-6)
    with pytest.raises(NoMemory, match="no memory left for a single text"):
        predict(Small(0), rows, 64)


def test_a_trained_module_holds_no_gradients() -> None:
    model = BagModel()
    train_model(
        model, [task_examples()], {}, TrainingArguments(epochs=1, batch_size=8, precision="fp32")
    )
    assert all(weight.grad is None for weight in model.module.parameters())


def test_another_error_of_the_device_is_not_taken_for_want_of_memory() -> None:
    broken = Raises(RuntimeError("device-side assert triggered"))
    with pytest.raises(RuntimeError, match="device-side assert"):
        train_model(
            broken, [task_examples()], {}, TrainingArguments(batch_size=8, precision="fp32")
        )


@pytest.mark.parametrize(
    ("count", "workers", "used"),
    [(2, 4, {0: 0.5, 1: 0.5, 2: 0.5, 3: 0.5}), (4, 2, {0: 1.0, 1: 1.0})],
)
def test_workers_take_turns_with_the_devices_and_share_their_memory(
    monkeypatch: pytest.MonkeyPatch, count: int, workers: int, used: Mapping[int, float]
) -> None:
    said: list[tuple[str, float]] = []
    monkeypatch.setattr(torch.cuda, "device_count", lambda: count)
    monkeypatch.setattr(torch.cuda, "set_device", lambda place: said.append(("device", place)))
    monkeypatch.setattr(
        torch.cuda, "set_per_process_memory_fraction", lambda share: said.append(("share", share))
    )
    for place in used:
        share_devices(place, workers)
    assert [value for kind, value in said if kind == "device"] == [place % count for place in used]
    assert [value for kind, value in said if kind == "share"] == list(used.values())
