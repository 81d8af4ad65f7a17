"""Macro-averaged F1 over a fixed set of labels."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from grice.analysis.statistics.readings import answered, gold_column, label_set, named
from grice.analysis.statistics.resample import share_interval, sums_by_cluster
from grice.core.estimate import Estimate, Floats
from grice.tables.table import Measure


def f1(reading: str = "", labels: str | Sequence[str] = ()) -> Measure:
    """Measure macro F1: `f1:label` over the labels of the task, `f1:label,a|b|c` over these.

    A label that neither gold nor answers hold counts as 0, so that a subset without a rare class is
    not made easier by its absence.
    """

    fixed = labels.split("|") if isinstance(labels, str) else list(labels)

    def compute(frame: pl.DataFrame) -> Estimate | None:
        column = gold_column(frame, reading)
        rows = answered(frame, column)
        if rows.is_empty():
            return None
        counts = _counts(rows["answer"], rows[column], fixed or label_set(frame))
        ends = share_interval(sums_by_cluster(counts, rows["group"]), _macro)
        return Estimate(float(_macro(counts.sum(axis=0))), rows.height, *ends)

    return Measure(named("f1", reading), compute)


def _counts(answer: pl.Series, gold: pl.Series, labels: list[str]) -> Floats:
    """Return rows × (hit, answered or gold) for each label in turn."""
    predicted = np.stack([(answer == label).to_numpy() for label in labels], axis=1)
    expected = np.stack([(gold == label).to_numpy() for label in labels], axis=1)
    either = predicted.astype(np.float64) + expected
    return np.concatenate([(predicted & expected).astype(np.float64), either], axis=1)


def _macro(sums: Floats) -> Floats:
    hit, either = np.split(sums, 2, axis=-1)
    with np.errstate(all="ignore"):
        scores = np.where(either > 0, 2 * hit / np.where(either > 0, either, 1), 0.0)
    macro: Floats = scores.mean(axis=-1)
    return macro
