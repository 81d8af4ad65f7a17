"""Models that the training loop trains, batches of examples, and predictions.

This module needs no data frames.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from grice.learners.training.examples import InputExample, TaskExamples
from grice.models.batching import Array
from grice.models.torch import move_to_device, run_within_memory

# Batches of like lengths are made among so many batches drawn at random.
WINDOW = 64


@dataclass(slots=True)
class EncodedExample:
    """One example as numbers: its token ids, its target, its task, and what the model adds."""

    ids: Array
    target: Any
    task: str = ""
    weight: float = 1.0
    more: Any = None


@dataclass(slots=True)
class TrainBatch:
    """Examples as tensors: the module's inputs, the targets, and each example's weight."""

    inputs: dict[str, Any]
    targets: torch.Tensor
    weights: torch.Tensor

    @classmethod
    def collate(
        cls, model: TrainableModel, rows: Sequence[EncodedExample], weights: Array
    ) -> TrainBatch:
        """Collate examples as their model takes them, with the weight of each."""
        return cls(model.collate(rows), model.targets(rows), pin(weights))

    @property
    def shape(self) -> Hashable:
        """Key that is equal for batches with identical steps; None if shapes do not decide."""
        if not all(isinstance(value, torch.Tensor | str) for value in self.inputs.values()):
            return None
        parts = [v if isinstance(v, str) else (v.shape, v.dtype) for v in self.inputs.values()]
        return (*parts, self.targets.shape, self.targets.dtype)

    def to(self, device: torch.device | str) -> TrainBatch:
        """Return a copy on this device."""
        inputs = {key: _moved(value, device) for key, value in self.inputs.items()}
        return TrainBatch(inputs, _moved(self.targets, device), _moved(self.weights, device))

    def fill(self, other: TrainBatch) -> None:
        """Copy the content of another batch of this shape into the tensors of this one."""
        for key, value in self.inputs.items():
            if isinstance(value, torch.Tensor):
                value.copy_(other.inputs[key], non_blocking=True)
        self.targets.copy_(other.targets, non_blocking=True)
        self.weights.copy_(other.weights, non_blocking=True)


class TrainableModel(Protocol):
    """Interface of what the loop trains: a torch module with its inputs, losses and answers."""

    module: nn.Module

    def encode(self, data: TaskExamples) -> list[EncodedExample]:
        """Return examples as numbers, in their order."""

    def collate(self, rows: Sequence[EncodedExample]) -> dict[str, Any]:
        """Return keyword arguments of the module for a batch of one task."""

    def targets(self, rows: Sequence[EncodedExample]) -> torch.Tensor:
        """Return the target answers to a batch."""

    def losses(self, output: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
        """Return the loss of each example."""

    def decode(self, output: torch.Tensor, rows: Sequence[EncodedExample]) -> list[Any]:
        """Return the module's output as one answer per example."""


class SavableModel(TrainableModel, Protocol):
    """A model that can be written to a folder."""

    def save(self, folder: Path, note: Mapping[str, Any]) -> list[Path]:
        """Write the model with a record of its training, and return the folder of each task."""


class Classifier:
    """Mixin of models that answer with scores: one per label, or a single one for a number."""

    def targets(self, rows: Sequence[EncodedExample]) -> torch.Tensor:
        """Return indices of labels, a teacher's probabilities, or numbers."""
        targets = [row.target for row in rows]
        return pin(np.array(targets, np.int64 if isinstance(targets[0], int) else np.float32))

    def losses(self, output: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
        """Return the cross-entropy to a label or distribution.

        For numbers it is the binary cross-entropy of the sigmoid.
        """
        output = output.float()
        if output.shape[1] == 1:
            return functional.binary_cross_entropy_with_logits(
                output[:, 0], targets, reduction="none"
            )
        return functional.cross_entropy(output, targets, reduction="none")

    def decode(self, output: torch.Tensor, rows: Sequence[EncodedExample]) -> list[Any]:  # noqa: ARG002
        """Return the scores of each example."""
        return list(output.numpy())


def encode_target(example: InputExample, labels: Sequence[str]) -> int | float | list[float]:
    """Return an example's target as a number, or as numbers if it is a teacher's distribution."""
    target = example.target
    if isinstance(target, tuple):
        return [float(value) for value in target]
    return labels.index(target) if isinstance(target, str) else float(target)


def share_devices(rank: int, workers: int) -> None:
    """Assign one of the available GPUs, and a share of its memory, to this worker."""
    count = torch.cuda.device_count()
    if count:
        torch.cuda.set_device(rank % count)
        torch.cuda.set_per_process_memory_fraction(min(1.0, count / workers))


def predict(
    model: TrainableModel, rows: Sequence[EncodedExample], batch_size: int, *, bf16: bool = True
) -> list[Any]:
    """Return the model's answers, computed on a GPU if there is one, in bf16 unless disabled."""
    device = "cuda" if torch.cuda.is_available() else "cpu"
    message = (
        "the device has no memory left for a model that is to answer; the same command goes on when"
        " there is some"
    )
    move_to_device(device, model.module, message)
    autocast = (
        (lambda: torch.autocast(device, torch.bfloat16)) if bf16 and device == "cuda" else None
    )
    return predict_with_losses(model, rows, batch_size, device=device, autocast=autocast)[0]


def predict_with_losses(
    model: TrainableModel,
    rows: Sequence[EncodedExample],
    batch_size: int,
    *,
    device: torch.device | str = "cpu",
    autocast: Callable[[], AbstractContextManager[Any]] | None = None,
) -> tuple[list[Any], list[float]]:
    """Return the model's answer to each example and its loss, in the order of the examples."""
    answers: list[Any] = [None] * len(rows)
    losses: list[float] = [0.0] * len(rows)
    module = model.module.eval()

    def ask(order: Sequence[int], part: slice) -> None:
        task_rows = [rows[i] for i in order[part]]
        batch = TrainBatch.collate(model, task_rows, np.ones(len(task_rows), np.float32)).to(device)
        with (
            torch.inference_mode(),
            autocast() if autocast else torch.autocast("cpu", enabled=False),
        ):
            output = module(**batch.inputs).float()
            loss = model.losses(output, batch.targets).float().cpu().tolist()
        for index, answer, example_loss in zip(
            order[part], model.decode(output.cpu(), task_rows), loss, strict=True
        ):
            answers[index], losses[index] = answer, example_loss

    by_task: dict[str, list[int]] = {}
    for index, row in enumerate(rows):
        by_task.setdefault(row.task, []).append(index)
    for places in by_task.values():
        order = sorted(places, key=lambda i: -len(rows[i].ids))
        for start in range(0, len(order), batch_size):
            run_within_memory(partial(ask, order), start, min(start + batch_size, len(order)))
    return answers, losses


def pad_rows(rows: Sequence[Array], fill: int, *, multiple: int = 1) -> tuple[Array, Array]:
    """Pad rows of any lengths to one array and return it with its mask.

    Without a loop over the rows: this runs beside the device's own work, and must not keep the
    interpreter from it.
    """
    lengths = np.fromiter(map(len, rows), np.int64, len(rows))
    width = -(-int(lengths.max()) // multiple) * multiple
    mask: Array = np.arange(width) < lengths[:, None]
    padded = np.full(mask.shape, fill, np.int64)
    padded[mask] = np.concatenate(rows)
    return padded, mask


def pin(array: Array) -> torch.Tensor:
    """Return the array as a tensor, in pinned memory if there is a GPU."""
    tensor = torch.from_numpy(array)
    return tensor.pin_memory() if torch.cuda.is_available() else tensor


def make_batches(
    rows: Sequence[EncodedExample], size: int, seed: str
) -> list[list[EncodedExample]]:
    """Return batches of one task and of similar lengths, in an order drawn from the seed."""
    draw = random.Random(seed)
    by_task: dict[str, list[EncodedExample]] = {}
    for row in rows:
        by_task.setdefault(row.task, []).append(row)
    batches = []
    for task_rows in by_task.values():
        draw.shuffle(task_rows)
        for start in range(0, len(task_rows), size * WINDOW):
            window = sorted(task_rows[start : start + size * WINDOW], key=lambda row: len(row.ids))
            batches += [window[at : at + size] for at in range(0, len(window), size)]
    draw.shuffle(batches)
    return batches


def _moved(value: Any, device: torch.device | str) -> Any:
    return value.to(device, non_blocking=True) if isinstance(value, torch.Tensor) else value
