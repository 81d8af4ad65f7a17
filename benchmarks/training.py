"""Pairs a second of the training loop beside a bare torch loop over the same batches.

    python -m benchmarks.training --base FOLDER [--steps 300] [--batch 128]

Needs torch, transformers and accelerate alone, so that it runs on a bare GPU machine.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "src"))

import torch

from grice.core.scale import NLI
from grice.judges._encoders import EncoderPupil, row_losses
from grice.judges._lessons import Example, Lesson
from grice.judges._plan import Plan
from grice.judges._training import Row, batched, ramp, train

WORDS = [
    "a",
    "man",
    "two",
    "women",
    "the",
    "dog",
    "runs",
    "sleeps",
    "on",
    "under",
    "red",
    "old",
    "street",
    "quickly",
    "and",
    "or",
    "not",
    "because",
    "it",
    "was",
]


def examples(count: int, seed: int = 0) -> list[Example]:
    """Pairs of the lengths of SNLI and MultiNLI, of words drawn at random."""
    draw = random.Random(seed)
    made = []
    for _ in range(count):
        first = " ".join(draw.choices(WORDS, k=max(5, round(draw.gauss(18, 8)))))
        second = " ".join(draw.choices(WORDS, k=max(3, round(draw.gauss(9, 3)))))
        made.append(Example(first, second, draw.choice(NLI.labels)))
    return made


def sync() -> None:
    if torch.cuda.is_available():
        torch.cuda.synchronize()


def ours(base: Path, rows: list[Row], plan: Plan) -> float:
    torch.manual_seed(0)
    pupil = EncoderPupil(base, {"task": NLI}, dropout=None, longest=128)
    sync()
    began = time.perf_counter()
    train(pupil, lambda _: rows, {}, plan)
    sync()
    return len(rows) / (time.perf_counter() - began)


def bare(base: Path, rows: list[Row], plan: Plan) -> float:
    """The same batches, made beforehand; nothing is logged, counted or kept."""
    torch.manual_seed(0)
    pupil = EncoderPupil(base, {"task": NLI}, dropout=None, longest=128)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = pupil.module.to(device).train()
    adam = torch.optim.AdamW(model.parameters(), lr=plan.rate, fused=device == "cuda")
    batches = [
        (pupil.tensors(mine), [row.target for row in mine]) for mine in batched(rows, plan.batch, "0/0")
    ]
    sync()
    began = time.perf_counter()
    for place, (given, targets) in enumerate(batches):
        for group in adam.param_groups:
            group["lr"] = plan.rate * ramp(place / len(batches), plan.warmup)
        moved = {k: v.to(device, non_blocking=True) if torch.is_tensor(v) else v for k, v in given.items()}
        with torch.autocast(device, torch.bfloat16, enabled=device == "cuda"):
            output = model(**moved)
        loss: Any = row_losses(output, targets).mean()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), plan.clip)
        adam.step()
        adam.zero_grad()
    sync()
    return len(rows) / (time.perf_counter() - began)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--base", type=Path, required=True)
    parser.add_argument("--steps", type=int, default=300)
    parser.add_argument("--batch", type=int, default=128)
    given = parser.parse_args()
    plan = Plan(epochs=1, batch=given.batch)
    pupil = EncoderPupil(given.base, {"task": NLI}, dropout=None, longest=128)
    rows = pupil.rows(Lesson("task", NLI, examples(given.steps * given.batch)))
    # Each new shape of a batch costs its first user; a round of both pays for that, then they take turns.
    rounds = [(bare(given.base, rows, plan), ours(given.base, rows, plan)) for _ in range(3)][1:]
    found = {
        name: max(times) for name, times in zip(("bare", "ours"), zip(*rounds, strict=True), strict=True)
    }
    print(
        json.dumps(
            {**{k: round(v, 1) for k, v in found.items()}, "ratio": round(found["ours"] / found["bare"], 3)}
        )
    )


if __name__ == "__main__":
    main()
