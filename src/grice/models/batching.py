"""Batches of pairs: identical pairs once, similar lengths together, within a token budget."""

from __future__ import annotations

import gc
import queue
import threading
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Protocol, TypeVar

import numpy as np

from grice.core.item import Question

Array = np.ndarray[Any, Any]
Texts = tuple[str, str | None]
T = TypeVar("T")
# Texts of which batches of like lengths are made. Few, so that answers come early and in about the
# order of the questions; 1,024 took 2% less time on a CPU.
WINDOW = 128


@dataclass(frozen=True)
class TokenBatch:
    """Padded arrays for the model, the indices of their rows among the texts, and the cut rows."""

    places: list[int]
    cut: list[bool]
    inputs: dict[str, Array]


class ScoringEngine(Protocol):
    """Engine that runs batches through a model: one array of scores per batch, in order."""

    def scores(self, batches: Iterable[TokenBatch]) -> Iterator[tuple[TokenBatch, Array]]:
        """Yield each batch with its scores."""


def group_by_text(questions: Iterable[Question]) -> dict[Texts, list[str]]:
    """Return the ids that ask each pair of texts, so that a repeated pair is asked once."""
    ids_by_text: dict[Texts, list[str]] = {}
    with paused_gc:
        for question in questions:
            ids_by_text.setdefault((question.premise, question.hypothesis), []).append(question.id)
    return ids_by_text


class PausedGc:
    """Context that pauses the garbage collector while many small objects are created.

    Its search for cycles takes most of the time there. Several threads may be inside; the last one
    out resumes collection if it was enabled before the first.
    """

    def __init__(self) -> None:
        self.lock, self.inside, self.was = threading.Lock(), 0, False

    def __enter__(self) -> None:
        with self.lock:
            if not self.inside:
                self.was = gc.isenabled()
                gc.disable()
            self.inside += 1

    def __exit__(self, *_: object) -> None:
        with self.lock:
            self.inside -= 1
            if not self.inside and self.was:
                gc.enable()


paused_gc = PausedGc()


class Tokens:
    """Tokeniser that makes padded arrays; texts of more than `longest` tokens are cut."""

    def __init__(self, tokenizer: Any, *, pad: int, longest: int, names: Sequence[str]) -> None:
        tokenizer.no_padding()
        tokenizer.enable_truncation(longest)
        self.tokenizer, self.pad, self.longest, self.names = tokenizer, pad, longest, names

    def encode(self, texts: Sequence[Texts]) -> list[Any]:
        """Return the tokens of each text, without their positions in it."""
        inputs = [text[0] if text[1] is None else text for text in texts]
        with paused_gc:
            encoded: list[Any] = self.tokenizer.encode_batch_fast(inputs)
        return encoded

    def cut(self, row: Any) -> bool:
        """Return whether a text was cut; only a full row can be."""
        return len(row) >= self.longest and bool(row.overflowing)

    def arrays(self, encoded: Sequence[Any]) -> dict[str, Array]:
        """Return rows padded to the longest of them, for each input that the model takes."""
        lengths = _lengths(encoded)
        mask = np.arange(lengths.max()) < lengths[:, None]
        by_input = {"attention_mask": mask.astype(np.int64)}
        # Row by row, so that each list is freed before the next one is created.
        ids = chain.from_iterable(row.ids for row in encoded)
        by_input["input_ids"] = _padded(
            np.fromiter(ids, dtype=np.int64, count=int(lengths.sum())), mask, self.pad
        )
        if "token_type_ids" in self.names:
            kinds = b"".join([bytes(row.type_ids) for row in encoded])
            by_input["token_type_ids"] = _padded(np.frombuffer(kinds, dtype=np.uint8), mask, 0)
        return {name: by_input[name] for name in self.names if name in by_input}


def plan_batches(texts: Sequence[Texts], tokens: Tokens, budget: int) -> Iterator[TokenBatch]:
    """Yield batches of the texts, window by window, in each the longest first."""
    # A large budget needs more texts to fill a batch of like lengths.
    size = max(WINDOW, budget // 8)
    for start in range(0, len(texts), size):
        encoded = tokens.encode(texts[start : start + size])
        for rows in split_by_budget(_lengths(encoded), budget):
            chosen = [encoded[i] for i in rows]
            with paused_gc:
                batch = TokenBatch(
                    [start + i for i in rows], list(map(tokens.cut, chosen)), tokens.arrays(chosen)
                )
            yield batch


def split_by_budget(lengths: Sequence[int] | Array, budget: int) -> Iterator[list[int]]:
    """Yield indices in batches, longest first, within the budget.

    The size of a batch is its longest row times its number of rows; a single row may exceed the
    budget.
    """
    order = longest_first(lengths)
    start = 0
    while start < len(order):
        end = start + max(1, budget // max(1, int(lengths[order[start]])))
        yield order[start:end]
        start = end


def prefetch(values: Iterable[T], depth: int = 4) -> Iterator[T]:
    """Yield the same values, computed by a thread a few steps ahead of the consumer."""
    buffer: queue.Queue[tuple[bool, Any]] = queue.Queue(depth)
    stopped = threading.Event()

    def put(entry: tuple[bool, Any]) -> bool:
        while not stopped.is_set():
            try:
                buffer.put(entry, timeout=0.1)
                return True
            except queue.Full:
                continue
        return False

    def work() -> None:
        try:
            for value in values:
                if not put((True, value)):
                    return
            put((False, None))
        except BaseException as error:  # passed on, so that it is raised in the consumer
            put((False, error))

    threading.Thread(target=work, daemon=True).start()
    try:
        while True:
            good, value = buffer.get()
            if good:
                yield value
            elif value is None:
                return
            else:
                raise value
    finally:
        stopped.set()


def _lengths(encoded: Sequence[Any]) -> Array:
    return np.fromiter(map(len, encoded), dtype=np.int64, count=len(encoded))


def longest_first(lengths: Sequence[int] | Array) -> list[int]:
    """Return indices by falling length, equals in their own order."""
    order: list[int] = np.argsort(-np.asarray(lengths, dtype=np.int64), kind="stable").tolist()
    return order


def _padded(values: Array, mask: Array, fill: int) -> Array:
    rows = np.full(mask.shape, fill, dtype=np.int64)
    rows[mask] = values
    return rows
