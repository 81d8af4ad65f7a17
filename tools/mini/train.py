"""Continue the training of grice-mini on pairs with operators, beside what it learnt before."""

from __future__ import annotations

import json
import lzma
import os
import random
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from tools.mini.clauses import Clause
from tools.mini.network import (
    Array,
    TokenRows,
    calibration_error,
    encode,
    fit_temperatures,
    join_rows,
    load_network,
    predict,
    sharpen,
    train,
)
from tools.mini.pairs import LABELS, MAKERS, Pair, Texts, make_pairs
from tools.mini.weights import write_weights

# One clause in so many is for scores only.
HELD_OUT = 40
CHUNK = 20_000


@dataclass(frozen=True)
class MiniSettings:
    """Settings of the training.

    Attributes:
        operators: Pairs with operators that are made; `drawn` of them are in an epoch.
        recombined: Pairs of other texts of the same sets that are in an epoch; the labels are the
            earlier model's.
        own: The weight of the earlier model's answers beside the gold labels.
        smoothing: The probability taken from the label of a pair with operators.
    """

    seconds: float = 400.0
    operators: int = 1_500_000
    drawn: int = 250_000
    recombined: int = 120_000
    own: float = 0.65
    smoothing: float = 0.03
    learning_rate: float = 2e-4
    batch_size: int = 512
    workers: int = 14
    seed: int = 1


def train_mini(
    data: Path, start: Path, out: Path, settings: MiniSettings, log: Callable[[str], None] = print
) -> dict[str, Any]:
    """Train from the weights of a shipped folder, and write the new ones and a report.

    Args:
        data: The file that `prepare` wrote.
    """
    began = perf_counter()
    with lzma.open(data, "rt", encoding="utf-8") as file:
        given = json.load(file)
    pairs = [tuple(row) for rows in given["train"].values() for row in rows]
    learnt, held_out = _split(given["clauses"], pairs)
    rows, targets, n_base, n_extra = _encode_all(pairs, learnt, start, settings, log)
    dev = _dev_pairs(given["dev"], held_out)
    dev_rows = {name: encode(start, [p[:2] for p in part]) for name, part in dev.items()}

    import torch

    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.set_float32_matmul_precision("high")
    torch.manual_seed(settings.seed)
    model = load_network(start, device)
    scores = {name: predict(model, part, device) for name, part in dev_rows.items()}
    log(f"{perf_counter() - began:.0f} s: ready on {device}")
    report: dict[str, Any] = {"settings": vars(settings), "before": _accuracies(scores, dev)}
    log(f"before: {report['before']}")
    first = next(iter(given["dev"]))
    gold = _labels(dev[first])
    temperatures = fit_temperatures(scores[first], gold)
    before = sharpen(predict(model, _first(rows, n_base + n_extra), device), temperatures)
    targets[:n_base] = settings.own * before[:n_base] + (1 - settings.own) * targets[:n_base]
    targets[n_base : n_base + n_extra] = before[n_base:]
    epoch_rows = _epoch_rows(n_base, n_extra, len(rows), settings)

    def after_epoch(number: int, loss: float) -> None:
        snli = _accuracies({n: predict(model, dev_rows[n], device) for n in given["dev"]}, dev)
        log(f"{perf_counter() - began:.0f} s, epoch {number}: loss {loss:.4f}, {snli}")

    steps = train(
        model,
        rows,
        targets,
        epoch_rows,
        device=device,
        progress=lambda _, elapsed: elapsed / settings.seconds,
        learning_rate=settings.learning_rate,
        size=settings.batch_size,
        after_epoch=after_epoch,
    )
    scores = {name: predict(model, part, device) for name, part in dev_rows.items()}
    report |= {
        "steps": steps,
        "temperatures_before": temperatures.tolist(),
        "after": _accuracies(scores, dev),
        "ece": calibration_error(scores[first], gold),
    }
    log(json.dumps(report, indent=1))
    state = {name: value.float().cpu().numpy() for name, value in model.state_dict().items()}
    write_weights(state, report, out)
    return report


def _epoch_rows(
    n_base: int, n_extra: int, n_rows: int, settings: MiniSettings
) -> Callable[[int], Array]:
    """Return what draws the rows of an epoch: all pairs, and some of the others."""
    draw = np.random.default_rng(settings.seed)
    extra, made = np.arange(n_base, n_base + n_extra), np.arange(n_base + n_extra, n_rows)

    def epoch_rows(_: int) -> Array:
        some = draw.choice(extra, min(settings.recombined, len(extra)), replace=False)
        new = draw.choice(made, min(settings.drawn, len(made)), replace=False)
        return np.concatenate([np.arange(n_base), some, new])

    return epoch_rows


def _dev_pairs(dev: dict[str, list[Any]], held_out: Texts) -> dict[str, list[Any]]:
    """Return the dev sets, and pairs of each kind made of the clauses that were held out."""
    sets = {name: [tuple(row) for row in rows] for name, rows in dev.items()}
    made = {m.__name__: [m(held_out, random.Random(n)) for n in range(400)] for m in MAKERS}
    return sets | made


def _split(rows: Sequence[list[Any]], pairs: Sequence[Pair]) -> tuple[Texts, Texts]:
    """Return what pairs are made of for training, and for scores."""
    clauses = {row[0]: Clause(*row[1:]) for row in rows}
    held_out = {text for text in clauses if zlib.crc32(text.encode()) % HELD_OUT == 0}
    texts = []
    for wanted in (False, True):
        chosen = {text: c for text, c in clauses.items() if (text in held_out) == wanted}
        texts.append(Texts([p for p in pairs if (p[1] in held_out) == wanted], chosen))
    return texts[0], texts[1]


def recombine(pairs: Sequence[Pair], seed: int) -> list[tuple[str, str]]:
    """Return each pair reversed, and two hypotheses of one premise."""
    draw = random.Random(seed)
    by_premise: dict[str, list[str]] = {}
    new = set()
    for premise, hypothesis, _ in pairs:
        by_premise.setdefault(premise, []).append(hypothesis)
        new.add((hypothesis, premise))
    for hypotheses in by_premise.values():
        mates = sorted(set(hypotheses))
        if len(mates) > 1:
            new |= {(a, b) for a, b in (draw.sample(mates, 2) for _ in mates)}
    return sorted(new - {(premise, hypothesis) for premise, hypothesis, _ in pairs})


_SHARED: dict[str, Any] = {}


def _make_chunk(number: int) -> tuple[TokenRows, Array]:
    os.environ["TOKENIZERS_PARALLELISM"] = "false"  # there is a process per core
    pairs = make_pairs(_SHARED["texts"], _SHARED["size"], _SHARED["seed"] * 1_000 + number)
    return encode(_SHARED["folder"], [pair[:2] for pair in pairs]), _labels(pairs)


def _encode_all(
    pairs: Sequence[Pair],
    texts: Texts,
    folder: Path,
    settings: MiniSettings,
    log: Callable[[str], None],
) -> tuple[TokenRows, Array, int, int]:
    """Return all rows and targets: the pairs, their recombinations, pairs with operators."""
    size = min(CHUNK, settings.operators)
    _SHARED.update(texts=texts, folder=folder, seed=settings.seed, size=size)
    with get_context("fork").Pool(settings.workers) as pool:
        chunks = pool.map(_make_chunk, range(settings.operators // size), chunksize=1)
    extra = recombine(pairs, settings.seed)
    parts = [encode(folder, [p[:2] for p in pairs]), encode(folder, extra)]
    rows = join_rows([*parts, *(part for part, _ in chunks)])
    labels = np.concatenate([labels for _, labels in chunks])
    targets = np.zeros((len(rows), 3), dtype=np.float32)
    one = np.eye(3, dtype=np.float32)
    targets[: len(pairs)] = one[_labels(pairs)]
    made = one[labels] * (1 - 1.5 * settings.smoothing) + settings.smoothing / 2
    targets[len(pairs) + len(extra) :] = made
    log(f"{len(pairs):,} pairs, {len(extra):,} recombined, {len(labels):,} with operators")
    return rows, targets, len(pairs), len(extra)


def _first(rows: TokenRows, n: int) -> TokenRows:
    return TokenRows(rows.tokens[: int(rows.lengths[:n].sum())], rows.lengths[:n], rows.firsts[:n])


def _labels(pairs: Sequence[Pair]) -> Array:
    return np.array([LABELS.index(pair[2]) for pair in pairs])


def _accuracies(scores: dict[str, Array], pairs: dict[str, list[Any]]) -> dict[str, float]:
    return {
        name: round(float((values.argmax(1) == _labels(pairs[name])).mean()), 4)
        for name, values in scores.items()
    }
