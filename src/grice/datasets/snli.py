"""SNLI (Bowman et al. 2015): image captions with inferences from them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import polars as pl

from grice.core.dataset import Dataset
from grice.core.scale import NLI
from grice.datasets.formats.cards import read_card
from grice.datasets.formats.nli import PairRows, annotator_runs, read_rows
from grice.storage.run import Run
from grice.storage.source import Source, find_published

SPLITS = ("dev", "test", "train")


def read(folder: Path, part: str) -> Dataset:
    """Read a split."""
    rows = _rows(folder, part)
    tags = {"pair": "pairID", "split": [part] * len(rows.rows)}
    frame = rows.items(f"snli/{part}", tags, rows.column("captionID"))
    return Dataset(f"snli/{part}", NLI, frame, CARD)


def read_runs(folder: Path, data: Dataset) -> Sequence[Run]:
    """Return up to five annotators per pair; the first is the one who wrote the hypothesis."""
    part = data.frame["tag.split"][0]
    votes = {f"snli/{part}/{row}": vote for row, vote in enumerate(_rows(folder, part).votes())}
    return annotator_runs(data, votes)


def parses(folder: Path, split: str) -> pl.DataFrame:
    """Yield the published Penn Treebank parses of a split: `id, premise, hypothesis`."""
    rows = _rows(folder, split)
    ids = [f"snli/{split}/{row}" for row in range(len(rows.rows))]
    trees = {
        "premise": rows.column("sentence1_parse"),
        "hypothesis": rows.column("sentence2_parse"),
    }
    return pl.DataFrame({"id": ids, **trees})


def _rows(folder: Path, split: str) -> PairRows:
    name = f"snli_1.0_{split}"
    places = (f"{name}.jsonl", f"snli_1.0/{name}.jsonl", f"snli_1.0.zip/snli_1.0/{name}.jsonl")
    texts = (f"{name}.txt", f"snli_1.0/{name}.txt")
    return read_rows(
        find_published(folder, *(f"snli/{path}" for path in places + texts), source="snli")
    )


CARD = read_card("snli")

snli = Source("snli", CARD, SPLITS, read, read_runs)
