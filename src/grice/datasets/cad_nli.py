"""Counterfactually augmented SNLI (Kaushik et al. 2020): one text edited until the label changes."""

from __future__ import annotations

from pathlib import Path

from grice.core.dataset import Dataset
from grice.core.files import read_table
from grice.core.item import Card
from grice.core.scale import NLI
from grice.core.source import Source, published
from grice.datasets._cards import github
from grice.datasets._frames import columns, label

SPLITS = {"dev": 200, "test": 400, "train": 1666}
# How many rows a kind of file has for each original pair.
KINDS = {
    "all_combined": 5,
    "original": 1,
    "revised_premise": 2,
    "revised_hypothesis": 2,
    "revised_combined": 4,
}


def read(folder: Path, part: str) -> Dataset:
    kind, _, split = part.rpartition("/")
    kind = kind or "all_combined"
    loose = (f"cad_nli/{split}.tsv",) if kind == "all_combined" else ()
    path = published(folder, *loose, f"cad_nli/{kind}/{split}.tsv", source="cad_nli")
    lines = list(read_table(path, columns=("sentence1", "sentence2", "gold_label")))
    rows = [row for _, row in lines]
    frame = columns(
        f"cad_nli/{part}",
        [row["sentence1"] for row in rows],
        [row["sentence2"] for row in rows],
        gold={"label": [label(path, n, row["gold_label"], {w: w for w in NLI.labels}) for n, row in lines]},
        group=[f"cad_nli/{split}/p{i // KINDS[kind]}" for i in range(len(rows))],
        tags={
            "edited": [_edited(rows, i, kind) for i in range(len(rows))],
            "split": [split] * len(rows),
        },
    )
    return Dataset(f"cad_nli/{part}", NLI, frame, CARD)


def _edited(rows: list[dict[str, str]], i: int, kind: str) -> str | None:
    """Which text was edited; in the combined file the first of each five is the original."""
    if kind != "all_combined":
        return {"original": "none", "revised_premise": "premise", "revised_hypothesis": "hypothesis"}.get(
            kind
        )
    original = rows[i - i % 5]
    if i % 5 == 0:
        return "none"
    return "premise" if rows[i]["sentence1"] != original["sentence1"] else "hypothesis"


CARD = Card(
    title="Counterfactually augmented SNLI",
    citation="Kaushik, Hovy & Lipton (2020). Learning the Difference that Makes a Difference with Counterfactually-Augmented Data. ICLR.",
    licence="Apache-2.0",
    homepage="https://github.com/acmi-lab/counterfactually-augmented-data",
    counts={
        **{split: 5 * n for split, n in SPLITS.items()},
        **{
            f"{kind}/{split}": size * n
            for kind, size in KINDS.items()
            if size < 5
            for split, n in SPLITS.items()
        },
    },
    notes=(
        "A group is an original pair with its edits: five rows of the combined files, in which the first is the original.",
        "Fields are quoted as in CSV.",
    ),
    files=github(
        "acmi-lab/counterfactually-augmented-data",
        {
            f"cad_nli/{split}.tsv"
            if kind == "all_combined"
            else f"cad_nli/{kind}/{split}.tsv": f"NLI/{kind}/{split}.tsv"
            for kind in KINDS
            for split in SPLITS
        },
    ),
)

cad_nli = Source(
    "cad_nli",
    CARD,
    (*SPLITS, *(f"{kind}/{split}" for kind in KINDS if kind != "all_combined" for split in SPLITS)),
    read,
)
