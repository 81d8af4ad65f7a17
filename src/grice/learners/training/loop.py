"""The training loop: batches by length, linear decay, best epoch on dev, resumable.

It needs torch and numpy alone, so that it runs wherever those are.
"""

from __future__ import annotations

import hashlib
import json
import math
import platform
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn

from grice.core.errors import InputError, NoMemory, first_line
from grice.core.files import write_atomically
from grice.learners.training.arguments import TrainingArguments
from grice.learners.training.cuda_graphs import GraphRecorder
from grice.learners.training.examples import NamedExamples, TaskExamples, balance_labels
from grice.learners.training.folder import saving
from grice.learners.training.model import (
    EncodedExample,
    TrainableModel,
    TrainBatch,
    make_batches,
    predict_with_losses,
)
from grice.learners.training.optimizer import Ema, epochs_needed, linear_schedule, make_optimizer
from grice.learners.training.results import TrainingCallback, TrainingProgress
from grice.learners.training.scores import dev_score
from grice.models.batching import prefetch
from grice.models.torch import no_memory, release

RESUME, LOG, ENVIRONMENT = "resume.pt", "log.jsonl", "environment.json"
# Steps between two readings of the loss: each waits for the device.
LOG_STEPS = 20


@dataclass
class TrainOutput:
    """The result of the loop: all logged lines, and the best epoch with its dev score.

    The module holds the weights of that epoch.
    """

    history: list[dict[str, Any]] = field(default_factory=list)
    best_epoch: float = 0
    best_score: float | None = None


def train_model(
    model: TrainableModel,
    train: Sequence[TaskExamples],
    dev: NamedExamples,
    arguments: TrainingArguments,
    *,
    folder: Path | None = None,
    progress: TrainingCallback | None = None,
) -> TrainOutput:
    """Train the model's module in place; each epoch uses the examples that its task sets select.

    The resume checkpoint, the log and the environment are written to `folder`.
    """
    rows = [
        model.encode(task_set)
        for task_set in (balance_labels(train, arguments.balanced) if arguments.balanced else train)
    ]

    def epoch_rows(epoch: int) -> list[EncodedExample]:
        chosen = zip(train, rows, strict=True)
        return [
            encoded[index]
            for task_set, encoded in chosen
            for index in task_set.epoch_indices(epoch, arguments.seed)
        ]

    dev_rows = {name: model.encode(task_set) for name, task_set in dev.items()}
    try:
        return TrainingLoop(model, epoch_rows, dev_rows, arguments, folder, progress).run()
    except RuntimeError as error:
        if not no_memory(error):
            raise
        raise NoMemory(
            f"the device has no memory left for batches of {arguments.batch_size}; with fewer"
            " --workers the same command goes on, with a smaller -M batch_size or -M"
            " cuda_graphs=false it begins again in another folder"
        ) from None
    finally:
        # Captured graphs and the optimizer's numbers are several times the model, which is yet to
        # answer.
        release()


@dataclass
class TrainingLoop:
    """Training of a model's module in place; the mean score on the `dev` sets chooses the epoch."""

    model: TrainableModel
    epoch_rows: Callable[[int], Sequence[EncodedExample]]
    dev: Mapping[str, Sequence[EncodedExample]]
    arguments: TrainingArguments
    folder: Path | None = None
    progress: TrainingCallback | None = None

    def __post_init__(self) -> None:
        model, arguments, rows = self.model, self.arguments, self.epoch_rows(0)
        bf16 = arguments.precision == "bf16" or (
            arguments.precision == "auto" and torch.cuda.is_available()
        )
        on_mps = torch.backends.mps.is_available()
        self.device = "cuda" if torch.cuda.is_available() else "mps" if on_mps else "cpu"
        self.autocast: Callable[[], AbstractContextManager[Any]] = (
            partial(torch.autocast, self.device, torch.bfloat16) if bf16 else nullcontext
        )
        torch.manual_seed(arguments.seed)
        self.module = model.module.to(self.device)
        self.optimizer = make_optimizer(self.module, arguments, fused=self.device != "mps")
        self.result = TrainOutput()
        self.best_state: dict[str, torch.Tensor] | None = None
        self.first_epoch, self.first_step = 0, 0
        self.epochs = epochs_needed(arguments, len(rows))
        self.weights = [p for p in model.module.parameters() if p.requires_grad]
        graphs = self.device == "cuda" and arguments.cuda_graphs
        self.recorder = GraphRecorder(self._passes, self.weights) if graphs else None
        self.ema = Ema(model.module, arguments.ema) if arguments.ema else None
        self.saved_at = time.monotonic()
        self.clock: tuple[float, float] | None = None
        self.told = TrainingProgress(
            1, self.epochs, 0, self.epochs * math.ceil(len(rows) / arguments.batch_size)
        )

    def run(self) -> TrainOutput:
        """Train from the beginning, or from the last state that an interrupted run saved."""
        with torch.cuda.stream(self.recorder.stream) if self.recorder else nullcontext():
            trained = self._run()
        for weight in self.weights:
            weight.grad = None
        return trained

    def _run(self) -> TrainOutput:
        self._resume()
        self._record_environment()
        self._tell(self.told)
        for epoch in range(self.first_epoch, self.epochs):
            self._epoch(epoch)
            if self._evaluate(epoch + 1):
                break
            self.first_step = 0
            if time.monotonic() - self.saved_at >= self.arguments.save_seconds:
                self._save(epoch + 1, 0)
        if self.recorder:
            self._log({"recorded": len(self.recorder.recorded), "refused": self.recorder.refused})
        if self.ema:
            self.ema.copy_to_module()
        if self.best_state is not None:
            self.module.load_state_dict(self.best_state)
        if self.folder:
            (self.folder / RESUME).unlink(missing_ok=True)
        return self.result

    def _epoch(self, epoch: int) -> None:
        arguments = self.arguments
        batches = make_batches(
            self.epoch_rows(epoch), arguments.batch_size, f"{arguments.seed}/{epoch}"
        )
        times = arguments.evals_per_epoch
        eval_steps = {round(len(batches) * part / times) for part in range(1, times)}
        self.module.train()
        seen, began, total = 0, time.perf_counter(), torch.zeros((), device=self.device)
        for step, batch in enumerate(
            prefetch(self._batches(batches[self.first_step :])), self.first_step + 1
        ):
            done = epoch + step / len(batches)
            total += self._step((done - 1 / len(batches)) / self.epochs, batch)
            seen += len(batches[step - 1])
            last = step == len(batches)
            if step % LOG_STEPS == 0 or last:
                loss = total.item() / ((step - 1) % LOG_STEPS + 1)
                total.zero_()
                pace = seen / (time.perf_counter() - began)
                self._report(epoch, step, loss, pace, len(batches))
            if step in eval_steps and not last:
                self._evaluate(round(done, 3))
                self.module.train()
            if arguments.save_steps and step % arguments.save_steps == 0 and not last:
                self._save(epoch, step)

    def _batches(self, rows_of_batches: Sequence[Sequence[EncodedExample]]) -> Iterator[TrainBatch]:
        """Yield batches of examples whose weights sum to 1."""
        for rows in rows_of_batches:
            share = 1 / sum(row.weight for row in rows)
            weights = np.array([row.weight * share for row in rows], np.float32)
            yield TrainBatch.collate(self.model, rows, weights)

    def _step(self, done: float, batch: TrainBatch) -> torch.Tensor:
        for group in self.optimizer.param_groups:
            group["lr"] = self.arguments.learning_rate * linear_schedule(
                done, self.arguments.warmup_ratio
            )
        if self.recorder:
            loss = self.recorder(batch)
        else:
            self.optimizer.zero_grad()
            loss = self._passes(batch.to(self.device))
        if self.arguments.max_grad_norm:
            nn.utils.clip_grad_norm_(self.weights, self.arguments.max_grad_norm)
        self.optimizer.step()
        if self.ema:
            self.ema.update()
        return loss

    def _passes(self, batch: TrainBatch) -> torch.Tensor:
        with self.autocast():
            output = self.module(**batch.inputs)
        loss = (self.model.losses(output, batch.targets) * batch.weights).sum()
        torch.autograd.backward(loss)
        return loss.detach()

    def _evaluate(self, epoch: float) -> bool:
        """Score dev after so many epochs and keep the best weights; whether to stop."""
        if not self.dev:
            return False
        with self.ema.average_parameters() if self.ema else nullcontext():
            scores = {task: self._score(rows) for task, rows in self.dev.items()}
            mean = sum(scores.values()) / len(scores)
            self._log(
                {"epoch": epoch, "dev": mean, **({"tasks": scores} if len(scores) > 1 else {})}
            )
            self._tell(replace(self.told, dev=mean))
            if self.result.best_score is None or mean > self.result.best_score:
                self.result.best_score, self.result.best_epoch = mean, epoch
                held = self.module.state_dict().items()
                self.best_state = {key: value.detach().to("cpu", copy=True) for key, value in held}
        waited = epoch - self.result.best_epoch
        return bool(self.arguments.patience) and waited >= self.arguments.patience

    def _score(self, rows: Sequence[EncodedExample]) -> float:
        size = self.arguments.batch_size * 4
        answers, losses = predict_with_losses(
            self.model, rows, size, device=self.device, autocast=self.autocast
        )
        measure = self.arguments.measure or (
            "pearson" if isinstance(rows[0].target, float) else "accuracy"
        )
        return dev_score(measure, answers, [row.target for row in rows], losses)

    def _report(self, epoch: int, step: int, loss: float, pace: float, each: int) -> None:
        done, steps = epoch * each + step, self.epochs * each
        self.clock = self.clock or (done, time.perf_counter())
        since, began = self.clock
        left = (
            (steps - done) * (time.perf_counter() - began) / (done - since)
            if done > since
            else None
        )
        self._log(
            {
                "epoch": epoch + 1,
                "step": step,
                "loss": round(loss, 6),
                "rows_per_second": round(pace, 1),
            }
        )
        self._tell(
            TrainingProgress(epoch + 1, self.epochs, done, steps, loss, pace, left, self.told.dev)
        )

    def _tell(self, progress: TrainingProgress) -> None:
        self.told = progress
        if self.progress:
            self.progress(progress)

    def _log(self, line: dict[str, Any]) -> None:
        self.result.history.append(line)
        if self.folder:
            self.folder.mkdir(parents=True, exist_ok=True)
            with (self.folder / LOG).open("a", encoding="utf-8") as out:
                out.write(json.dumps(line) + "\n")

    def _record_environment(self) -> None:
        if self.folder:
            self.folder.mkdir(parents=True, exist_ok=True)
            used = {"arguments": asdict(self.arguments)}
            text = json.dumps(describe_environment() | used, indent=1)
            (self.folder / ENVIRONMENT).write_text(text + "\n", encoding="utf-8")
            # Lines of an earlier training here, or of steps that a kill lost, are not of this one.
            lines = (json.dumps(line) + "\n" for line in self.result.history)
            (self.folder / LOG).write_text("".join(lines), encoding="utf-8")

    def _signature(self) -> str:
        rows = self.epoch_rows(0)
        text = json.dumps(
            [asdict(self.arguments), len(rows), [row.ids.tolist() for row in rows[:64]]],
            default=str,
        )
        return hashlib.sha256(text.encode()).hexdigest()

    def _save(self, epoch: int, step: int) -> None:
        """Write the state for resuming; the file is replaced atomically."""
        if not self.folder:
            return
        state = {
            "signature": self._signature(),
            "epoch": epoch,
            "step": step,
            "module": self.module.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "random": torch.get_rng_state(),
            "cuda": torch.cuda.get_rng_state_all() if torch.cuda.is_available() else [],
            "history": self.result.history,
            "best": (self.result.best_score, self.result.best_epoch, self.best_state),
            "ema": (self.ema.steps, self.ema.values) if self.ema else None,
        }
        with saving(self.folder), write_atomically(self.folder / RESUME, binary=True) as out:
            torch.save(state, out)
        self.saved_at = time.monotonic()

    def _resume(self) -> None:
        path = self.folder / RESUME if self.folder else None
        if path is None or not path.is_file():
            return
        try:
            state = torch.load(path, map_location="cpu", weights_only=True)
            known = state["signature"]
        except Exception as error:  # torn, or no file of torch: it raises a kind for each
            why = first_line(error)
            raise InputError(
                f"{path}: cannot be read ({why}); delete it to restart this training"
            ) from None
        if known != self._signature():
            raise InputError(
                f"{path}: unfinished training on other data or settings; finish it, or use another"
                " folder"
            )
        self.module.load_state_dict(state["module"])
        self.optimizer.load_state_dict(state["optimizer"])
        torch.set_rng_state(state["random"])
        if state["cuda"]:
            torch.cuda.set_rng_state_all(state["cuda"])
        self.first_epoch, self.first_step = state["epoch"], state["step"]
        self.result.history = state["history"]
        self.result.best_score, self.result.best_epoch, self.best_state = state["best"]
        if self.ema:
            self.ema.resume(*state["ema"])


def describe_environment() -> dict[str, Any]:
    """Return what could change the result of the same command: versions and the device."""
    from importlib.metadata import PackageNotFoundError, version

    environment: dict[str, Any] = {
        "python": platform.python_version(),
        "machine": platform.machine(),
    }
    for package in ("grice", "torch", "transformers", "tokenizers", "numpy"):
        try:
            environment[package] = version(package)
        except PackageNotFoundError:
            environment[package] = None
    environment["device"] = torch.cuda.get_device_name() if torch.cuda.is_available() else "cpu"
    return environment
