"""MultiNLI (Williams et al. 2018): ten genres, in the authors' own files or in those of GLUE."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import polars as pl

from grice.core.dataset import Dataset
from grice.core.scale import NLI
from grice.datasets.formats.cards import read_card
from grice.datasets.formats.frames import concat_frames
from grice.datasets.formats.nli import PairRows, annotator_runs, read_rows
from grice.storage.run import Run
from grice.storage.source import Source, find_published

SPLITS = ("dev_matched", "dev_mismatched", "train")


def read(folder: Path, part: str) -> Dataset:
    """Read a split; `dev` is both dev sets."""
    frames = [_frame(_rows(folder, split), split) for split in _splits(part)]
    return Dataset(f"mnli/{part}", NLI, concat_frames(frames), CARD)


def read_runs(folder: Path, data: Dataset) -> Sequence[Run]:
    """Return up to five annotators per pair; the first is the one who wrote the hypothesis."""
    votes = {
        f"mnli/{split}/{row}": vote
        for split in data.frame["tag.split"].unique(maintain_order=True)
        for row, vote in enumerate(_rows(folder, split).votes())
    }
    return annotator_runs(data, votes)


def _splits(part: str) -> tuple[str, ...]:
    return ("dev_matched", "dev_mismatched") if part == "dev" else (part,)


def _rows(folder: Path, split: str) -> PairRows:
    name = f"multinli_1.0_{split}"
    archived = f"multinli_1.0/{name}.jsonl"
    places = (f"{name}.jsonl", archived, f"multinli_1.0.zip/{archived}")
    texts = (f"{name}.txt", f"multinli_1.0/{name}.txt", f"{split}.tsv", f"MNLI/{split}.tsv")
    return read_rows(
        find_published(folder, *(f"mnli/{path}" for path in places + texts), source="mnli")
    )


def _frame(rows: PairRows, split: str) -> pl.DataFrame:
    prompts = [prompt and f"mnli/{split}/p{prompt}" for prompt in rows.column("promptID")]
    tags = {"genre": "genre", "pair": "pairID", "split": [split] * len(rows.rows)}
    return rows.items(f"mnli/{split}", tags, prompts)


CARD = read_card("mnli")

mnli = Source("mnli", CARD, ("dev", *SPLITS), read, read_runs)
