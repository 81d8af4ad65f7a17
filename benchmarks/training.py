"""Pairs a second of the training loop beside a bare torch loop over the same batches.

    python -m benchmarks.training [--base FOLDER] [--steps 300] [--batch 128] [--json FILE]

Without --base the weights are a random BERT-base's.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch

from benchmarks.inference import random_bert
from grice.core.scale import NLI
from grice.learners.training.arguments import Plan
from grice.learners.training.encoders import EncoderPupil, row_losses
from grice.learners.training.examples import Example, Lesson
from grice.learners.training.loop import ramp, train
from grice.learners.training.pupils import Row, batched

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
    adam = torch.optim.AdamW(model.parameters(), lr=plan.rate, fused=True)
    batches = [(pupil.tensors(mine), pupil.gold(mine)) for mine in batched(rows, plan.batch, "0/0")]
    sync()
    began = time.perf_counter()
    for place, (given, gold) in enumerate(batches):
        for group in adam.param_groups:
            group["lr"] = plan.rate * ramp(place / len(batches), plan.warmup)
        moved = {k: v.to(device, non_blocking=True) if torch.is_tensor(v) else v for k, v in given.items()}
        with torch.autocast(device, torch.bfloat16, enabled=device == "cuda"):
            output = model(**moved)
        loss: Any = row_losses(output, gold.to(device, non_blocking=True)).mean()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), plan.clip)
        adam.step()
        adam.zero_grad()
    sync()
    return len(rows) / (time.perf_counter() - began)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--base", type=Path, default=None)
    parser.add_argument("--steps", type=int, default=300)
    parser.add_argument("--batch", type=int, default=128)
    parser.add_argument("--json", type=Path, default=None, help="write the figures here too")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        base = given.base or random_bert(Path(scratch) / "base", "base")
        figures = compared(base, given.steps, given.batch)
    print(json.dumps(figures))
    if given.json:
        given.json.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


def compared(base: Path, steps: int, batch: int) -> dict[str, float]:
    """Pairs a second of the bare loop, of ours, and of ours without recorded steps: the best of two rounds in turn."""
    plan = Plan(epochs=1, batch=batch)
    pupil = EncoderPupil(base, {"task": NLI}, dropout=None, longest=128)
    rows = pupil.rows(Lesson("task", NLI, examples(steps * batch)))
    # Each new shape of a batch costs its first user; a round of all pays for that, then they take turns.
    plain = replace(plan, graphs=False)
    rounds = [(bare(base, rows, plan), ours(base, rows, plain), ours(base, rows, plan)) for _ in range(3)][1:]
    loop, unrecorded, whole = (max(times) for times in zip(*rounds, strict=True))
    return {
        "batch": batch,
        "bare": round(loop, 1),
        "ours": round(whole, 1),
        "ratio": round(whole / loop, 3),
        "ours, graphs=false": round(unrecorded, 1),
        "ratio, graphs=false": round(unrecorded / loop, 3),
    }


if __name__ == "__main__":
    main()
