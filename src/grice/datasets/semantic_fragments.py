"""Semantic fragments (Richardson et al. 2020): templates of logic, each a small set of its own."""

from __future__ import annotations

from pathlib import Path

from grice.core.dataset import Dataset
from grice.core.scale import NLI
from grice.datasets.formats.cards import read_card
from grice.datasets.formats.nli import read_rows
from grice.storage.source import Source, find_published

FRAGMENTS = ("boolean", "comparative", "conditional", "counting", "negation", "quantifier")
FOLDERS = {"test": "test", "dev": "train", "train": "train"}
PARTS = {
    f"{name}/{split}": f"{name}/{folder}/{split}.json"
    for name in FRAGMENTS
    for split, folder in FOLDERS.items()
}


def read(folder: Path, part: str) -> Dataset:
    """Read a split of a fragment, `boolean/test`."""
    name = f"semantic_fragments/{part}"
    path = f"semantic_fragments/{PARTS[part]}"
    rows = read_rows(find_published(folder, path, source="semantic_fragments"))
    fragment, _, split = part.partition("/")
    n = len(rows.rows)
    tags = {"fragment": [fragment] * n, "split": [split] * n, "pair": "pairID"}
    return Dataset(name, NLI, rows.items(name, tags), CARD)


CARD = read_card("semantic_fragments")

semantic_fragments = Source("semantic_fragments", CARD, tuple(PARTS), read)
