"""SICK (Marelli et al. 2014): compositional pairs with entailment and relatedness."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from grice.core.dataset import Dataset
from grice.core.files import read_table
from grice.core.scale import NLI, Scale
from grice.datasets.formats.cards import read_card
from grice.datasets.formats.frames import columns, concat_frames, find_files, label, number
from grice.storage.source import Source

RELATEDNESS = Scale(low=1.0, high=5.0)
FILES = {"train": "SICK_train.txt", "trial": "SICK_trial.txt", "test": "SICK_test_annotated.txt"}
# The later release holds the three splits in one file.
TOGETHER = ("SICK.txt", "SICK.zip/SICK.txt")
WORDS = {word.upper(): word for word in NLI.labels}


def read(folder: Path, part: str) -> Dataset:
    """Read a split or `all` that are there."""
    splits = tuple(FILES) if part == "all" else (part,)
    places = {
        split: (f"sick/{FILES[split]}", *(f"sick/{path}" for path in TOGETHER)) for split in splits
    }
    frames = [
        _frame(path, split) for split, path in find_files(folder, places, source="sick").items()
    ]
    name = "sick" if part == "all" else f"sick/{part}"
    return Dataset(
        name, NLI, concat_frames(frames), CARD, {"label": NLI, "relatedness": RELATEDNESS}
    )


def _frame(path: Path, split: str) -> pl.DataFrame:
    """Return the rows of a split from its own file or from the file that holds all three."""
    lines = list(
        read_table(
            path, quoted=False, columns=("pair_ID", "sentence_A", "sentence_B", "relatedness_score")
        )
    )
    together = path.name == TOGETHER[0]
    judged = "entailment_label" if together else "entailment_judgment"
    if together:
        lines = [(line, row) for line, row in lines if row["SemEval_set"] == split.upper()]
    rows = [row for _, row in lines]
    return columns(
        f"sick/{split}",
        [row["sentence_A"] for row in rows],
        [row["sentence_B"] for row in rows],
        gold={
            "label": [label(path, line, row[judged], WORDS) for line, row in lines],
            "relatedness": [
                number(path, line, row["relatedness_score"], RELATEDNESS) for line, row in lines
            ],
        },
        tags={"split": [split] * len(rows), "pair": [row["pair_ID"] for row in rows]},
    )


CARD = read_card("sick")

sick = Source("sick", CARD, ("all", *FILES), read)
