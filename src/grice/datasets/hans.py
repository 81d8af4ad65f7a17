"""HANS (McCoy et al. 2019): pairs on which overlap heuristics fail."""

from __future__ import annotations

from pathlib import Path

from grice.core.dataset import Dataset
from grice.core.item import Card
from grice.core.scale import Scale
from grice.core.source import Source, find_published
from grice.datasets.formats.cards import github
from grice.datasets.formats.nli import read_rows

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


CARD = Card(
    title="HANS: lexical overlap, subsequence and constituent heuristics",
    citation=(
        "McCoy, Pavlick & Linzen (2019). Right for the Wrong Reasons: Diagnosing Syntactic"
        " Heuristics in Natural Language Inference. ACL."
    ),
    licence="MIT",
    homepage="https://github.com/tommccoy1/hans",
    counts={"evaluation": 30_000, "train": 30_000},
    notes=("Two labels: neutral and contradiction both count as non-entailment.",),
    files=github("tommccoy1/hans", {f"hans/{name}": name for name in FILES.values()}),
)

hans = Source("hans", CARD, tuple(FILES), read)
