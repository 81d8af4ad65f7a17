"""ANLI (Nie et al. 2020): hypotheses written against a model, in three rounds."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from grice.core.dataset import Dataset
from grice.core.item import Card
from grice.core.scale import NLI
from grice.core.source import Source, find_published
from grice.datasets.formats.cards import remote
from grice.datasets.formats.frames import concat_frames, group_names
from grice.datasets.formats.nli import read_rows

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
    rows, prefix = (
        read_rows(path, WORDS, ("context", "hypothesis", "label")),
        f"anli/{stage}/{split}",
    )
    n = len(rows.rows)
    tags = {"round": [stage] * n, "split": [split] * n, "genre": "genre", "pair": "uid"}
    return rows.items(prefix, tags, group_names(prefix, rows.column("context")))


CARD = Card(
    title="ANLI: three rounds of hypotheses written to mislead a model",
    citation=(
        "Nie, Williams, Dinan, Bansal, Weston & Kiela (2020). Adversarial NLI: A New Benchmark for"
        " Natural Language Understanding. ACL."
    ),
    licence="CC BY-NC 4.0 (not for commercial use)",
    homepage="https://github.com/facebookresearch/anli",
    counts={
        "R1/dev": 1_000,
        "R1/test": 1_000,
        "R1/train": 16_946,
        "R2/dev": 1_000,
        "R2/test": 1_000,
        "R2/train": 45_460,
        "R3/dev": 1_200,
        "R3/test": 1_200,
        "R3/train": 100_459,
    },
    notes=("The labels are the letters e, n and c in the files.",),
    files=(remote("anli/anli_v1.0.zip", "https://dl.fbaipublicfiles.com/anli/anli_v1.0.zip"),),
)

anli = Source("anli", CARD, (*SPLITS, *(f"{r}/{s}" for r in ROUNDS for s in SPLITS)), read)
