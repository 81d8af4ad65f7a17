"""Training the transformer parser on a treebank: gold trees, and text that earlier parsers agree on.

It needs torch, transformers, tokenizers and numpy alone, so that it runs wherever those are.
"""

from __future__ import annotations

import copy
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
from torch.nn import functional

from grice.mining._pieces import PieceRow, WordPieces, collate
from grice.models.batching import Array, split_by_budget
from tools.parser.network import ParserNetwork
from tools.parser.treebank import TreebankLabels, TreeRow

IGNORED = -100


@dataclass(frozen=True)
class ParserSettings:
    """How a parser is trained; `unlabelled` is how many sentences without trees an epoch has, where there are teachers."""

    epochs: int = 30
    learning_rate: float = 2e-4
    head_rate: float = 1.5e-3
    pieces: int = 3000
    warmup: float = 0.06
    weight_decay: float = 0.01
    ema: float = 0.998
    tag_weight: float = 0.3
    unlabelled: int = 0
    minutes: float = 600.0
    seed: int = 1


@dataclass(frozen=True)
class ParserExample:
    """A sentence in pieces, with its tree in numbers; without one (`heads` is None) teachers say what they think."""

    row: PieceRow
    heads: list[int] | None = None
    labels: list[int] = field(default_factory=list)
    tags: list[int] = field(default_factory=list)
    pos: list[int] = field(default_factory=list)


def encode_rows(rows: Sequence[TreeRow], pieces: WordPieces, labels: TreebankLabels) -> list[ParserExample]:
    """Treebank rows as examples; those that are too long are left out."""
    made = []
    for row in rows:
        cut = pieces.row(row["words"])
        if cut is None:
            continue
        if "heads" not in row:
            made.append(ParserExample(cut))
            continue
        made.append(
            ParserExample(
                cut,
                list(row["heads"]),
                [labels.deps.index(dep) for dep in row["deprels"]],
                [labels.tags.index(tag) for tag in row["xpos"]],
                [labels.pos.index(pos) for pos in row["upos"]],
            )
        )
    return made


def train_network(
    network: ParserNetwork,
    train: Sequence[ParserExample],
    dev: Sequence[ParserExample],
    settings: ParserSettings,
    *,
    pad: int = 0,
    teachers: Sequence[ParserNetwork] = (),
    extra: Sequence[ParserExample] = (),
    log: Callable[[str], None] = print,
) -> ParserNetwork:
    """Train in place, and return the running mean of the weights that attaches best on dev."""
    device = next(network.parameters()).device
    torch.manual_seed(settings.seed)
    steps = settings.epochs * len(_epoch(train, extra, settings, 0))
    optimizer = _optimizer(network, settings)
    mean = copy.deepcopy(network).eval()
    best, best_score, step, began = copy.deepcopy(mean.state_dict()), 0.0, 0, time.monotonic()
    for epoch in range(settings.epochs):
        network.train()
        for batch in _epoch(train, extra, settings, epoch):
            done = max(step / steps, (time.monotonic() - began) / (60 * settings.minutes))
            for group in optimizer.param_groups:
                group["lr"] = group["rate"] * min((step + 1) / (settings.warmup * steps), max(0.0, 1 - done))
            with torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda"):
                loss = _loss(network, batch, teachers, settings, pad)
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(network.parameters(), 2.0)
            optimizer.step()
            step += 1
            _average(mean, network, min(settings.ema, (1 + step) / (10 + step)))
            if done >= 1:
                break
        scores = attachment(mean, dev, pad)
        minutes = (time.monotonic() - began) / 60
        log(
            f"epoch {epoch + 1}: loss {loss.item():.3f}, dev UAS {scores[0]:.2f} LAS {scores[1]:.2f}, {minutes:.1f} min"
        )
        if scores[1] > best_score:
            best, best_score = copy.deepcopy(mean.state_dict()), scores[1]
        if minutes >= settings.minutes:
            break
    mean.load_state_dict(best)
    return mean


def _optimizer(network: ParserNetwork, settings: ParserSettings) -> Any:
    body = {id(p) for p in network.encoder.parameters()}
    groups = []
    for inside, rate in ((True, settings.learning_rate), (False, settings.head_rate)):
        own = [p for p in network.parameters() if (id(p) in body) == inside]
        groups += [
            {"params": [p for p in own if p.ndim > 1], "rate": rate, "weight_decay": settings.weight_decay},
            {"params": [p for p in own if p.ndim < 2], "rate": rate, "weight_decay": 0.0},
        ]
    return torch.optim.AdamW(groups, lr=0.0, betas=(0.9, 0.98), fused=next(network.parameters()).is_cuda)


def _average(mean: ParserNetwork, network: ParserNetwork, keep: float) -> None:
    with torch.no_grad():
        ours, theirs = ([p.data for p in one.parameters()] for one in (mean, network))
        torch._foreach_lerp_(ours, theirs, 1 - keep)


def _epoch(
    train: Sequence[ParserExample], extra: Sequence[ParserExample], settings: ParserSettings, epoch: int
) -> list[list[ParserExample]]:
    """Batches of like lengths in a new order, with or without trees."""
    draw = random.Random(f"{settings.seed}/{epoch}")
    chosen = draw.sample(list(extra), min(settings.unlabelled, len(extra)))
    batches = []
    for examples in (list(train), chosen):
        lengths = np.array([len(e.row.ids) + draw.random() * 6 for e in examples])
        batches += (
            [[examples[i] for i in rows] for rows in split_by_budget(lengths, settings.pieces)] if examples else []
        )
    draw.shuffle(batches)
    return batches


def _loss(
    network: ParserNetwork,
    batch: Sequence[ParserExample],
    teachers: Sequence[ParserNetwork],
    settings: ParserSettings,
    pad: int,
) -> Any:
    device = next(network.parameters()).device
    given = {
        k: torch.from_numpy(v).to(device, non_blocking=True) for k, v in collate([e.row for e in batch], pad).items()
    }
    words = network.words(given)
    inside = given["first_piece"] > 0
    barred = _barred(given["first_piece"])
    arcs = network.arc_scores(words).float().masked_fill(barred, -1e4)
    tags, pos = network.tags(words).float(), network.pos(words).float()
    if batch[0].heads is None:
        return _distilled(network, (words, arcs, tags, pos), given, teachers, (inside, barred), settings)
    gold = {
        name: torch.from_numpy(_padded(batch, name, words.shape[1])).to(device)
        for name in ("heads", "labels", "tags", "pos")
    }
    labels = network.label_scores(words, gold["heads"].clamp(min=0)).float()
    parts = [_cross(arcs, gold["heads"]), _cross(labels, gold["labels"])]
    return sum(parts) + settings.tag_weight * (_cross(tags, gold["tags"]) + _cross(pos, gold["pos"]))


def _cross(scores: Any, gold: Any) -> Any:
    return functional.cross_entropy(scores.flatten(0, 1), gold.flatten(), ignore_index=IGNORED)


def _distilled(
    network: ParserNetwork, ours: tuple[Any, ...], given: dict[str, Any], teachers: Sequence[ParserNetwork],
    where: tuple[Any, Any], settings: ParserSettings,
) -> Any:  # fmt: skip
    """The distance from the mean of the teachers' probabilities; labels at the head that they think best."""
    words, arcs, tags, pos = ours
    inside, barred = where
    with torch.no_grad():
        theirs = [teacher.words(given) for teacher in teachers]
        asked = list(zip(teachers, theirs, strict=True))
        arc_mean = _mean([t.arc_scores(w).float().masked_fill(barred, -1e4) for t, w in asked])
        heads = arc_mean.argmax(-1)
        label_mean = _mean([t.label_scores(w, heads).float() for t, w in asked])
        tag_mean, pos_mean = _mean([t.tags(w).float() for t, w in asked]), _mean([t.pos(w).float() for t, w in asked])
    labels = network.label_scores(words, heads).float()
    pairs = (
        (arcs, arc_mean, 1.0),
        (labels, label_mean, 1.0),
        (tags, tag_mean, settings.tag_weight),
        (pos, pos_mean, settings.tag_weight),
    )
    return sum(weight * _soft(scores, mean, inside) for scores, mean, weight in pairs)


def _mean(scores: Sequence[Any]) -> Any:
    return torch.stack([one.softmax(-1) for one in scores]).mean(0)


def _soft(scores: Any, wanted: Any, inside: Any) -> Any:
    each = -(wanted * functional.log_softmax(scores, -1)).sum(-1)
    return (each * inside).sum() / inside.sum()


def _padded(batch: Sequence[ParserExample], name: str, width: int) -> Array:
    made = np.full((len(batch), width), IGNORED, np.int64)
    for place, example in enumerate(batch):
        values = getattr(example, name)
        made[place, 1 : len(values) + 1] = values
    return made


def attachment(network: ParserNetwork, examples: Sequence[ParserExample], pad: int) -> tuple[float, float]:
    """UAS and LAS in percent over all words, by the best head of each word alone; for choosing an epoch."""
    device = next(network.parameters()).device
    network.eval()
    right = both = count = 0
    for places in split_by_budget([len(e.row.ids) for e in examples], 8000):
        batch = [examples[i] for i in places]
        given = {k: torch.from_numpy(v).to(device) for k, v in collate([e.row for e in batch], pad).items()}
        with torch.inference_mode():
            words = network.words(given)
            barred = _barred(given["first_piece"])
            heads = network.arc_scores(words).masked_fill(barred, -1e4).argmax(-1)
            labels = network.label_scores(words, heads).argmax(-1)
        gold = {name: torch.from_numpy(_padded(batch, name, heads.shape[1])).to(device) for name in ("heads", "labels")}
        same = heads == gold["heads"]
        right += int(same.sum())
        both += int((same & (labels == gold["labels"])).sum())
        count += int((gold["heads"] != IGNORED).sum())
    return 100 * right / max(1, count), 100 * both / max(1, count)


def _barred(first: Any) -> Any:
    """Which heads a word cannot have: itself, and what only fills up."""
    there = first > 0
    there[:, 0] = True
    return ~there.unsqueeze(1) | torch.eye(first.shape[1], dtype=torch.bool, device=first.device)
