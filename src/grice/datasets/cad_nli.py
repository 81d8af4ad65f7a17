"""Counterfactually augmented SNLI (Kaushik et al. 2020): one text edited to change the label."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from grice.core.dataset import Dataset
from grice.core.scale import NLI
from grice.datasets.formats.cards import read_card
from grice.datasets.formats.nli import read_rows
from grice.storage.source import Source, find_published

SPLITS = {"dev": 200, "test": 400, "train": 1666}
# How many rows a kind of file has for each original pair.
KINDS = {
    "all_combined": 5,
    "original": 1,
    "revised_premise": 2,
    "revised_hypothesis": 2,
    "revised_combined": 4,
}
# The combined files go by their split alone.
PARTS = (
    *SPLITS,
    *(f"{kind}/{split}" for kind in KINDS if kind != "all_combined" for split in SPLITS),
)


def read(folder: Path, part: str) -> Dataset:
    """Read a split of the combined files, `dev`, or of one kind of file, `revised_premise/dev`."""
    kind, _, split = part.rpartition("/")
    kind = kind or "all_combined"
    loose = (f"cad_nli/{split}.tsv",) if kind == "all_combined" else ()
    path = find_published(folder, *loose, f"cad_nli/{kind}/{split}.tsv", source="cad_nli")
    rows = read_rows(path, {word: word for word in NLI.labels}, quoted=True)
    n = len(rows.rows)
    groups = [f"cad_nli/{split}/p{i // KINDS[kind]}" for i in range(n)]
    frame = rows.items(
        f"cad_nli/{part}", {"edited": _edited(rows.rows, kind), "split": [split] * n}, groups
    )
    return Dataset(f"cad_nli/{part}", NLI, frame, CARD)


def _edited(rows: Sequence[Mapping[str, str]], kind: str) -> list[str | None]:
    """Return which text of each row was edited: none in the original.

    The original can be any of the five rows.
    """
    if kind != "all_combined":
        known = {
            "original": "none",
            "revised_premise": "premise",
            "revised_hypothesis": "hypothesis",
        }
        return [known.get(kind)] * len(rows)
    edited: list[str | None] = []
    for start in range(0, len(rows), 5):
        block = rows[start : start + 5]
        edited += _edits([(row["sentence1"], row["sentence2"]) for row in block])
    return edited


def _edits(pairs: list[tuple[str, str]]) -> list[str | None]:
    """Return the edited text per row, or None where it cannot be determined.

    The original shares each of its texts with two edits.
    """
    premises, hypotheses = Counter(a for a, _ in pairs), Counter(b for _, b in pairs)
    originals = [(a, b) for a, b in pairs if premises[a] == 3 and hypotheses[b] == 3]
    if len(originals) != 1:
        return [None] * len(pairs)
    ((premise, hypothesis),) = originals
    return [
        (
            "none"
            if (a, b) == (premise, hypothesis)
            else "premise"
            if b == hypothesis
            else "hypothesis"
        )
        for a, b in pairs
    ]


CARD = read_card("cad_nli")

cad_nli = Source("cad_nli", CARD, PARTS, read)
