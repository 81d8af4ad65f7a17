"""PragmEval (Sileo et al. 2022): twenty tasks on discourse, speech acts and persuasion."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from grice.core.dataset import Dataset
from grice.core.files import read_table, read_text
from grice.core.item import Card
from grice.core.scale import Scale
from grice.core.source import Source, find_published
from grice.datasets.formats.cards import github
from grice.datasets.formats.frames import columns, concat_frames, find_files, label

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


CARD = Card(
    title="PragmEval: twenty tasks on what texts do",
    citation=(
        "Sileo, Muller, Van de Cruys & Pradel (2022). A Pragmatics-Centered Evaluation Framework"
        " for Natural Language Understanding. LREC."
    ),
    licence=(
        "none on the main branch (Apache-2.0 on an unmerged one); the texts keep their own terms,"
        " PDTB and SwitchBoard those of the LDC"
    ),
    homepage="https://github.com/sileod/pragmeval",
    counts={
        f"{task}/{split}": size[i] for task, size in SIZES.items() for i, split in enumerate(SPLITS)
    },
    notes=(
        (
            "Each task has labels of its own, so name one: pragmeval/GUM, pragmeval/GUM/dev. A task"
            " without a split is every split that is in the data folder."
        ),
        (
            "Rare classes are missing from dev and test (PDTB 11 of 16, SwitchBoard 36 of 41); one"
            " MRDA label is never trained. Macro-F1 depends on the class set: use the scale's."
        ),
        (
            "Emergent calls neutral 'observing'. In Sarcasm the premise is the quoted post, the"
            " hypothesis the response."
        ),
        (
            "Some inputs stand twice, and some of dev and test stand in train (EmoBank, Emergent,"
            " Verifiability). Texts are lower-cased and quoted as in CSV."
        ),
    ),
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
    bare=False,
)
