"""What the training loop trains: rows of numbers, a pupil that reads them, and how it is asked. Needs no frames."""

from __future__ import annotations

import random
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

import numpy as np
import torch
from torch import nn

from grice.learners.training.examples import Lesson
from grice.models.batching import Array
from grice.models.torch import fitting, onto

# Batches of like lengths are made among so many batches drawn at random.
WINDOW = 64


@dataclass(slots=True)
class Row:
    """One example as numbers: its token ids and what the pupil keeps beside them, its target, its task."""

    ids: Array
    target: Any
    task: str = ""
    weight: float = 1.0
    more: Any = None


@dataclass(slots=True)
class Batch:
    """Rows as tensors: what the module is given, what it should say, and how much of the step each row is."""

    inputs: dict[str, Any]
    gold: torch.Tensor
    weights: torch.Tensor

    @property
    def shape(self) -> Hashable:
        """Equal for batches that make the very same steps; None where that cannot be told from the shapes."""
        if not all(isinstance(value, torch.Tensor | str) for value in self.inputs.values()):
            return None
        told = [v if isinstance(v, str) else (v.shape, v.dtype) for v in self.inputs.values()]
        return (*told, self.gold.shape, self.gold.dtype)

    def to(self, device: Any) -> Batch:
        inputs = {key: _moved(value, device) for key, value in self.inputs.items()}
        return Batch(inputs, _moved(self.gold, device), _moved(self.weights, device))

    def fill(self, other: Batch) -> None:
        """Take over what another batch of this shape holds."""
        for key, value in self.inputs.items():
            if isinstance(value, torch.Tensor):
                value.copy_(other.inputs[key], non_blocking=True)
        self.gold.copy_(other.gold, non_blocking=True)
        self.weights.copy_(other.weights, non_blocking=True)


class Pupil(Protocol):
    """What the loop trains: a module, how rows become its tensors, and the loss of each row by what it should say."""

    module: nn.Module

    def rows(self, lesson: Lesson) -> list[Row]: ...

    def tensors(self, rows: Sequence[Row]) -> dict[str, Any]: ...

    def gold(self, rows: Sequence[Row]) -> torch.Tensor: ...

    def losses(self, output: torch.Tensor, gold: torch.Tensor) -> torch.Tensor: ...

    def answers(self, output: torch.Tensor, rows: Sequence[Row]) -> list[Any]: ...


def share_devices(place: int, workers: int) -> None:
    """Let this worker, one of so many, use one of the GPUs there are and no more of its memory than its share."""
    count = torch.cuda.device_count()
    if count:
        torch.cuda.set_device(place % count)
        torch.cuda.set_per_process_memory_fraction(min(1.0, count / workers))


def said(pupil: Pupil, rows: Sequence[Row], batch: int, *, bf16: bool = True) -> list[Any]:
    """The pupil's answers on the best device there is; on a GPU in bf16 unless told otherwise."""
    device = "cuda" if torch.cuda.is_available() else "cpu"
    onto(
        device,
        pupil.module,
        "the device has no memory left for a model that is to answer; the same command goes on when there is some",
    )
    half = bf16 and device == "cuda"
    autocast = (lambda: torch.autocast(device, torch.bfloat16)) if half else None
    return outputs(pupil, rows, batch, device=device, autocast=autocast)[0]


def filled(rows: Sequence[Array], fill: int, *, multiple: int = 1) -> tuple[Array, Array]:
    """Rows of any lengths as one array, filled up to a multiple, and where something of theirs stands.

    Without a loop over the rows: this runs beside the device's own work, and must not keep the interpreter from it.
    """
    lengths = np.fromiter(map(len, rows), np.int64, len(rows))
    width = -(-int(lengths.max()) // multiple) * multiple
    there: Array = np.arange(width) < lengths[:, None]
    made = np.full(there.shape, fill, np.int64)
    made[there] = np.concatenate(rows)
    return made, there


def outputs(
    pupil: Pupil, rows: Sequence[Row], batch: int, *, device: Any = "cpu", autocast: Any = None
) -> tuple[list[Any], list[float]]:
    """The pupil's answer to each row and its loss, in the order of the rows."""
    answers: list[Any] = [None] * len(rows)
    losses: list[Any] = [None] * len(rows)
    module = pupil.module.eval()

    def ask(order: Sequence[int], part: slice) -> None:
        mine = [rows[i] for i in order[part]]
        given = Batch(pupil.tensors(mine), pupil.gold(mine), torch.ones(len(mine))).to(device)
        with torch.inference_mode(), autocast() if autocast else torch.autocast("cpu", enabled=False):
            output = module(**given.inputs).float()
            loss = pupil.losses(output, given.gold).float().cpu().tolist()
        for place, answer, one in zip(order[part], pupil.answers(output.cpu(), mine), loss, strict=True):
            answers[place], losses[place] = answer, one

    by_task: dict[str, list[int]] = {}
    for place, row in enumerate(rows):
        by_task.setdefault(row.task, []).append(place)
    for places in by_task.values():
        order = sorted(places, key=lambda i: -len(rows[i].ids))
        for start in range(0, len(order), batch):
            fitting(partial(ask, order), start, min(start + batch, len(order)))
    return answers, losses


def pinned(array: Array) -> torch.Tensor:
    """A tensor that a GPU can fetch by itself, where there is one."""
    tensor = torch.from_numpy(array)
    return tensor.pin_memory() if torch.cuda.is_available() else tensor


def _moved(value: Any, device: Any) -> Any:
    return value.to(device, non_blocking=True) if isinstance(value, torch.Tensor) else value


def batched(rows: Sequence[Row], size: int, seed: str) -> list[list[Row]]:
    """Rows in batches of one task and of like lengths, in an order drawn from the seed."""
    draw = random.Random(seed)
    by_task: dict[str, list[Row]] = {}
    for row in rows:
        by_task.setdefault(row.task, []).append(row)
    made = []
    for mine in by_task.values():
        draw.shuffle(mine)
        for start in range(0, len(mine), size * WINDOW):
            window = sorted(mine[start : start + size * WINDOW], key=lambda row: len(row.ids))
            made += [window[at : at + size] for at in range(0, len(window), size)]
    draw.shuffle(made)
    return made
