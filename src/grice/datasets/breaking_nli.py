"""Breaking NLI (Glockner et al. 2018): one word replaced."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from grice.core.dataset import Dataset
from grice.core.scale import NLI
from grice.datasets.formats.cards import read_card
from grice.datasets.formats.frames import group_names
from grice.datasets.formats.nli import PairRows, annotator_runs, read_rows
from grice.storage.run import Run
from grice.storage.source import Source, find_published


def read(folder: Path, part: str) -> Dataset:
    """Read the whole set, its only part."""
    rows = _rows(folder)
    prefix = f"breaking_nli/{part}"
    tags = {"category": "category", "pair": [str(pair) for pair in rows.column("pairID")]}
    frame = rows.items(prefix, tags, group_names(prefix, rows.column("sentence1")))
    return Dataset("breaking_nli", NLI, frame, CARD)


def read_runs(folder: Path, data: Dataset) -> Sequence[Run]:
    """Return three annotators per pair as runs."""
    votes = {f"breaking_nli/all/{row}": vote for row, vote in enumerate(_rows(folder).votes())}
    return annotator_runs(data, votes)


def _rows(folder: Path) -> PairRows:
    places = (
        "dataset.jsonl",
        "breaking_nli_dataset.zip/data/dataset.jsonl",
        "breaking_nli_dataset.zip/dataset.jsonl",
    )
    return read_rows(
        find_published(folder, *(f"breaking_nli/{path}" for path in places), source="breaking_nli")
    )


CARD = read_card("breaking_nli")

breaking_nli = Source("breaking_nli", CARD, ("all",), read, read_runs)
