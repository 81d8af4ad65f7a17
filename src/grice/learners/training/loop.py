"""The one training loop: accelerate, like lengths together, linear decay, best epoch on dev, resumable after a kill.

It needs torch, accelerate and numpy alone, so that it runs wherever those are.
"""

from __future__ import annotations

import hashlib
import json
import math
import platform
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import accelerate
import numpy as np
import torch
from torch import nn

from grice.core.errors import InputError, NoMemory
from grice.learners.training.arguments import Plan
from grice.learners.training.cuda_graphs import Recorder
from grice.learners.training.examples import Lesson, weighed
from grice.learners.training.pupils import Batch, Pupil, Row, batched, outputs, pinned
from grice.learners.training.scores import mark
from grice.models.batching import ahead
from grice.models.torch import no_memory, release

RESUME, LOG, ENVIRONMENT = "resume.pt", "log.jsonl", "environment.json"
# Steps between two looks at the loss: each look waits for the device.
LOOK = 20


@dataclass(frozen=True)
class Progress:
    """Where the training stands; `seconds_left` counts the remaining epochs at the present pace."""

    epoch: int
    epochs: int
    done: float
    loss: float
    rows_per_second: float
    seconds_left: float


@dataclass
class Trained:
    """What training leaves: every number logged, and the epoch whose weights the module now holds."""

    history: list[dict[str, Any]] = field(default_factory=list)
    best_epoch: float = 0
    best: float | None = None


EpochRows = Callable[[int], Sequence[Row]]
Told = Callable[[Progress], None]


def train(
    pupil: Pupil,
    epoch_rows: EpochRows,
    dev: Mapping[str, Sequence[Row]],
    plan: Plan,
    *,
    folder: Path | None = None,
    told: Told | None = None,
) -> Trained:
    """Train the pupil's module in place; `dev` maps a task to rows, and the mean of its scores chooses the epoch."""
    try:
        return _Session(pupil, epoch_rows, dev, plan, folder, told).run()
    except RuntimeError as error:
        if not no_memory(error):
            raise
        raise NoMemory(
            f"the device has no memory left for batches of {plan.batch}; with fewer --workers the same command goes on, with a smaller -M batch or -M graphs=false it begins again in another folder"
        ) from None
    finally:
        # Recordings and the optimiser's numbers are several times the model, which is yet to answer.
        release()


def teach(
    pupil: Pupil,
    lessons: Sequence[Lesson],
    dev: Mapping[str, Lesson],
    plan: Plan,
    *,
    folder: Path | None = None,
    told: Told | None = None,
) -> Trained:
    """Train on lessons, each epoch on their examples of that epoch."""
    rows = [pupil.rows(one) for one in (weighed(lessons, plan.balanced) if plan.balanced else lessons)]

    def epoch_rows(epoch: int) -> list[Row]:
        chosen = zip(lessons, rows, strict=True)
        return [mine[place] for one, mine in chosen for place in one.epoch(epoch, plan.seed)]

    held = {name: pupil.rows(one) for name, one in dev.items()}
    return train(pupil, epoch_rows, held, plan, folder=folder, told=told)


class _Session:
    def __init__(
        self,
        pupil: Pupil,
        epoch_rows: EpochRows,
        dev: Mapping[str, Sequence[Row]],
        plan: Plan,
        folder: Path | None,
        told: Told | None,
    ) -> None:
        self.pupil, self.epoch_rows, self.dev, self.plan = pupil, epoch_rows, dev, plan
        self.folder, self.told = folder, told
        bf16 = plan.precision == "bf16" or (plan.precision == "auto" and torch.cuda.is_available())
        # With several heads, those of other tasks take no part in a step.
        heads = accelerate.DistributedDataParallelKwargs(
            find_unused_parameters=len({r.task for r in epoch_rows(0)}) > 1
        )
        self.accelerator = accelerate.Accelerator(
            mixed_precision="bf16" if bf16 else "no", kwargs_handlers=[heads]
        )
        torch.manual_seed(plan.seed)
        self.module = pupil.module
        self.model = self.accelerator.prepare(pupil.module)
        # Plain, not accelerate's: bf16 needs no scaling of gradients, and what that asks at every step costs time.
        self.optimiser = _optimiser(pupil.module, plan, fused=self.accelerator.device.type in ("cpu", "cuda"))
        self.result = Trained()
        self.best_state: dict[str, torch.Tensor] | None = None
        self.first_epoch, self.first_step = 0, 0
        self.epochs = enough(plan, len(epoch_rows(0)))
        self.weights = [p for p in pupil.module.parameters() if p.requires_grad]
        alone = self.accelerator.num_processes == 1 and self.accelerator.device.type == "cuda"
        self.recorder = Recorder(self._passes, self.weights) if alone and plan.graphs else None
        self.mean = _Mean(pupil.module, plan.average) if plan.average else None
        self.kept = time.monotonic()

    def run(self) -> Trained:
        with torch.cuda.stream(self.recorder.stream) if self.recorder else nullcontext():
            trained = self._run()
        for weight in self.weights:
            weight.grad = None
        return trained

    def _run(self) -> Trained:
        self._resume()
        self._record_environment()
        for epoch in range(self.first_epoch, self.epochs):
            self._epoch(epoch)
            if self._judge(epoch + 1):
                break
            self.first_step = 0
            if time.monotonic() - self.kept >= self.plan.save_seconds:
                self._keep(epoch + 1, 0)
        if self.recorder:
            self._log({"recorded": len(self.recorder.recorded), "refused": self.recorder.refused})
        if self.mean:
            self.mean.give()
        if self.best_state is not None:
            self.module.load_state_dict(self.best_state)
        self.accelerator.wait_for_everyone()
        if self.folder and self.accelerator.is_main_process:
            (self.folder / RESUME).unlink(missing_ok=True)
        return self.result

    def _epoch(self, epoch: int) -> None:
        plan = self.plan
        batches = batched(self.epoch_rows(epoch), plan.batch, f"{plan.seed}/{epoch}")
        looks = {round(len(batches) * part / plan.looks) for part in range(1, plan.looks)}
        self.model.train()
        seen, began, total = 0, time.perf_counter(), torch.zeros((), device=self.accelerator.device)
        for step, batch in enumerate(ahead(self._given(batches[self.first_step :])), self.first_step + 1):
            done = epoch + step / len(batches)
            total += self._step((done - 1 / len(batches)) / self.epochs, batch)
            seen += len(batches[step - 1])
            last = step == len(batches)
            if step % LOOK == 0 or last:
                looked = self.accelerator.reduce(total, "sum").item() / ((step - 1) % LOOK + 1)
                total.zero_()
                pace = seen / (time.perf_counter() - began)
                self._tell(epoch, step, looked, done / self.epochs, pace)
            if step in looks and not last:
                self._judge(round(done, 3))
                self.model.train()
            if plan.save_steps and step % plan.save_steps == 0 and not last:
                self._keep(epoch, step)

    def _given(self, batches: Sequence[Sequence[Row]]) -> Iterator[Batch]:
        """Each process takes its share of every batch, so that the sum of gradients is that of one process."""
        here, all_ = self.accelerator.process_index, self.accelerator.num_processes
        for rows in batches:
            mine = rows[here::all_] or rows[:1]
            # A process without a row of its own takes part with nothing.
            share = 1 / sum(row.weight for row in rows) if rows[here::all_] else 0.0
            weights = np.array([row.weight * share for row in mine], np.float32)
            yield Batch(self.pupil.tensors(mine), self.pupil.gold(mine), pinned(weights))

    def _step(self, done: float, batch: Batch) -> torch.Tensor:
        for group in self.optimiser.param_groups:
            group["lr"] = self.plan.rate * ramp(done, self.plan.warmup)
        if self.recorder:
            loss = self.recorder(batch)
        else:
            self.optimiser.zero_grad()
            loss = self._passes(batch.to(self.accelerator.device))
        if self.plan.clip:
            nn.utils.clip_grad_norm_(self.weights, self.plan.clip)
        self.optimiser.step()
        if self.mean:
            self.mean.add()
        return loss

    def _passes(self, batch: Batch) -> torch.Tensor:
        losses = self.pupil.losses(self.model(**batch.inputs), batch.gold)
        loss = (losses * batch.weights).sum()
        # Gradients are averaged over processes.
        (loss * self.accelerator.num_processes).backward()
        return loss.detach()

    def _judge(self, epoch: float) -> bool:
        """Score dev after so many epochs and keep the best weights; whether to stop."""
        if not self.dev:
            return False
        with self.mean.shown() if self.mean else nullcontext():
            found = {task: self._mark(rows) for task, rows in self.dev.items()}
            mean = sum(found.values()) / len(found)
            self._log({"epoch": epoch, "dev": mean, **({"tasks": found} if len(found) > 1 else {})})
            if self.result.best is None or mean > self.result.best:
                self.result.best, self.result.best_epoch = mean, epoch
                held = self.module.state_dict().items()
                self.best_state = {key: value.detach().to("cpu", copy=True) for key, value in held}
        waited = epoch - self.result.best_epoch
        return bool(self.plan.patience) and waited >= self.plan.patience

    def _mark(self, rows: Sequence[Row]) -> float:
        outputs, losses = self._outputs(rows)
        measure = self.plan.measure or default_measure(rows)
        return mark(measure, outputs, [row.target for row in rows], losses)

    def _outputs(self, rows: Sequence[Row]) -> tuple[list[Any], list[float]]:
        return outputs(
            self.pupil,
            rows,
            self.plan.batch * 4,
            device=self.accelerator.device,
            autocast=self.accelerator.autocast,
        )

    def _tell(self, epoch: int, step: int, loss: float, done: float, pace: float) -> None:
        self.clock = getattr(self, "clock", (done, time.perf_counter()))
        since, began = self.clock
        left = (1 - done) * (time.perf_counter() - began) / (done - since) if done > since else 0.0
        self._log(
            {"epoch": epoch + 1, "step": step, "loss": round(loss, 6), "rows_per_second": round(pace, 1)}
        )
        if self.told and self.accelerator.is_main_process:
            self.told(Progress(epoch + 1, self.epochs, done, loss, pace, left))

    def _log(self, line: dict[str, Any]) -> None:
        self.result.history.append(line)
        if self.folder and self.accelerator.is_main_process:
            self.folder.mkdir(parents=True, exist_ok=True)
            with (self.folder / LOG).open("a", encoding="utf-8") as out:
                out.write(json.dumps(line) + "\n")

    def _record_environment(self) -> None:
        if self.folder and self.accelerator.is_main_process:
            self.folder.mkdir(parents=True, exist_ok=True)
            told = environment() | {"processes": self.accelerator.num_processes, "plan": asdict(self.plan)}
            (self.folder / ENVIRONMENT).write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
            # Lines of an earlier training here, or of steps that a kill lost, are not of this one.
            lines = (json.dumps(line) + "\n" for line in self.result.history)
            (self.folder / LOG).write_text("".join(lines), encoding="utf-8")

    def _signature(self) -> str:
        rows = self.epoch_rows(0)
        text = json.dumps(
            [asdict(self.plan), len(rows), [row.ids.tolist() for row in rows[:64]]], default=str
        )
        return hashlib.sha256(text.encode()).hexdigest()

    def _keep(self, epoch: int, step: int) -> None:
        """Write all that is needed to go on from here; the file appears whole or not at all."""
        if not self.folder or not self.accelerator.is_main_process:
            return
        state = {
            "signature": self._signature(),
            "epoch": epoch,
            "step": step,
            "module": self.module.state_dict(),
            "optimiser": self.optimiser.state_dict(),
            "random": torch.get_rng_state(),
            "cuda": torch.cuda.get_rng_state_all() if torch.cuda.is_available() else [],
            "history": self.result.history,
            "best": (self.result.best, self.result.best_epoch, self.best_state),
            "mean": (self.mean.steps, self.mean.values) if self.mean else None,
        }
        part = self.folder / f"{RESUME}.part"
        torch.save(state, part)
        part.replace(self.folder / RESUME)
        self.kept = time.monotonic()

    def _resume(self) -> None:
        path = self.folder / RESUME if self.folder else None
        if path is None or not path.is_file():
            return
        state = torch.load(path, map_location="cpu", weights_only=True)
        if state["signature"] != self._signature():
            raise InputError(
                f"{path}: holds an unfinished training on other data or settings; finish that one, or choose another folder"
            )
        self.module.load_state_dict(state["module"])
        self.optimiser.load_state_dict(state["optimiser"])
        torch.set_rng_state(state["random"])
        if state["cuda"]:
            torch.cuda.set_rng_state_all(state["cuda"])
        self.first_epoch, self.first_step = state["epoch"], state["step"]
        self.result.history = state["history"]
        self.result.best, self.result.best_epoch, self.best_state = state["best"]
        if self.mean:
            self.mean.resume(*state["mean"])


class _Mean:
    """A running mean of a module's weights: less of the last batches' chance, for the price of a second copy."""

    def __init__(self, module: nn.Module, memory: float) -> None:
        self.memory, self.steps = memory, 0
        self.weights: list[torch.Tensor] = [p for p in module.parameters() if p.requires_grad]
        self.values = [p.detach().clone() for p in self.weights]

    @torch.no_grad()
    def add(self) -> None:
        self.steps += 1
        # While few steps are made, the mean remembers fewer still, or it would hold on to the start.
        share = 1 - min(self.memory, self.steps / (self.steps + 10))
        torch._foreach_lerp_(self.values, self.weights, share)

    @contextmanager
    def shown(self) -> Iterator[None]:
        """The module with the mean as its weights."""
        own = [p.detach().clone() for p in self.weights]
        self.give()
        yield
        self._set(own)

    def give(self) -> None:
        self._set(self.values)

    def resume(self, steps: int, values: list[torch.Tensor]) -> None:
        self.steps = steps
        self.values = [mine.to(p.device) for mine, p in zip(values, self.weights, strict=True)]

    @torch.no_grad()
    def _set(self, values: list[torch.Tensor]) -> None:
        torch._foreach_copy_(self.weights, values)


def ramp(done: float, warmup: float) -> float:
    """The share of the full rate when so much of the training is done: up to it, then down to zero."""
    if done < warmup:
        return max(done, 1e-6) / warmup
    return max(0.0, (1 - done) / (1 - warmup)) if warmup < 1 else 1.0


def enough(plan: Plan, rows: int) -> int:
    """The plan's epochs, or as many as its least number of steps needs."""
    return max(plan.epochs, math.ceil(plan.least_steps / math.ceil(rows / plan.batch)))


def default_measure(rows: Sequence[Row]) -> str:
    target = rows[0].target
    return "pearson" if isinstance(target, float) else "accuracy"


def environment() -> dict[str, Any]:
    """What could make the same command give another number: versions and the device."""
    from importlib.metadata import PackageNotFoundError, version

    found: dict[str, Any] = {"python": platform.python_version(), "machine": platform.machine()}
    for package in ("grice", "torch", "transformers", "accelerate", "tokenizers", "numpy"):
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = None
    found["device"] = torch.cuda.get_device_name() if torch.cuda.is_available() else "cpu"
    return found


def _optimiser(module: nn.Module, plan: Plan, *, fused: bool) -> torch.optim.Optimizer:
    """AdamW; biases and norms do not decay."""
    kept = [p for p in module.parameters() if p.requires_grad and p.ndim > 1]
    free = [p for p in module.parameters() if p.requires_grad and p.ndim <= 1]
    groups = [{"params": kept, "weight_decay": plan.weight_decay}, {"params": free, "weight_decay": 0.0}]
    return torch.optim.AdamW([g for g in groups if g["params"]], lr=plan.rate, fused=fused or None)
