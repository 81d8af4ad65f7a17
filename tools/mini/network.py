"""The six-layer encoder while it is trained: batches of tokens, steps and scores."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from tools.mini.weights import float_weights

Array = np.ndarray[Any, Any]
LONGEST = 160


@dataclass(frozen=True)
class TokenRows:
    """Tokens of pairs in one flat array, with the length of each row and of its first text."""

    tokens: Array
    lengths: Array
    firsts: Array

    def __len__(self) -> int:
        return len(self.lengths)

    def padded(self, rows: Array, starts: Array) -> tuple[Array, Array, Array]:
        """Return token ids, token types and mask of some rows."""
        lengths = self.lengths[rows]
        places = np.arange(-(-int(lengths.max()) // 8) * 8)
        mask = places < lengths[:, None]
        index = np.where(mask, starts[rows][:, None] + places, 0)
        ids = np.where(mask, self.tokens[index], 0).astype(np.int64)
        types = (mask & (places >= self.firsts[rows][:, None])).astype(np.int64)
        return ids, types, mask


def encode(folder: Path, texts: Sequence[tuple[str, str]]) -> TokenRows:
    """Return the tokens of pairs of texts."""
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(LONGEST)
    rows = tokenizer.encode_batch_fast(list(texts))
    ids = [row.ids for row in rows]
    lengths = np.array([len(row) for row in ids], dtype=np.int32)
    firsts = np.array([row.type_ids.index(1) for row in rows], dtype=np.int32)
    flat = np.fromiter((i for row in ids for i in row), dtype=np.uint16, count=int(lengths.sum()))
    return TokenRows(flat, lengths, firsts)


def join_rows(parts: Sequence[TokenRows]) -> TokenRows:
    """Return the rows of all parts as one."""
    columns = ("tokens", "lengths", "firsts")
    return TokenRows(*(np.concatenate([getattr(part, name) for part in parts]) for name in columns))


def load_network(folder: Path, device: str) -> Any:
    """Return the torch model of a shipped folder, with its int8 weights as floats."""
    import torch
    from transformers import BertConfig, BertForSequenceClassification

    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    bert: Any = BertForSequenceClassification
    model = bert(BertConfig(**config))
    weights = float_weights(folder / "model.int8.onnx")
    state = {name: torch.from_numpy(values) for name, values in weights.items()}
    model.load_state_dict(state, strict=True)
    return model.to(device)


def batches(rows: TokenRows, chosen: Array, size: int, draw: Any = None) -> Iterator[Array]:
    """Yield rows of like lengths; with `draw`, in random order."""
    if draw is not None:
        chosen = draw.permutation(chosen)
    window = size * (64 if draw is not None else len(chosen))
    for start in range(0, len(chosen), window):
        part = chosen[start : start + window]
        part = part[np.argsort(rows.lengths[part], kind="stable")]
        groups = [part[n : n + size] for n in range(0, len(part), size)]
        if draw is not None:
            draw.shuffle(groups)
        yield from groups


def predict(model: Any, rows: TokenRows, device: str, size: int = 2048) -> Array:
    """Return the scores of all rows."""
    import torch

    starts = _starts(rows)
    scores = np.zeros((len(rows), 3), dtype=np.float32)
    model.eval()
    with torch.inference_mode(), torch.autocast(device, dtype=torch.bfloat16):
        for chosen in batches(rows, np.arange(len(rows)), size):
            inputs = _to_device(rows.padded(chosen, starts), device)
            scores[chosen] = _forward(model, inputs).float().cpu().numpy()
    return scores


def train(
    model: Any,
    rows: TokenRows,
    targets: Array,
    epochs: Callable[[int], Array],
    *,
    device: str,
    progress: Callable[[int, float], float],
    learning_rate: float,
    size: int,
    after_epoch: Callable[[int, float], None],
    warmup: int = 200,
) -> int:
    """Train with a learning rate that falls to zero by the end; return the steps.

    Args:
        targets: Probabilities of the labels, one row per pair.
        epochs: Gives the rows of an epoch by its number.
        progress: Gives how much is done, 1 at the end, by the steps and the seconds so far.
        after_epoch: Called with the number of the epoch and its mean loss.
    """
    import torch

    optimizer = torch.optim.AdamW(
        model.parameters(), lr=learning_rate, weight_decay=0.01, fused=device == "cuda"
    )
    starts, goal = _starts(rows), torch.from_numpy(targets).to(device)
    draw, began, step, epoch = np.random.default_rng(1), perf_counter(), 0, 0
    while progress(step, perf_counter() - began) < 1:
        model.train()
        total = torch.zeros((), device=device)
        n = 0
        for chosen in batches(rows, epochs(epoch), size, draw):
            done = progress(step, perf_counter() - began)
            if done >= 1:
                break
            rate = learning_rate * min(1.0, (step + 1) / warmup) * (1 - done)
            for group in optimizer.param_groups:
                group["lr"] = rate
            inputs = _to_device(rows.padded(chosen, starts), device)
            with torch.autocast(device, dtype=torch.bfloat16):
                scores = _forward(model, inputs)
            wanted = goal[torch.from_numpy(chosen).to(device, non_blocking=True)]
            loss = -(wanted * torch.log_softmax(scores.float(), -1)).sum(-1).mean()
            optimizer.zero_grad(set_to_none=True)
            loss.backward()  # type: ignore[no-untyped-call]
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            total += loss.detach()
            step, n = step + 1, n + 1
        epoch += 1
        after_epoch(epoch, float(total) / max(1, n))
    return step


def fit_temperatures(scores: Array, labels: Array) -> Array:
    """Return, for each label, the temperature at which answers of it are as sure as right.

    One temperature per answer keeps all answers.
    """
    candidates = np.exp(np.arange(-80, 81) / 50)
    answers, right = scores.argmax(1), scores.argmax(1) == labels
    fitted = []
    for label in range(scores.shape[1]):
        rows = answers == label
        gaps = [
            abs(softmax(scores[rows] / t).max(1).mean() - right[rows].mean()) for t in candidates
        ]
        fitted.append(candidates[int(np.argmin(gaps))])
    return np.array(fitted, dtype=np.float32)


def sharpen(scores: Array, temperatures: Array) -> Array:
    """Return probabilities, each row at the temperature of its answer."""
    return softmax(scores / temperatures[scores.argmax(1)][:, None])


def fit_temperature(scores: Array, labels: Array) -> float:
    """Return the temperature of least calibration error, its mean over three numbers of bins."""
    candidates = np.exp(np.arange(-40, 41) / 50)
    errors = [
        sum(calibration_error(scores / t, labels, bins) for bins in (10, 15, 20))
        for t in candidates
    ]
    return float(candidates[int(np.argmin(errors))])


def calibration_error(scores: Array, labels: Array, bins: int = 10) -> float:
    """Return the expected calibration error over bins of equal width."""
    probabilities = softmax(scores)
    confidence, right = probabilities.max(1), probabilities.argmax(1) == labels
    index = np.minimum((confidence * bins).astype(int), bins - 1)
    parts = [index == n for n in range(bins) if (index == n).any()]
    return float(sum(abs(right[p].mean() - confidence[p].mean()) * p.mean() for p in parts))


def softmax(scores: Array) -> Array:
    """Return probabilities, row by row."""
    parts = np.exp(scores - scores.max(1, keepdims=True))
    return np.asarray(parts / parts.sum(1, keepdims=True))


def _starts(rows: TokenRows) -> Array:
    return np.concatenate([[0], np.cumsum(rows.lengths[:-1], dtype=np.int64)])


def _to_device(arrays: Sequence[Array], device: str) -> list[Any]:
    import torch

    return [torch.from_numpy(array).to(device, non_blocking=True) for array in arrays]


def _forward(model: Any, inputs: Sequence[Any]) -> Any:
    ids, types, mask = inputs
    return model(input_ids=ids, token_type_ids=types, attention_mask=mask).logits
