"""ChaosNLI (Nie, Zhou & Bansal 2020): a hundred annotators a pair."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import polars as pl

from grice.core.dataset import Dataset
from grice.core.scale import NLI, Scale
from grice.datasets.formats.cards import read_card
from grice.datasets.formats.frames import columns, concat_frames, json_rows, label
from grice.storage.run import Run
from grice.storage.run_folder import RunKind
from grice.storage.source import Source, find_published

FILES = {
    "snli": "chaosNLI_snli.jsonl",
    "mnli": "chaosNLI_mnli_m.jsonl",
    "alphanli": "chaosNLI_alphanli.jsonl",
}
CHOICE = Scale(labels=("1", "2"))
WORDS: dict[str, str | None] = {
    "e": "entailment",
    "n": "neutral",
    "c": "contradiction",
    "1": "1",
    "2": "2",
}
CROWD = "100 annotators"

NumberedLine = tuple[int, dict[str, Any]]


def read(folder: Path, part: str) -> Dataset:
    """Read the pairs of SNLI, MultiNLI or αNLI; `all` is the first two."""
    frames = [_frame(*_lines(folder, name), name) for name in _members(part)]
    name = "chaosnli" if part == "all" else f"chaosnli/{part}"
    return Dataset(name, CHOICE if part == "alphanli" else NLI, concat_frames(frames), CARD)


def read_runs(folder: Path, data: Dataset) -> Sequence[Run]:
    """Return the hundred new annotators as one judge whose probabilities are their label shares."""
    labels = data.scale.labels
    rows = [
        (f"chaosnli/{name}/{i}", row)
        for name in data.frame["tag.source"].unique(maintain_order=True)
        for i, (_, row) in enumerate(_lines(folder, name)[1])
    ]
    # The published shares are in the order of the scale: entailment, neutral, contradiction, or
    # 1, 2.
    shares = {label: [row["label_dist"][i] for _, row in rows] for i, label in enumerate(labels)}
    answers = [WORDS[str(row["majority_label"])] or "" for _, row in rows]
    return [
        Run.from_columns(
            data, CROWD, [item for item, _ in rows], answers, probs=shares, kind=RunKind.POOL
        )
    ]


def _members(part: str) -> tuple[str, ...]:
    return ("snli", "mnli") if part == "all" else (part,)


def _lines(folder: Path, name: str) -> tuple[Path, list[NumberedLine]]:
    file = FILES[name]
    places = (file, f"chaosNLI_v1.0/{file}", f"chaosNLI_v1.0.zip/chaosNLI_v1.0/{file}")
    path = find_published(folder, *(f"chaosnli/{name}" for name in places), source="chaosnli")
    return path, json_rows(
        path, "uid", "majority_label", "label_dist", "entropy", "old_label", "example"
    )


def _frame(path: Path, lines: list[NumberedLine], name: str) -> pl.DataFrame:
    texts = [_texts(row["example"]) for _, row in lines]
    return columns(
        f"chaosnli/{name}",
        [first for first, _ in texts],
        [second for _, second in texts],
        gold={
            "label": [label(path, line, str(row["majority_label"]), WORDS) for line, row in lines],
            "old": [label(path, line, str(row["old_label"]), WORDS) for line, row in lines],
        },
        tags={
            "source": [name] * len(lines),
            "pair": [str(row["uid"]) for _, row in lines],
            "entropy": [_band(row["entropy"]) for _, row in lines],
        },
    )


def _texts(example: dict[str, str]) -> tuple[str, str]:
    if "premise" in example:
        return example["premise"], example["hypothesis"]
    return f"{example['obs1']} … {example['obs2']}", f"1: {example['hyp1']} 2: {example['hyp2']}"


def _band(entropy: float) -> str:
    """Return the lower end of the entropy's band, a quarter of a bit wide.

    Models are compared by how far people agree.
    """
    return f"{int(entropy / 0.25) * 0.25:.2f}"


CARD = read_card("chaosnli")

chaosnli = Source("chaosnli", CARD, ("all", *FILES), read, read_runs)
