"""A tiny pupil for tests of the training loop; run as a program it trains and prints its weights' file.

python tests/judges/loop.py FOLDER [STOP_AFTER_STEPS], numbers of the plan as JSON in PLAN
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn

from grice.core.scale import NLI
from grice.learners.training.arguments import Plan
from grice.learners.training.encoders import gold_of, row_losses, target_of
from grice.learners.training.examples import Example, Lesson
from grice.learners.training.loop import Progress, teach
from grice.learners.training.pupils import Row

WORDS = [f"w{n}" for n in range(30)]


class Bag(nn.Module):
    def __init__(self, dropout: float) -> None:
        super().__init__()
        self.table, self.drop, self.head = nn.EmbeddingBag(30, 8), nn.Dropout(dropout), nn.Linear(8, 3)

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        out: torch.Tensor = self.head(self.drop(self.table(ids)))
        return out


class BagPupil:
    def __init__(self, dropout: float = 0.0) -> None:
        self.module: nn.Module = Bag(dropout)

    def rows(self, lesson: Lesson) -> list[Row]:
        return [
            Row(
                np.array([int(word[1:]) for word in e.first.split()]),
                target_of(e, NLI.labels),
                lesson.task,
                e.weight,
            )
            for e in lesson.examples
        ]

    def tensors(self, rows: Sequence[Row]) -> dict[str, Any]:
        return {"ids": torch.from_numpy(np.stack([row.ids for row in rows]))}

    def gold(self, rows: Sequence[Row]) -> torch.Tensor:
        return gold_of(rows)

    def losses(self, output: torch.Tensor, gold: torch.Tensor) -> torch.Tensor:
        return row_losses(output, gold)

    def answers(self, output: torch.Tensor, rows: Sequence[Row]) -> list[Any]:  # noqa: ARG002
        return list(output.numpy())


def lesson(count: int = 96, seed: int = 0) -> Lesson:
    """Texts of five words; the first word's number decides."""
    draw = random.Random(seed)
    examples = []
    for _ in range(count):
        words = draw.choices(WORDS, k=5)
        label = NLI.labels[max(int(word[1:]) for word in words) % 3]
        examples.append(Example(" ".join(words), None, label))
    return Lesson("task", NLI, examples)


def run(folder: Path, *, stop: int = 0, dropout: float = 0.3, **plan: Any) -> dict[str, torch.Tensor]:
    torch.manual_seed(1)
    pupil = BagPupil(dropout)
    seen = 0

    def told(progress: Progress) -> None:  # noqa: ARG001
        nonlocal seen
        seen += 1
        if stop and seen == stop:
            os.kill(os.getpid(), signal.SIGKILL)

    settings = {"epochs": 4, "batch": 8, "rate": 0.05, "save_steps": 5, "precision": "fp32", **plan}
    teach(pupil, [lesson()], {"dev": lesson(32, seed=1)}, Plan(**settings), folder=folder, told=told)
    return pupil.module.state_dict()


if __name__ == "__main__":
    torch.set_num_threads(1)
    place = Path(sys.argv[1])
    stop_after = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    shape = {"dropout": float(os.environ.get("DROPOUT", "0.3"))}
    weights = run(place, stop=stop_after, **shape, **json.loads(os.environ.get("PLAN", "{}")))
    if int(os.environ.get("RANK", "0")) == 0:
        torch.save(weights, place / "weights.pt")
