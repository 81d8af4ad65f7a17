"""A training mix of SNLI, MultiNLI and ANLI pairs in one file."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from grice.core.dataset import Dataset
from grice.core.errors import InputError
from grice.core.files import read_bytes
from grice.core.scale import NLI
from grice.datasets.formats.cards import read_card
from grice.storage.source import Source, find_published

FILE = "nli_train/snli_mnli_anli_subset.jsonl.gz"
FIELDS = {
    "premise": pl.String(),
    "hypothesis": pl.String(),
    "label": pl.String(),
    "source": pl.String(),
}
SOURCES = ("snli", "mnli", "anli")


def read(folder: Path, part: str) -> Dataset:
    """Read the pairs of one source, or `all`.

    The file has a hundred thousand lines, so it is read as columns at once.
    """
    path = find_published(folder, FILE, source="nli_train")
    try:
        rows = pl.read_ndjson(read_bytes(path), schema=FIELDS)
    except pl.exceptions.PolarsError as error:
        raise InputError(f"{path}: not JSON lines ({error}); download the file again") from None
    row = pl.int_range(pl.len()).over("source").cast(pl.String)
    frame = rows.select(
        pl.format("nli_train/{}/{}", "source", row).alias("id"),
        "premise",
        "hypothesis",
        pl.col("label").alias("gold.label"),
        pl.col("source").alias("tag.source"),
    )
    if part != "all":
        frame = frame.filter(pl.col("tag.source") == part)
    return Dataset("nli_train" if part == "all" else f"nli_train/{part}", NLI, frame, CARD)


CARD = read_card("nli_train")

nli_train = Source("nli_train", CARD, ("all", *SOURCES), read)
