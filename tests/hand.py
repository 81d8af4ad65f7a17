"""Small things built by hand, for tests of every room."""

from __future__ import annotations

import math
import socket
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from grice.core.dataset import Dataset
from grice.core.item import Item, Question
from grice.core.judgement import Judgement
from grice.core.scale import NLI, Answer, Scale
from grice.storage.run import Run


def wait_until(holds: Callable[[], bool], seconds: float = 120.0) -> None:
    """Until a condition holds; the bound only ends a test that would hang."""
    ends = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < ends, "what was waited for did not happen"
        time.sleep(0.005)


@contextmanager
def held_port() -> Iterator[int]:
    """A port of loopback that refuses who knocks, and that only a server which reuses addresses can
    take meanwhile.
    """
    with socket.socket() as door:
        door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        door.bind(("127.0.0.1", 0))
        port = door.getsockname()[1]
        if sys.platform != "linux":
            # Only there do two sockets share an address as long as one of them listens.
            door.close()
        yield port


def pair(number: int, label: str = "entailment", *, group: str | None = None, **tags: str) -> Item:
    return Item(
        f"hand/{number}",
        f"Some of the {number} cakes are gone.",
        "Not all are gone.",
        {"label": label},
        tags,
        group,
    )


def three() -> Dataset:
    """One item of each label."""
    return Dataset.from_items(
        "hand", NLI, [pair(i, label, kind="ab"[i % 2]) for i, label in enumerate(NLI.labels)]
    )


def answers(data: Dataset, given: Iterable[Answer], judge: str = "hand") -> Run:
    """A run with these answers, in the dataset's order."""
    return Run.recorded(
        data, judge, [Judgement(i, a) for i, a in zip(data.ids, given, strict=True)]
    )


class Says:
    """A judge that answers by a table of ids, or always the same."""

    def __init__(self, answer: str | Mapping[str, str], name: str = "says") -> None:
        self.answer = answer
        self.name = name
        self.asked: list[str] = []

    @property
    def identity(self) -> Mapping[str, Any]:
        return {"answer": self.answer}

    def judge(self, questions: Iterable[Question], scale: Scale) -> Iterator[Judgement]:
        for question in questions:
            self.asked.append(question.id)
            answer = self.answer if isinstance(self.answer, str) else self.answer[question.id]
            yield (
                Judgement(question.id, answer)
                if answer in scale.labels
                else Judgement(question.id, fault=answer)
            )


def bootstrap(
    statistic: Callable[[npt.NDArray[np.intp]], float],
    groups: pl.Series,
    *,
    seed: int = 0,
    repeats: int = 1000,
) -> tuple[float | None, float | None]:
    """Percentile interval of any statistic of row numbers, drawing whole groups with replacement:
    what quicker ones are held to.
    """
    rows = _rows_by_group(groups)
    if len(rows) < 2:
        return None, None
    draw = np.random.default_rng(seed)
    values = [
        statistic(np.concatenate([rows[i] for i in draw.integers(len(rows), size=len(rows))]))
        for _ in range(repeats)
    ]
    finite = np.array([v for v in values if math.isfinite(v)])
    if len(finite) < repeats // 2:
        return None, None
    return float(np.quantile(finite, 0.025)), float(np.quantile(finite, 0.975))


def _rows_by_group(groups: pl.Series) -> list[npt.NDArray[np.intp]]:
    filled = pl.DataFrame({"group": groups}).with_row_index("row")
    alone = pl.format("\x00{}", pl.col("row"))
    keyed = filled.with_columns(pl.coalesce(pl.col("group"), alone).alias("group"))
    parts = keyed.group_by("group", maintain_order=True).agg("row")["row"]
    return [part.to_numpy().astype(np.intp) for part in parts]
