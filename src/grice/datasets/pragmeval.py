"""PragmEval (Sileo et al. 2022): twenty tasks on discourse, speech acts and persuasion."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from grice.core.dataset import Dataset
from grice.core.files import read_table, read_text
from grice.core.scale import Scale
from grice.datasets.formats.cards import read_card
from grice.datasets.formats.frames import columns, concat_frames, find_files, label
from grice.storage.source import Source, find_published

CARD = read_card("pragmeval")
# Six persuasion tasks are shipped where the paper lists four.
TASKS = tuple(dict.fromkeys(part.partition("/")[0] for part in CARD.counts))
SPLITS = ("train", "dev", "test")


def read(folder: Path, part: str) -> Dataset:
    """Read a split of a task, `STAC/dev`, or all of its splits that are there, `STAC`."""
    task, _, split = part.partition("/")
    scale = labels(folder, task)
    files = {s: [f"pragmeval/{task}/{s}.tsv"] for s in ([split] if split else SPLITS)}
    paths = find_files(folder, files, source="pragmeval")
    return Dataset(
        f"pragmeval/{part}",
        scale,
        concat_frames([_frame(path, task, s, scale) for s, path in paths.items()]),
        CARD,
    )


def labels(folder: Path, task: str) -> Scale:
    """Return a task's own labels, sorted: the order of the published list is arbitrary."""
    path = find_published(folder, f"pragmeval/{task}/labels", source="pragmeval")
    return Scale(
        labels=tuple(sorted(line.strip() for line in read_text(path).splitlines() if line.strip()))
    )


def _frame(path: Path, task: str, split: str, scale: Scale) -> pl.DataFrame:
    known = {word: word for word in scale.labels}
    lines = list(read_table(path, columns=("label",)))
    rows = [row for _, row in lines]
    single = "sentence" in rows[0]
    return columns(
        f"pragmeval/{task}/{split}",
        [row["sentence" if single else "sentence1"] for row in rows],
        [None if single else row["sentence2"] for row in rows],
        gold={"label": [label(path, line, row["label"], known) for line, row in lines]},
        tags={"task": [task] * len(rows), "split": [split] * len(rows)},
    )


pragmeval = Source(
    "pragmeval",
    CARD,
    (*TASKS, *(f"{task}/{split}" for task in TASKS for split in SPLITS)),
    read,
    has_default_part=False,
)
