"""Kullback–Leibler divergence of one judge's distribution of answers from another's, in nats."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from grice.analysis.statistics.readings import PROB, label_set
from grice.analysis.statistics.resample import interval, sums_by_cluster
from grice.core.errors import InputError, unknown
from grice.core.estimate import Estimate, Floats
from grice.tables.table import Measure

FLOOR = 1e-9


def kl(against: str = "") -> Measure:
    """Measure the KL divergence of one judge from another on the same items.

    The reference is the judge that `kl:NAME` names, else the last by name. A judge's distribution
    is the mean of its probabilities; without them the share of each label, with half an answer
    added to each so that a label never given is rare and not impossible.
    """

    def compute(frame: pl.DataFrame) -> Estimate | None:
        judges = frame["judge"].unique().sort().to_list()
        if len(judges) != 2:
            raise InputError(f"'kl' compares two judges and got {len(judges)}: {', '.join(judges)}")
        if against and against not in judges:
            raise unknown("judge", against, judges)
        base = against or judges[1]
        rows = frame.filter(pl.col("answer").is_not_null())
        judge_rows, base_rows = (
            rows.filter((pl.col("judge") == base) == flag) for flag in (False, True)
        )
        judge_rows = judge_rows.join(base_rows, on="id", how="semi").sort("id")
        base_rows = base_rows.join(judge_rows, on="id", how="semi").sort("id")
        if judge_rows.is_empty():
            return None
        labels = label_set(frame)
        columns = np.concatenate([_given(judge_rows, labels), _given(base_rows, labels)], axis=1)
        value = float(_divergence(columns.sum(axis=0)))
        return Estimate(
            value,
            judge_rows.height,
            *interval(sums_by_cluster(columns, judge_rows["group"]), _divergence),
        )

    return Measure("kl" if not against else f"kl:{against}", compute, many=True)


def answer_shares(rows: pl.DataFrame, labels: Sequence[str]) -> tuple[Floats, float]:
    """Return rows × labels and what is added to the sum of each label.

    Rows hold the probabilities, with nothing added. Without them they are 1 for the label given,
    and half an answer is added, so that a label never given is rare and not impossible.
    """
    probs = rows.select(PROB + label for label in labels)
    if not probs.select(pl.any_horizontal(pl.all().is_null()).any()).item():
        return probs.to_numpy().astype(np.float64), 0.0
    return (
        np.stack([(rows["answer"] == label).to_numpy() for label in labels], axis=1).astype(
            np.float64
        ),
        0.5,
    )


def _given(rows: pl.DataFrame, labels: Sequence[str]) -> Floats:
    """Return rows × labels, with what is added to the sums spread over the rows."""
    shares, added = answer_shares(rows, labels)
    return shares + added / max(len(shares), 1)


def divergence(sums: Floats, reference: Floats) -> Floats:
    """Return D(sums ‖ reference) of sums of answers, with labels in the last axis."""
    p = np.maximum(sums / sums.sum(axis=-1, keepdims=True), FLOOR)
    q = np.maximum(reference / reference.sum(axis=-1, keepdims=True), FLOOR)
    value: Floats = (p * np.log(p / q)).sum(axis=-1)
    return value


def _divergence(sums: Floats) -> Floats:
    judge_sums, base_sums = np.split(sums, 2, axis=-1)
    return divergence(judge_sums, base_sums)
