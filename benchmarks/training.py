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
from grice.learners.training.arguments import TrainingArguments
from grice.learners.training.encoders import EncoderModel
from grice.learners.training.examples import InputExample, TaskExamples
from grice.learners.training.loop import TrainingLoop
from grice.learners.training.model import EncodedExample, make_batches
from grice.learners.training.optimizer import linear_schedule

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


def examples(count: int, seed: int = 0) -> list[InputExample]:
    """Pairs of the lengths of SNLI and MultiNLI, of words drawn at random."""
    draw = random.Random(seed)
    made = []
    for _ in range(count):
        first = " ".join(draw.choices(WORDS, k=max(5, round(draw.gauss(18, 8)))))
        second = " ".join(draw.choices(WORDS, k=max(3, round(draw.gauss(9, 3)))))
        made.append(InputExample(first, second, draw.choice(NLI.labels)))
    return made


def sync() -> None:
    if torch.cuda.is_available():
        torch.cuda.synchronize()


def ours(base: Path, rows: list[EncodedExample], arguments: TrainingArguments) -> float:
    torch.manual_seed(0)
    model = EncoderModel(base, {"task": NLI}, dropout=None, max_length=128)
    sync()
    began = time.perf_counter()
    TrainingLoop(model, lambda _: rows, {}, arguments).run()
    sync()
    return len(rows) / (time.perf_counter() - began)


def bare(base: Path, rows: list[EncodedExample], arguments: TrainingArguments) -> float:
    """The same batches, made beforehand; nothing is logged, counted or kept."""
    torch.manual_seed(0)
    model = EncoderModel(base, {"task": NLI}, dropout=None, max_length=128)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    module = model.module.to(device).train()
    adam = torch.optim.AdamW(module.parameters(), lr=arguments.learning_rate, fused=True)
    batches = [
        (model.collate(mine), model.targets(mine))
        for mine in make_batches(rows, arguments.batch_size, "0/0")
    ]
    sync()
    began = time.perf_counter()
    for place, (given, gold) in enumerate(batches):
        for group in adam.param_groups:
            group["lr"] = arguments.learning_rate * linear_schedule(
                place / len(batches), arguments.warmup_ratio
            )
        moved = {
            k: v.to(device, non_blocking=True) if torch.is_tensor(v) else v
            for k, v in given.items()
        }
        with torch.autocast(device, torch.bfloat16, enabled=device == "cuda"):
            output = module(**moved)
        loss: Any = model.losses(output, gold.to(device, non_blocking=True)).mean()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(module.parameters(), arguments.max_grad_norm)
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
    """Pairs a second of the bare loop, of ours, and of ours without CUDA graphs: the best of two
    rounds in turn.
    """
    arguments = TrainingArguments(epochs=1, batch_size=batch)
    model = EncoderModel(base, {"task": NLI}, dropout=None, max_length=128)
    rows = model.encode(TaskExamples("task", NLI, examples(steps * batch)))
    # Each new shape of a batch costs its first user; a round of all pays for that, then they take
    # turns.
    plain = replace(arguments, cuda_graphs=False)
    rounds = [
        (bare(base, rows, arguments), ours(base, rows, plain), ours(base, rows, arguments))
        for _ in range(3)
    ][1:]
    loop, unrecorded, whole = (max(times) for times in zip(*rounds, strict=True))
    return {
        "batch": batch,
        "bare": round(loop, 1),
        "ours": round(whole, 1),
        "ratio": round(whole / loop, 3),
        "ours, cuda_graphs=false": round(unrecorded, 1),
        "ratio, cuda_graphs=false": round(unrecorded / loop, 3),
    }


if __name__ == "__main__":
    main()
