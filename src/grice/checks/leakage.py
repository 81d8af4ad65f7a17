"""Label leakage: accuracy of classifiers that see one sentence only, or only its length."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from grice.checks.findings import Finding, split_by
from grice.checks.spelling import WORD
from grice.core.dataset import GOLD, TAG, Dataset
from grice.core.estimate import Estimate, mean
from grice.models.batching import Array
from grice.models.softmax_regression import OneHot, fit_softmax
from grice.tables.table import RowKey, Table

Features = list[list[int]]
Embed = Callable[[Sequence[str]], Any]
FeatureReader = Callable[[pl.DataFrame], "Features | Array"]
CHANCE, ENCODER = "chance", "encoder, hypothesis only"
WIDTH = 4096
FOLDS = 5
# More rows hardly move the accuracy, and the fit must stay a matter of seconds.
MOST_ROWS = 4000
# How far above chance the interval of a classifier must lie to be reported.
MARGIN = 0.03
DECAY = 1.0
STEPS = 80


def measure_leakage(
    data: Dataset, column: str | None = None, *, embed: Embed | None = None
) -> Table:
    """Measure each classifier's accuracy and chance for each value of `column` and reading.

    Groups are never divided between folds. With `embed` there is one more: a head on the vectors of
    the hypotheses, which the encoder reads without their premises.
    """
    classifiers = {**CLASSIFIERS, **({ENCODER: _encoded(embed)} if embed else {})}
    rows: list[RowKey] = []
    cells: dict[tuple[RowKey, str], Estimate | None] = {}
    for part, frame in split_by(data.frame, column, "all"):
        for reading, scale in data.readings.items():
            labelled = frame.filter(pl.col(GOLD + reading).is_not_null())
            if scale.numeric or labelled[GOLD + reading].n_unique() < 2:
                continue
            row = (part, reading)
            rows.append(row)
            estimates = _measure(_cut(labelled), GOLD + reading, classifiers)
            cells |= {(row, classifier): each for classifier, each in estimates.items()}
    title = f"{data.name}: what the surface gives away (accuracy, {FOLDS}-fold by group)"
    return Table(title, ("part", "reading"), tuple(rows), (CHANCE, *classifiers), cells)


def inference_rows(data: Dataset) -> Dataset:
    """Return the pairs that a hypothesis about an inference balances: all but other controls.

    Those are targets, pairs for balance, and controls without the trigger. The papers' own controls
    ask whether the sentence around the trigger is understood, and mostly have one label.
    """
    is_scored = pl.col(TAG + "role") != "control"
    if TAG + "trigger" in data.frame.columns:
        is_scored |= pl.col(TAG + "trigger") == "absent"
    return Dataset(data.name, data.scale, data.frame.filter(is_scored), card=data.card)


def find_leaks(table: Table) -> list[Finding]:
    """Find cells of `measure_leakage` where a classifier is clearly better than chance."""
    findings = []
    for row in table.rows:
        chance = table.cell(row, CHANCE)
        for name in (column for column in table.columns if column != CHANCE):
            got = table.cell(row, name)
            if not got or not chance or got.low is None or got.low <= chance.value + MARGIN:
                continue
            interval = f"{got.value:.3f} [{got.low:.3f}, {got.high:.3f}]"
            detail = f"{' '.join(row)}: {name} {interval} where chance is {chance.value:.3f}"
            n_right = round(got.value * got.n)
            findings.append(Finding("surface cue", "warning", n_right, got.n, detail))
    return findings


def _cut(frame: pl.DataFrame) -> pl.DataFrame:
    """Return whole groups from the start, about as many rows as the fit is allowed."""
    frame = frame.with_columns(pl.coalesce("group", "id").alias("group"))
    if frame.height <= MOST_ROWS:
        return frame
    last = frame["group"][MOST_ROWS - 1]
    return frame.head(MOST_ROWS).filter(pl.col("group") != last)


def _measure(
    frame: pl.DataFrame, gold: str, classifiers: Mapping[str, FeatureReader]
) -> dict[str, Estimate | None]:
    labels = sorted(frame[gold].unique().to_list())
    answers = np.array([labels.index(label) for label in frame[gold].to_list()])
    groups = frame["group"].unique(maintain_order=True).to_list()
    order = {group: i for i, group in enumerate(groups)}
    folds = np.array([order[group] % FOLDS for group in frame["group"].to_list()])
    common = np.bincount(answers).argmax()
    estimates = {CHANCE: mean(pl.Series(answers == common).cast(pl.Float64), frame["group"])}
    if len(order) < FOLDS:
        return {**estimates, **dict.fromkeys(classifiers)}
    for column, features in classifiers.items():
        right = _crossed(features(frame), answers, folds, len(labels))
        estimates[column] = mean(pl.Series(right).cast(pl.Float64), frame["group"])
    return estimates


def words_of_hypothesis(frame: pl.DataFrame) -> Features:
    """Return a hashed bag of the words of the hypothesis (a single text counts as one)."""
    return _bags(frame.select(pl.coalesce("hypothesis", "premise"))["hypothesis"])


def words_of_premise(frame: pl.DataFrame) -> Features:
    """Return a hashed bag of the words of the premise."""
    has_two = pl.col("hypothesis").is_not_null()
    return _bags(frame.select(pl.when(has_two).then("premise").otherwise(pl.lit("")))["premise"])


def _bags(texts: pl.Series) -> Features:
    bags = ({zlib.crc32(word.lower().encode()) % WIDTH for word in WORD.findall(t)} for t in texts)
    return [sorted(bag) for bag in bags]


def shared_words(frame: pl.DataFrame) -> Features:
    """Count the words that both sentences share, and those only in the hypothesis."""
    return [row[3:] for row in counts_of_words(frame)]


def counts_of_words(frame: pl.DataFrame) -> Features:
    """Count the words of both sentences, their difference in length, and shared and new words."""
    texts = frame.select("premise", pl.col("hypothesis").fill_null("")).iter_rows()
    return [_counts(*(WORD.findall(text.lower()) for text in pair)) for pair in texts]


def _counts(premise: list[str], hypothesis: list[str]) -> list[int]:
    """Return the five counts of a pair, each as a feature in a range of its own."""
    longer = max(-30, min(len(hypothesis) - len(premise), 30))
    shared, new = len({*premise} & {*hypothesis}), len({*hypothesis} - {*premise})
    lengths = [min(len(premise), 60), 64 + min(len(hypothesis), 60), 160 + longer]
    return [*lengths, 192 + min(shared, 60), 256 + min(new, 60)]


CLASSIFIERS: Mapping[str, FeatureReader] = {
    "hypothesis only": words_of_hypothesis,
    "premise only": words_of_premise,
    "overlap": shared_words,
    "word counts": counts_of_words,
}


def _encoded(embed: Embed) -> FeatureReader:
    """Return the vectors of the hypotheses, each encoded once, scaled to a spread of about one."""

    def read(frame: pl.DataFrame) -> Array:
        texts = frame.select(pl.coalesce("hypothesis", "premise"))["hypothesis"].to_list()
        new = [text for text in dict.fromkeys(texts) if text not in known]
        known.update(zip(new, np.asarray(embed(new)) if new else (), strict=True))
        rows = np.stack([known[text] for text in texts])
        spread: Array = (rows - rows.mean(axis=0)) * np.sqrt(rows.shape[1])
        return spread

    known: dict[str, Array] = {}
    return read


def _crossed(
    features: Features | Array,
    answers: npt.NDArray[np.intp],
    folds: npt.NDArray[np.intp],
    classes: int,
) -> npt.NDArray[np.bool_]:
    """Return whether each row is answered correctly by the fit on the other folds."""
    right = np.zeros(len(answers), dtype=np.bool_)
    wanted = np.eye(classes)[answers]
    take: Any = (
        features.__getitem__ if isinstance(features, np.ndarray) else _one_hot(features).take
    )
    for fold in range(FOLDS):
        held = folds == fold
        weights, bias = fit_softmax(
            take(~held), wanted[~held], DECAY / 2 / (~held).sum(), steps=STEPS
        )
        right[held] = (take(held) @ weights + bias).argmax(axis=1) == answers[held]
    return right


def _one_hot(features: Features) -> OneHot:
    indices = sorted({index for row in features for index in row})
    used = {index: column for column, index in enumerate(indices)}
    return OneHot.from_rows([[used[index] for index in row] for row in features], len(used))
