"""u-SNLI (Chen et al. 2020): SNLI pairs with the probability people give the hypothesis."""

from __future__ import annotations

from pathlib import Path

from grice.core.dataset import Dataset
from grice.core.files import read_table
from grice.core.scale import NLI, UNIT
from grice.datasets.formats.cards import read_card
from grice.datasets.formats.frames import columns, group_names, label, number
from grice.storage.source import Source, find_published

SPLITS = ("dev", "test", "train")
# Their code counts the classes from contradiction; words are read too, and a pair may have no
# class.
CLASSES = {
    "0": "contradiction",
    "1": "neutral",
    "2": "entailment",
    "?": None,
    "-": None,
    "": None,
    **{word: word for word in NLI.labels},
}


def read(folder: Path, part: str) -> Dataset:
    """Read a split."""
    places = (
        f"{part}.csv",
        f"u-snli/{part}.csv",
        f"u-snli.zip/{part}.csv",
        f"u-snli.zip/u-snli/{part}.csv",
    )
    path = find_published(folder, *(f"unli/{path}" for path in places), source="unli")
    lines = list(read_table(path, delimiter=",", columns=("id", "pre", "hyp", "nli", "unli")))
    rows, prefix = [row for _, row in lines], f"unli/{part}"
    frame = columns(
        prefix,
        [row["pre"] for row in rows],
        [row["hyp"] for row in rows],
        gold={
            "probability": [number(path, line, row["unli"], UNIT) for line, row in lines],
            "label": [label(path, line, row["nli"], CLASSES) for line, row in lines],
        },
        group=group_names(prefix, [row["pre"] for row in rows]),
        tags={"split": [part] * len(rows), "pair": [row["id"] for row in rows]},
    )
    return Dataset(f"unli/{part}", UNIT, frame, CARD, {"probability": UNIT, "label": NLI})


CARD = read_card("unli")

unli = Source("unli", CARD, SPLITS, read)
