"""PragmEval (Sileo et al. 2022): twenty tasks on discourse, speech acts and persuasion."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from grice.core.dataset import Dataset
from grice.core.files import read_table, read_text
from grice.core.scale import Scale
from grice.datasets.formats.cards import github, read_card
from grice.datasets.formats.frames import columns, concat_frames, find_files, label
from grice.storage.source import Source, find_published

SPLITS = ("train", "dev", "test")
# Rows of train, dev and test; six persuasion tasks are shipped where the paper lists four.
SIZES = {
    "Emergent": (2076, 259, 259),
    "EmoBank-Arousal": (5470, 684, 683),
    "EmoBank-Dominance": (6392, 798, 798),
    "EmoBank-Valence": (5150, 644, 643),
    "GUM": (1700, 259, 248),
    "MRDA": (14484, 1630, 6459),
    "PDTB": (12907, 1204, 1085),
    "Persuasiveness-ClaimType": (160, 20, 19),
    "Persuasiveness-Eloquence": (725, 91, 90),
    "Persuasiveness-PremiseType": (566, 71, 70),
    "Persuasiveness-Relevance": (725, 91, 90),
    "Persuasiveness-Specificity": (504, 62, 62),
    "Persuasiveness-Strength": (371, 46, 46),
    "STAC": (11230, 1247, 1304),
    "Sarcasm": (3754, 469, 469),
    "Squinky-Formality": (3622, 453, 452),
    "Squinky-Implicature": (3724, 465, 465),
    "Squinky-Informativeness": (3719, 465, 464),
    "SwitchBoard": (18930, 2113, 649),
    "Verifiability": (5712, 634, 2424),
}
TASKS = tuple(SIZES)


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


CARD = read_card(
    "pragmeval",
    counts={
        f"{task}/{split}": size[i] for task, size in SIZES.items() for i, split in enumerate(SPLITS)
    },
    files=github(
        "sileod/pragmeval",
        {
            f"pragmeval/{task}/{name}": f"pragmeval/{task}/{name}"
            for task in TASKS
            for name in ("labels", *(f"{s}.tsv" for s in SPLITS))
        },
    ),
)

pragmeval = Source(
    "pragmeval",
    CARD,
    (*TASKS, *(f"{task}/{split}" for task in TASKS for split in SPLITS)),
    read,
    has_default_part=False,
)
