"""How much a label shows on the surface: two classifiers that may not understand anything."""

from __future__ import annotations

import zlib
from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import polars as pl

from grice.core.dataset import GOLD, Dataset
from grice.core.estimate import Estimate, mean
from grice.core.table import RowKey, Table
from grice.generate._surface import WORD
from grice.models.softmax_regression import OneHot, fit_softmax

Features = list[list[int]]
WIDTH = 4096
FOLDS = 5
# More rows hardly move the accuracy, and the fit must stay a matter of seconds.
MOST_ROWS = 4000
DECAY = 1.0
STEPS = 80


def leakage(data: Dataset, parts: str | None = None) -> Table:
    """Accuracy of both classifiers beside chance, for every part and reading; folds never cut a group in two."""
    rows: list[RowKey] = []
    cells: dict[tuple[RowKey, str], Estimate | None] = {}
    for part, frame in _parts(data.frame, parts):
        for reading, scale in data.readings.items():
            labelled = frame.filter(pl.col(GOLD + reading).is_not_null())
            if scale.numeric or labelled[GOLD + reading].n_unique() < 2:
                continue
            row = (part, reading)
            rows.append(row)
            for column, estimate in _measured(_cut(labelled), GOLD + reading).items():
                cells[row, column] = estimate
    title = f"{data.name}: what the surface gives away (accuracy, {FOLDS}-fold by group)"
    return Table(title, ("part", "reading"), tuple(rows), tuple(COLUMNS), cells)


def _parts(frame: pl.DataFrame, column: str | None) -> list[tuple[str, pl.DataFrame]]:
    if column is None:
        return [("all", frame)]
    return [
        (str(key[0]), part)
        for key, part in frame.partition_by(column, as_dict=True, maintain_order=True).items()
    ]


def _cut(frame: pl.DataFrame) -> pl.DataFrame:
    """Whole groups from the start, about as many rows as the fit is allowed."""
    frame = frame.with_columns(pl.coalesce("group", "id").alias("group"))
    if frame.height <= MOST_ROWS:
        return frame
    last = frame["group"][MOST_ROWS - 1]
    return frame.head(MOST_ROWS).filter(pl.col("group") != last)


def _measured(frame: pl.DataFrame, gold: str) -> dict[str, Estimate | None]:
    labels = sorted(frame[gold].unique().to_list())
    answers = np.array([labels.index(label) for label in frame[gold].to_list()])
    order = {group: i for i, group in enumerate(frame["group"].unique(maintain_order=True).to_list())}
    folds = np.array([order[group] % FOLDS for group in frame["group"].to_list()])
    common = np.bincount(answers).argmax()
    found = {COLUMNS[0]: mean(pl.Series(answers == common).cast(pl.Float64), frame["group"])}
    if len(order) < FOLDS:
        return {**found, COLUMNS[1]: None, COLUMNS[2]: None}
    for column, features in CLASSIFIERS.items():
        right = _crossed(features(frame), answers, folds, len(labels))
        found[column] = mean(pl.Series(right).cast(pl.Float64), frame["group"])
    return found


def words_of_hypothesis(frame: pl.DataFrame) -> Features:
    """A hashed bag of the words of the sentence that is judged (a lone text counts as one)."""
    text = frame.select(pl.coalesce("hypothesis", "premise"))["hypothesis"]
    return [sorted({zlib.crc32(word.lower().encode()) % WIDTH for word in WORD.findall(t)}) for t in text]


def counts_of_words(frame: pl.DataFrame) -> Features:
    """How long both sentences are, by how much they differ, and how many words they share."""
    rows = []
    for premise, hypothesis in frame.select("premise", pl.col("hypothesis").fill_null("")).iter_rows():
        one, two = WORD.findall(premise.lower()), WORD.findall(hypothesis.lower())
        longer, shared = len(two) - len(one), len(set(one) & set(two))
        new = len(set(two) - set(one))
        rows.append(
            [
                min(len(one), 60),
                64 + min(len(two), 60),
                160 + max(-30, min(longer, 30)),
                192 + min(shared, 60),
                256 + min(new, 60),
            ]
        )
    return rows


CLASSIFIERS: dict[str, Callable[[pl.DataFrame], Features]] = {
    "hypothesis only": words_of_hypothesis,
    "word counts": counts_of_words,
}
COLUMNS = ("chance", *CLASSIFIERS)


def _crossed(
    features: Features, answers: npt.NDArray[np.intp], folds: npt.NDArray[np.intp], classes: int
) -> npt.NDArray[np.bool_]:
    """Whether each row is answered rightly by the fit on the other folds."""
    table = _with_used_columns(features)
    right = np.zeros(len(answers), dtype=np.bool_)
    wanted = np.eye(classes)[answers]
    for fold in range(FOLDS):
        held = folds == fold
        weights, bias = fit_softmax(table.take(~held), wanted[~held], DECAY / 2 / (~held).sum(), steps=STEPS)
        right[held] = (table.take(held) @ weights + bias).argmax(axis=1) == answers[held]
    return right


def _with_used_columns(features: Features) -> OneHot:
    used = {place: column for column, place in enumerate(sorted({p for row in features for p in row}))}
    return OneHot.from_rows([[used[place] for place in row] for row in features], len(used))
