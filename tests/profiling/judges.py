"""A small suite and judges made by hand, each with a habit that the sentences must tell."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from grice.core.dataset import Dataset
from grice.core.item import Item
from grice.core.judgement import Judgement
from grice.core.scale import NLI
from grice.core.shelf import PHENOMENA
from grice.storage.run import Run

PARTS = {
    "quantifiers": 8,
    "modals": 8,
    "aspectuals": 10,
    "factives": 10,
    "veridicality_signatures": 32,
    "conjunction_boolean": 46,
    "conjunction_collective": 10,
    "cancellability": 12,
}
Answers = Callable[[Item], str]


@cache
def suite() -> Dataset:
    items = [
        item for name, groups in PARTS.items() for item in PHENOMENA.find(name).stream(groups, 0)
    ]
    return Dataset.from_items("suite", NLI, items)


def gold(item: Item, reading: str) -> str:
    return str(item.gold.get(reading) or item.gold.get("label") or item.gold["signature"])


def logical(item: Item) -> str:
    return gold(item, "logical")


def pragmatic(item: Item) -> str:
    return gold(item, "pragmatic")


def always(_item: Item) -> str:
    return "entailment"


def failing_controls(item: Item) -> str:
    """Pragmatic on every target, wrong on every control."""
    if item.tags.get("role") != "control":
        return pragmatic(item)
    return "entailment" if gold(item, "logical") != "entailment" else "neutral"


def run(answers: Answers, name: str = "hand", *, sure: float | None = None) -> Run:
    """A run over the suite; with `sure`, that probability on its answer and the rest shared."""
    return run_on(suite(), answers, name, sure=sure)


def run_on(
    data: Dataset, answers: Answers, name: str = "hand", *, sure: float | None = None
) -> Run:
    """A run over some data."""

    def reply(item: Item) -> Judgement:
        given = answers(item)
        if sure is None:
            return Judgement(item.id, given)
        probs = {label: sure if label == given else (1 - sure) / 2 for label in NLI.labels}
        return Judgement(item.id, given, probs=probs)

    return Run.recorded(data, name, [reply(item) for item in data.items()])
