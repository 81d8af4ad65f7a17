"""Recorded predictions of the NOPE paper's models, on NOPE and IMPPRES's presuppositions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import numpy as np
import numpy.typing as npt
import polars as pl

from grice.core.dataset import Dataset
from grice.core.errors import InputError, MissingData
from grice.core.scale import NLI
from grice.datasets.formats.frames import json_rows
from grice.storage.run import Run
from grice.storage.source import find_published

# Model, its folder, its first released run, and how its files are called.
TRANSFORMERS = {"main": "nope_main", "adv": "nope_adv", "imppres": "imppres_all"}
OLDER = {"main": "eval_nope_main", "adv": "eval_nope_adv", "imppres": "eval_imppres"}
MODELS = {
    "RoBERTa-large": (1, TRANSFORMERS),
    "DeBERTa-xlarge": (1, TRANSFORMERS),
    "BOW": (0, OLDER),
    "InferSent": (0, OLDER),
}
TRAINED = {"mnli": "mnli", "all": "mnli-snli-anli-fever"}
# The runs of RoBERTa-large on all training sets, of which the paper prints the mean.
RUNS = (1, 2, 3, 4, 5)
# The order of the logits.
LABELS = NLI.labels
# Predictions on IMPPRES: the nine files one after the other, in the order of their names.
IMPPRES_ROWS = 1900
IMPPRES = (
    "all_n_presupposition",
    "both_presupposition",
    "change_of_state",
    "cleft_existence",
    "cleft_uniqueness",
    "only_presupposition",
    "possessed_definites_existence",
    "possessed_definites_uniqueness",
    "question_presupposition",
)

Logits = npt.NDArray[np.float64]


def _paths(kind: str) -> Iterator[tuple[str, str]]:
    """Yield (judge, path below the folder of models) of every released file of a kind."""
    for model, (first, names) in MODELS.items():
        for word, training in TRAINED.items():
            runs = (
                RUNS
                if (model, word) == ("RoBERTa-large", "all") and kind != "imppres"
                else (first,)
            )
            for run in runs:
                judge = f"{model} ({word})" if run == first else f"{model} ({word}) run {run}"
                yield judge, f"{model}/{training}/{run}/{names[kind]}.jsonl"


# The models that answered IMPPRES.
JUDGES = tuple(judge for judge, _ in _paths("imppres"))


def nope_runs(folder: Path, data: Dataset, part: str) -> Sequence[Run]:
    """Return the models' answers to a part of NOPE, joined by its ids."""
    runs = []
    for judge, path in _released_files(folder, part):
        rows = [row for _, row in json_rows(path, "logits", "uid")]
        of = dict(zip(data.frame["tag.pair"], data.frame["id"], strict=True))
        table = np.array([row["logits"] for row in rows], dtype=np.float64)
        answered = [(of[row["uid"]], i) for i, row in enumerate(rows) if row["uid"] in of]
        runs.append(
            _run(data, judge, [item for item, _ in answered], table[[i for _, i in answered]])
        )
    return runs


def imppres_runs(folder: Path, data: Dataset) -> Sequence[Run]:
    """Return the models' answers to the released presuppositions of IMPPRES, joined by line.

    The published ids repeat in every file.
    """
    if "tag.version" not in data.frame.columns:
        return []
    items = data.frame.filter(
        (pl.col("tag.kind") == "presupposition") & (pl.col("tag.version") == "v1")
    )
    if items.is_empty():
        return []
    first = {name: IMPPRES_ROWS * index for index, name in enumerate(IMPPRES)}
    rows = [
        first[name] + int(item.rpartition("/")[2])
        for name, item in items.select("tag.set", "id").iter_rows()
    ]
    runs = []
    for judge, path in _released_files(folder, "imppres"):
        table = np.array([row["logits"] for _, row in json_rows(path, "logits")], dtype=np.float64)
        if len(table) != IMPPRES_ROWS * len(IMPPRES):
            raise InputError(
                f"{path}: {len(table)} lines, not {IMPPRES_ROWS * len(IMPPRES)}; fetch the file"
                " again"
            )
        runs.append(_run(data, judge, items["id"].to_list(), table[rows]))
    return runs


def _released_files(folder: Path, kind: str) -> Iterator[tuple[str, Path]]:
    """Yield the files that are in the data folder; without them there are no recorded models."""
    for judge, name in _paths(kind):
        with suppress(MissingData):
            roots = ("nope_models", "nope/model_results")
            yield judge, find_published(folder, *(f"{r}/{name}" for r in roots), source="nope")


def _run(data: Dataset, judge: str, ids: list[str], logits: Logits) -> Run:
    weights = np.exp(logits - logits.max(axis=1, keepdims=True))
    probs = weights / weights.sum(axis=1, keepdims=True)
    answers = [LABELS[best] for best in logits.argmax(axis=1)]
    return Run.from_columns(
        data, judge, ids, answers, probs={w: probs[:, i].tolist() for i, w in enumerate(LABELS)}
    )
