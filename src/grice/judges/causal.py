"""Log-probabilities of several continuations of a prompt in one pass over the model.

Rows are padded on the right and no row is masked: in a causal model what follows a token cannot
change its scores. Attention in windows or chunks, ALiBi, and models with a state (Mamba, RWKV,
hybrids) are therefore exact in any batch.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from grice.core.words import read_lists
from grice.judges.continuations import Continuations, EndingTree, Ids, group_by_start, join_trees
from grice.models.batching import Array
from grice.models.torch import run_within_memory

# Models whose attention uses the given mask and positions: diverging endings are read in one row,
# and a beginning that all prompts share is read once. The tests compare each of them with a plain
# pass; other models read one row per ending.
MASKABLE = frozenset(read_lists(Path(__file__).parent / "words" / "lists.tsv")["maskable"])
# A shorter beginning costs more to copy for each row than to read again.
SHORTEST_SHARED = 32
# Largest width of prompts that are read together.
WIDEST = 320
# Scores normalised together: log-softmax needs them in fp32.
MOST_SCORES = 1 << 27


@dataclass(frozen=True)
class _Row:
    """One row of a pass: tokens of the prompt, the tree behind it, and its items.

    The tree scores the endings of the items, one after another.
    """

    prompt: Ids
    tree: EndingTree
    items: tuple[int, ...]

    @property
    def width(self) -> int:
        return len(self.prompt) + len(self.tree.tokens)


@dataclass(frozen=True)
class PrefixCache:
    """A beginning that all prompts share: its length in tokens, and its keys and values."""

    length: int
    cache: Any


class PendingScores:
    """The scores of a batch, possibly still being copied from the device."""

    def __init__(self, parts: Sequence[Any]) -> None:
        self.parts, self.arrived = parts, None
        if parts[0].device.type == "cuda":
            import torch

            self.parts = [part.to("cpu", non_blocking=True) for part in parts]
            self.arrived = torch.cuda.Event()  # type: ignore[no-untyped-call]
            self.arrived.record()

    def read(self) -> Array:
        """Return a row for each prompt with a column for each of its endings."""
        if self.arrived is not None:
            self.arrived.synchronize()
        scores: Array = np.concatenate([part.numpy() for part in self.parts])
        return scores


class Causal:
    """A causal model that scores all endings of a prompt in one pass."""

    def __init__(self, model: Any, pad: int) -> None:
        self.model, self.pad = model, pad
        self.device = model.device
        config = model.config.get_text_config()
        self.window = _window(config)
        self.maskable = config.model_type in MASKABLE
        # On a CPU the cost grows with tokens, so prompts with the same premise are read together; a
        # GPU is faster with even rows.
        self.bundles = self.maskable and self.device.type == "cpu"
        self.head = model.get_output_embeddings()

    def can_begin(self, length: int, longest: int) -> bool:
        """Return whether a shared beginning of this length can be read once and cached."""
        return length >= SHORTEST_SHARED and self.maskable and longest <= self.window

    def begin(self, start: Ids, longest: int) -> PrefixCache | None:
        """Return the cache of the beginning that all prompts share.

        Returns None if each row must be read from its start.
        """
        import torch

        if not self.can_begin(len(start), longest):
            return None
        with torch.inference_mode():
            ids = torch.tensor([start], device=self.device)
            return PrefixCache(
                len(start),
                self.model(input_ids=ids, use_cache=True, logits_to_keep=1).past_key_values,
            )

    def group(self, batch: Sequence[Continuations], skip: int) -> list[tuple[int, list[int]]]:
        """Return which consecutive prompts are read as one text, and how many tokens they share."""
        if not self.bundles:
            return [(len(row.prompt), [item]) for item, row in enumerate(batch)]
        return group_by_start(batch, skip, min(self.window, WIDEST))

    def score(
        self, batch: Sequence[Continuations], begun: PrefixCache | None = None
    ) -> PendingScores:
        """Return the log-probability of each ending of each prompt; all have equally many."""
        import torch

        def part(rows: slice) -> Any:
            with torch.inference_mode():
                return self._scores(batch[rows], begun)

        return PendingScores(run_within_memory(part, 0, len(batch)))

    def _scores(self, batch: Sequence[Continuations], begun: PrefixCache | None) -> Any:
        import torch

        skip = begun.length if begun else 0
        rows = []
        for start, items in self.group(batch, skip):
            first = batch[items[0]]
            trees = [first.tree]
            if len(items) > 1:
                trees = [join_trees([(batch[i].prompt[start:], batch[i].tree) for i in items])]
            elif not first.tree.is_chain and not (self.maskable and first.length <= self.window):
                trees = first.tree.chains()
            rows += [_Row(first.prompt[skip:start], tree, tuple(items)) for tree in trees]
        labels = len(batch[0].endings)
        logs, slots = self._read(rows, begun, labels)
        scores = torch.zeros(len(batch) * labels, dtype=torch.float32, device=logs.device)
        return scores.index_add_(0, slots, logs).view(len(batch), labels)

    def _read(
        self, rows: Sequence[_Row], begun: PrefixCache | None, labels: int
    ) -> tuple[Any, Any]:
        """Return the log-probabilities of the scored tokens, and the slot each belongs to."""
        import torch

        ids, places, targets = _arrays(rows, self.pad, labels)
        inputs: dict[str, Any] = {"input_ids": self._move(ids), "use_cache": begun is not None}
        if begun is not None:
            inputs["past_key_values"] = deepcopy(begun.cache)
            inputs["past_key_values"].batch_repeat_interleave(len(rows))
        if not all(row.tree.is_chain for row in rows):
            mask, positions = _tree_mask(rows, ids.shape[1], begun.length if begun else 0)
            low = torch.finfo(self.model.dtype).min
            seen = self._move(mask)[:, None]
            inputs["attention_mask"] = torch.where(seen, 0.0, low).to(self.model.dtype)
            inputs["position_ids"] = self._move(positions)
        logits = self._at(inputs, self._move(places))
        at, tokens, slots = self._move(targets).to(logits.device).unbind(1)
        step = max(1, MOST_SCORES // logits.shape[-1])
        log_totals = [
            torch.logsumexp(logits[i : i + step].float(), dim=-1)
            for i in range(0, len(logits), step)
        ]
        return logits[at, tokens].float() - torch.cat(log_totals)[at], slots

    def _at(self, inputs: dict[str, Any], places: Any) -> Any:
        """Return the logits at these positions (row, column) alone: the head computes no others."""
        chosen = False

        def choose(_: Any, args: tuple[Any, ...]) -> tuple[Any, ...]:
            nonlocal chosen
            chosen = True
            at = places.to(args[0].device)
            return (args[0][at[:, 0], at[:, 1]][None], *args[1:])

        hook = self.head.register_forward_pre_hook(choose) if self.head is not None else None
        try:
            logits = self.model(**inputs).logits
        finally:
            if hook is not None:
                hook.remove()
        return logits[0] if chosen else logits[places[:, 0], places[:, 1]]

    def _move(self, array: Array) -> Any:
        import torch

        tensor = torch.from_numpy(array)
        if self.device.type != "cuda":
            return tensor.to(self.device)
        return tensor.pin_memory().to(self.device, non_blocking=True)


def _arrays(rows: Sequence[_Row], pad: int, labels: int) -> tuple[Array, Array, Array]:
    """Return tokens by row, the positions that are scored, and the targets.

    Positions are distinct pairs of row and column. A target is an index into them, a token, and its
    slot.
    """
    ids = np.full((len(rows), max(row.width for row in rows)), pad, dtype=np.int64)
    places: dict[tuple[int, int], int] = {}
    targets = []
    for number, row in enumerate(rows):
        size = len(row.prompt)
        ids[number, :size] = row.prompt
        ids[number, size : row.width] = row.tree.tokens
        for nth, reads in enumerate(row.tree.reads):
            slot = row.items[nth // labels] * labels + nth % labels
            for node, token in reads:
                at = places.setdefault((number, size + node), len(places))
                targets.append((at, token, slot))
    return ids, np.array(list(places), dtype=np.int64), np.array(targets, dtype=np.int64)


def _tree_mask(rows: Sequence[_Row], width: int, before: int) -> tuple[Array, Array]:
    """Return what each position attends to, and its position in its own text.

    The mask includes the `before` tokens that were read earlier.
    """
    mask = np.zeros((len(rows), width, before + width), dtype=bool)
    mask[:, :, :before] = True
    mask[:, :, before:] = np.tri(width, dtype=bool)
    positions = np.tile(np.arange(before, before + width, dtype=np.int64), (len(rows), 1))
    for number, row in enumerate(rows):
        size = len(row.prompt)
        for node, parent in enumerate(row.tree.parents):
            # A token attends to what its parent attends to, and to itself.
            mask[number, size + node] = mask[number, size + parent]
            mask[number, size + node, before + size + node] = True
            positions[number, size + node] = positions[number, size + parent] + 1
        # Padding gets position 0: a model's position table may be shorter than several prompts
        # together.
        positions[number, row.width :] = 0
    return mask, positions


def _window(config: Any) -> float:
    """Return the length of a model's shortest attention window."""
    sizes = [
        getattr(config, name, None)
        for name in ("sliding_window", "attention_chunk_size", "window_size")
    ]
    return min((size for size in sizes if isinstance(size, int) and size > 0), default=float("inf"))
