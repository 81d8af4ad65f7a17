"""ANLI (Nie et al. 2020): hypotheses written against a model, in three rounds."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from grice.core.dataset import Dataset
from grice.core.scale import NLI
from grice.datasets.formats.cards import read_card
from grice.datasets.formats.frames import concat_frames, group_names
from grice.datasets.formats.nli import read_rows
from grice.storage.source import Source, find_published

ROUNDS = ("R1", "R2", "R3")
SPLITS = ("dev", "test", "train")
WORDS = {"e": "entailment", "n": "neutral", "c": "contradiction"}


def read(folder: Path, part: str) -> Dataset:
    """Read a round and split, `R1/dev`, or a split of all three rounds, `dev`."""
    stage, _, split = part.rpartition("/")
    frames = [_frame(folder, name, split) for name in ([stage] if stage else ROUNDS)]
    return Dataset(f"anli/{part}", NLI, concat_frames(frames), CARD)


def _frame(folder: Path, stage: str, split: str) -> pl.DataFrame:
    file = f"{stage}/{split}.jsonl"
    places = (f"anli/{file}", f"anli/anli_v1.0/{file}", f"anli/anli_v1.0.zip/anli_v1.0/{file}")
    path = find_published(folder, *places, source="anli")
    rows = read_rows(path, WORDS, ("context", "hypothesis", "label"))
    prefix = f"anli/{stage}/{split}"
    n = len(rows.rows)
    tags = {"round": [stage] * n, "split": [split] * n, "genre": "genre", "pair": "uid"}
    return rows.items(prefix, tags, group_names(prefix, rows.column("context")))


CARD = read_card("anli")

anli = Source("anli", CARD, (*SPLITS, *(f"{r}/{s}" for r in ROUNDS for s in SPLITS)), read)
