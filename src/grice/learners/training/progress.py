"""How far a training is, as a learner tells whoever started it. Needs no torch."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class TrainingProgress:
    """How far a training is; `done` is from 0 to 1, `seconds_left` counts the remaining epochs at the present pace."""

    epoch: int
    epochs: int
    done: float
    loss: float
    rows_per_second: float
    seconds_left: float


ProgressCallback = Callable[[TrainingProgress], None]
