"""HANS (McCoy et al. 2019): pairs on which overlap heuristics fail."""

from __future__ import annotations

from pathlib import Path

from grice.core.dataset import Dataset
from grice.core.scale import Scale
from grice.datasets.formats.cards import read_card
from grice.datasets.formats.nli import read_rows
from grice.storage.source import Source, find_published

TWO_WAY = Scale(labels=("entailment", "non-entailment"))
FILES = {"evaluation": "heuristics_evaluation_set.txt", "train": "heuristics_train_set.txt"}


def read(folder: Path, part: str) -> Dataset:
    """Read the `evaluation` or the `train` set."""
    path = find_published(folder, f"hans/{FILES[part]}", source="hans")
    rows = read_rows(path, {word: word for word in TWO_WAY.labels})
    tags = {
        "heuristic": "heuristic",
        "subcase": "subcase",
        "template": "template",
        "pair": "pairID",
    }
    frame = rows.items(f"hans/{part}", tags)
    return Dataset("hans" if part == "evaluation" else f"hans/{part}", TWO_WAY, frame, CARD)


CARD = read_card("hans")

hans = Source("hans", CARD, tuple(FILES), read)
