"""Pairs into batches: identical pairs once, like lengths together, as many as a token budget allows."""

from __future__ import annotations

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
# Small enough for an early first answer, large enough for batches of like lengths.
WINDOW = 1024


@dataclass(frozen=True)
class Batch:
    """Padded arrays for the model, the places of their rows among the texts, and which rows were cut."""

    places: list[int]
    cut: list[bool]
    inputs: dict[str, Array]


class Engine(Protocol):
    """Runs batches through a model: one array of scores a batch, in the order given."""

    def scores(self, batches: Iterable[Batch]) -> Iterator[tuple[Batch, Array]]: ...


def grouped(questions: Iterable[Question]) -> dict[Texts, list[str]]:
    """The ids that ask each pair of texts; a pair that stands twice is asked once."""
    asked: dict[Texts, list[str]] = {}
    for question in questions:
        asked.setdefault((question.premise, question.hypothesis), []).append(question.id)
    return asked


class Tokens:
    """Texts to padded arrays; counts nothing, but says of each text whether it was cut to `longest`."""

    def __init__(self, tokenizer: Any, *, pad: int, longest: int, names: Sequence[str]) -> None:
        tokenizer.no_padding()
        tokenizer.enable_truncation(longest)
        self.tokenizer, self.pad, self.names = tokenizer, pad, names

    def encode(self, texts: Sequence[Texts]) -> list[Any]:
        given = [first if second is None else (first, second) for first, second in texts]
        return list(self.tokenizer.encode_batch(given))

    def arrays(self, encoded: Sequence[Any]) -> dict[str, Array]:
        """Rows filled up to the longest of them, for each input that the model takes."""
        lengths = np.fromiter(map(len, encoded), dtype=np.int64, count=len(encoded))
        mask = np.arange(lengths.max()) < lengths[:, None]
        made = {"attention_mask": mask.astype(np.int64)}
        made["input_ids"] = _padded([row.ids for row in encoded], mask, self.pad)
        if "token_type_ids" in self.names:
            made["token_type_ids"] = _padded([row.type_ids for row in encoded], mask, 0)
        return {name: made[name] for name in self.names if name in made}


def planned(texts: Sequence[Texts], tokens: Tokens, budget: int) -> Iterator[Batch]:
    """Batches over all the texts, longest first, tokenised window by window as they are needed."""
    order = sorted(range(len(texts)), key=lambda i: -len(texts[i][0]) - len(texts[i][1] or ""))
    # A large budget needs more texts to fill a batch of like lengths.
    size = max(WINDOW, budget // 8)
    for start in range(0, len(order), size):
        window = order[start : start + size]
        encoded = tokens.encode([texts[i] for i in window])
        for rows in within_budget([len(row) for row in encoded], budget):
            chosen = [encoded[i] for i in rows]
            cut = [bool(row.overflowing) for row in chosen]
            yield Batch([window[i] for i in rows], cut, tokens.arrays(chosen))


def within_budget(lengths: Sequence[int], budget: int) -> Iterator[list[int]]:
    """Indices in batches, longest first: the longest times their number is within the budget, or it is one alone."""
    batch: list[int] = []
    for index in sorted(range(len(lengths)), key=lambda i: -lengths[i]):
        if batch and lengths[batch[0]] * (len(batch) + 1) > budget:
            yield batch
            batch = []
        batch.append(index)
    if batch:
        yield batch


def ahead(values: Iterable[T], depth: int = 4) -> Iterator[T]:
    """The same values, made by a thread of their own a few steps ahead of whoever takes them."""
    made: queue.Queue[tuple[bool, Any]] = queue.Queue(depth)
    stopped = threading.Event()

    def put(entry: tuple[bool, Any]) -> bool:
        while not stopped.is_set():
            try:
                made.put(entry, timeout=0.1)
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
        except BaseException as error:  # handed over, so that it is raised where the values are taken
            put((False, error))

    threading.Thread(target=work, daemon=True).start()
    try:
        while True:
            good, value = made.get()
            if good:
                yield value
            elif value is None:
                return
            else:
                raise value
    finally:
        stopped.set()


def _padded(rows: Sequence[Sequence[int]], mask: Array, fill: int) -> Array:
    made = np.full(mask.shape, fill, dtype=np.int64)
    made[mask] = np.fromiter(chain.from_iterable(rows), dtype=np.int64)
    return made
