"""SNLI (Bowman et al. 2015): image captions with inferences from them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import polars as pl

from grice.core.dataset import Dataset
from grice.core.item import Card
from grice.core.run import Run
from grice.core.scale import NLI
from grice.core.source import Source, find_published
from grice.datasets.formats.cards import remote
from grice.datasets.formats.nli import Rows, annotator_runs, read_rows

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


def _rows(folder: Path, split: str) -> Rows:
    name = f"snli_1.0_{split}"
    places = (
        f"{name}.jsonl",
        f"{name}.jsonl.gz",
        f"snli_1.0/{name}.jsonl",
        f"snli_1.0.zip/snli_1.0/{name}.jsonl",
    )
    texts = (f"{name}.txt", f"snli_1.0/{name}.txt")
    return read_rows(
        find_published(folder, *(f"snli/{path}" for path in places + texts), source="snli")
    )


CARD = Card(
    title="SNLI: entailment between image captions and written hypotheses",
    citation=(
        "Bowman, Angeli, Potts & Manning (2015). A large annotated corpus for learning natural"
        " language inference. EMNLP."
    ),
    licence="CC BY-SA 4.0",
    homepage="https://nlp.stanford.edu/projects/snli/",
    counts={"dev": 10_000, "test": 10_000, "train": 550_152},
    notes=(
        (
            "Where the annotators did not agree (158 pairs of dev, 176 of test) there is no gold"
            " label."
        ),
        (
            "14 pairs of dev and 10 of test have four annotators; 2 pairs of dev stand twice."
            " Annotators are known by their place in the row only."
        ),
    ),
    files=(remote("snli/snli_1.0.zip", "https://nlp.stanford.edu/projects/snli/snli_1.0.zip"),),
)

snli = Source("snli", CARD, SPLITS, read, read_runs)
