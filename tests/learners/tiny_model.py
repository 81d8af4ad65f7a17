"""A tiny model for tests of the training loop; run as a program it trains and prints its weights'
file.

python tests/learners/tiny_model.py FOLDER [STOP_AFTER_REPORTS], training arguments as JSON in
ARGUMENTS
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
from grice.learners.training.arguments import TrainingArguments
from grice.learners.training.examples import InputExample, TaskExamples
from grice.learners.training.loop import train_model
from grice.learners.training.model import Classifier, EncodedExample, encode_target
from grice.learners.training.results import TrainingProgress

WORDS = [f"w{n}" for n in range(30)]


class Bag(nn.Module):
    def __init__(self, dropout: float) -> None:
        super().__init__()
        self.table, self.drop, self.head = (
            nn.EmbeddingBag(30, 8),
            nn.Dropout(dropout),
            nn.Linear(8, 3),
        )

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        out: torch.Tensor = self.head(self.drop(self.table(ids)))
        return out


class BagModel(Classifier):
    def __init__(self, dropout: float = 0.0) -> None:
        self.module: nn.Module = Bag(dropout)

    def encode(self, data: TaskExamples) -> list[EncodedExample]:
        return [
            EncodedExample(
                np.array([int(word[1:]) for word in e.first.split()]),
                encode_target(e, NLI.labels),
                data.task,
                e.weight,
            )
            for e in data.examples
        ]

    def collate(self, rows: Sequence[EncodedExample]) -> dict[str, Any]:
        return {"ids": torch.from_numpy(np.stack([row.ids for row in rows]))}


def task_examples(count: int = 96, seed: int = 0) -> TaskExamples:
    """Texts of five words; the first word's number decides."""
    draw = random.Random(seed)
    examples = []
    for _ in range(count):
        words = draw.choices(WORDS, k=5)
        label = NLI.labels[max(int(word[1:]) for word in words) % 3]
        examples.append(InputExample(" ".join(words), None, label))
    return TaskExamples("task", NLI, examples)


def run(
    folder: Path, *, stop: int = 0, dropout: float = 0.3, **arguments: Any
) -> dict[str, torch.Tensor]:
    torch.manual_seed(1)
    model = BagModel(dropout)
    seen: set[int] = set()

    def count(progress: TrainingProgress) -> None:
        # The start, at step 0, and what dev gives after a step that was told already are no reports
        # of steps.
        seen.add(progress.step)
        if stop and len(seen - {0}) == stop:
            os.kill(os.getpid(), signal.SIGKILL)

    settings = {
        "epochs": 4,
        "batch_size": 8,
        "learning_rate": 0.05,
        "save_steps": 5,
        "precision": "fp32",
        **arguments,
    }
    train_model(
        model,
        [task_examples()],
        {"dev": task_examples(32, seed=1)},
        TrainingArguments(**settings),
        folder=folder,
        progress=count,
    )
    return model.module.state_dict()


if __name__ == "__main__":
    torch.set_num_threads(1)
    place = Path(sys.argv[1])
    stop_after = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    shape = {"dropout": float(os.environ.get("DROPOUT", "0.3"))}
    weights = run(place, stop=stop_after, **shape, **json.loads(os.environ.get("ARGUMENTS", "{}")))
    torch.save(weights, place / "weights.pt")
