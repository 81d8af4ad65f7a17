"""Train the transformer parser on gold trees, and on text that teachers label.

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
    """How a parser is trained; with teachers an epoch has `unlabelled` sentences without trees."""

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
    """A sentence in pieces with its tree in numbers; without `heads` teachers label it."""

    row: PieceRow
    heads: list[int] | None = None
    labels: list[int] = field(default_factory=list)
    tags: list[int] = field(default_factory=list)
    pos: list[int] = field(default_factory=list)


def encode_rows(
    rows: Sequence[TreeRow], pieces: WordPieces, labels: TreebankLabels
) -> list[ParserExample]:
    """Return treebank rows as examples, without those that are too long."""
    examples = []
    for row in rows:
        cut = pieces.row(row["words"])
        if cut is None:
            continue
        if "heads" not in row:
            examples.append(ParserExample(cut))
            continue
        examples.append(
            ParserExample(
                cut,
                list(row["heads"]),
                [labels.deps.index(dep) for dep in row["deprels"]],
                [labels.tags.index(tag) for tag in row["xpos"]],
                [labels.pos.index(pos) for pos in row["upos"]],
            )
        )
    return examples


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
                group["lr"] = group["rate"] * min(
                    (step + 1) / (settings.warmup * steps), max(0.0, 1 - done)
                )
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
            f"epoch {epoch + 1}: loss {loss.item():.3f}, dev UAS {scores[0]:.2f} "
            f"LAS {scores[1]:.2f}, {minutes:.1f} min"
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
            {
                "params": [p for p in own if p.ndim > 1],
                "rate": rate,
                "weight_decay": settings.weight_decay,
            },
            {"params": [p for p in own if p.ndim < 2], "rate": rate, "weight_decay": 0.0},
        ]
    return torch.optim.AdamW(
        groups, lr=0.0, betas=(0.9, 0.98), fused=next(network.parameters()).is_cuda
    )


def _average(mean: ParserNetwork, network: ParserNetwork, keep: float) -> None:
    with torch.no_grad():
        averages, weights = ([p.data for p in part.parameters()] for part in (mean, network))
        torch._foreach_lerp_(averages, weights, 1 - keep)


def _epoch(
    train: Sequence[ParserExample],
    extra: Sequence[ParserExample],
    settings: ParserSettings,
    epoch: int,
) -> list[list[ParserExample]]:
    """Return batches of similar lengths in a new order, with or without trees."""
    draw = random.Random(f"{settings.seed}/{epoch}")
    chosen = draw.sample(list(extra), min(settings.unlabelled, len(extra)))
    batches = []
    for examples in (list(train), chosen):
        lengths = np.array([len(e.row.ids) + draw.random() * 6 for e in examples])
        batches += (
            [[examples[i] for i in rows] for rows in split_by_budget(lengths, settings.pieces)]
            if examples
            else []
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
    inputs = {
        k: torch.from_numpy(v).to(device, non_blocking=True)
        for k, v in collate([e.row for e in batch], pad).items()
    }
    words = network.words(inputs)
    inside = inputs["first_piece"] > 0
    barred = _barred(inputs["first_piece"])
    arcs = network.arc_scores(words).float().masked_fill(barred, -1e4)
    tags, pos = network.tags(words).float(), network.pos(words).float()
    if batch[0].heads is None:
        return _distilled(
            network, (words, arcs, tags, pos), inputs, teachers, (inside, barred), settings
        )
    gold = {
        name: torch.from_numpy(_padded(batch, name, words.shape[1])).to(device)
        for name in ("heads", "labels", "tags", "pos")
    }
    labels = network.label_scores(words, gold["heads"].clamp(min=0)).float()
    parts = [_cross(arcs, gold["heads"]), _cross(labels, gold["labels"])]
    return sum(parts) + settings.tag_weight * (
        _cross(tags, gold["tags"]) + _cross(pos, gold["pos"])
    )


def _cross(scores: Any, gold: Any) -> Any:
    return functional.cross_entropy(scores.flatten(0, 1), gold.flatten(), ignore_index=IGNORED)


def _distilled(
    network: ParserNetwork,
    scores: tuple[Any, ...],
    inputs: dict[str, Any],
    teachers: Sequence[ParserNetwork],
    masks: tuple[Any, Any],
    settings: ParserSettings,
) -> Any:
    """Return the cross-entropy with the teachers' mean; labels at the head that they prefer."""
    words, arcs, tags, pos = scores
    inside, barred = masks
    with torch.no_grad():
        pairs = [(teacher, teacher.words(inputs)) for teacher in teachers]
        arc_mean = _mean([t.arc_scores(w).float().masked_fill(barred, -1e4) for t, w in pairs])
        heads = arc_mean.argmax(-1)
        label_mean = _mean([t.label_scores(w, heads).float() for t, w in pairs])
        tag_mean = _mean([t.tags(w).float() for t, w in pairs])
        pos_mean = _mean([t.pos(w).float() for t, w in pairs])
    losses = (
        _soft(arcs, arc_mean, inside),
        _soft(network.label_scores(words, heads).float(), label_mean, inside),
        settings.tag_weight * _soft(tags, tag_mean, inside),
        settings.tag_weight * _soft(pos, pos_mean, inside),
    )
    return sum(losses)


def _mean(scores: Sequence[Any]) -> Any:
    return torch.stack([part.softmax(-1) for part in scores]).mean(0)


def _soft(scores: Any, wanted: Any, inside: Any) -> Any:
    losses = -(wanted * functional.log_softmax(scores, -1)).sum(-1)
    return (losses * inside).sum() / inside.sum()


def _padded(batch: Sequence[ParserExample], name: str, width: int) -> Array:
    rows = np.full((len(batch), width), IGNORED, np.int64)
    for i, example in enumerate(batch):
        values = getattr(example, name)
        rows[i, 1 : len(values) + 1] = values
    return rows


def attachment(
    network: ParserNetwork, examples: Sequence[ParserExample], pad: int
) -> tuple[float, float]:
    """Return UAS and LAS in percent, by the best head of each word alone; for choosing an epoch."""
    device = next(network.parameters()).device
    network.eval()
    right = both = count = 0
    for places in split_by_budget([len(e.row.ids) for e in examples], 8000):
        batch = [examples[i] for i in places]
        inputs = {
            k: torch.from_numpy(v).to(device)
            for k, v in collate([e.row for e in batch], pad).items()
        }
        with torch.inference_mode():
            words = network.words(inputs)
            barred = _barred(inputs["first_piece"])
            heads = network.arc_scores(words).masked_fill(barred, -1e4).argmax(-1)
            labels = network.label_scores(words, heads).argmax(-1)
        gold = {
            name: torch.from_numpy(_padded(batch, name, heads.shape[1])).to(device)
            for name in ("heads", "labels")
        }
        same = heads == gold["heads"]
        right += int(same.sum())
        both += int((same & (labels == gold["labels"])).sum())
        count += int((gold["heads"] != IGNORED).sum())
    return 100 * right / max(1, count), 100 * both / max(1, count)


def _barred(first: Any) -> Any:
    """Return which heads a word cannot have: itself, and padding."""
    is_word = first > 0
    is_word[:, 0] = True
    return ~is_word.unsqueeze(1) | torch.eye(first.shape[1], dtype=torch.bool, device=first.device)
