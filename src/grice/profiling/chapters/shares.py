"""Label shares: data whose gold is the share of people who gave each label."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from grice.analysis.statistics.shares import share_distances, share_pairs, shared_labels
from grice.core.estimate import Estimate, mean
from grice.profiling.chapter import Chapter, Findings
from grice.profiling.phrases import data_name
from grice.profiling.sheets import AnswerSheet
from grice.reporting.formats import join_names
from grice.reporting.model import EVIDENCE, Figure, Mark, MarkKind, Number, Query
from grice.tables.tabular import ends_text

BINS, SHUFFLES = 10, 20
WHAT = (
    "The data give no single right answer: they have the share of people who gave each label. A"
    " model that gives probabilities has shares of its own; one that gives a label puts all on it."
)
GOOD = (
    "On the diagonal, a model gives a label as often as people do. The distance is half the sum of"
    " the differences of the shares of an item (total variation): 0 where they are the same, 1"
    " where they have nothing in common."
)


def _reads(sheet: AnswerSheet) -> bool:
    """Return whether the gold is a distribution of labels."""
    return not sheet.data.scale.numeric and len(shared_labels(sheet.frame)) > 1


def _write(sheet: AnswerSheet) -> Findings | None:
    pairs = share_pairs(sheet.frame)
    if pairs.is_empty():
        return None
    distances = {judge: _distance(sheet.frame.filter(judge=judge)) for judge in sheet.judges}
    own = distances[sheet.judges[0]]
    rivals = [
        f"{judge} {distance.value:.2f}"
        for judge, distance in list(distances.items())[1:]
        if distance
    ]
    beside = f" For comparison: {join_names(rivals)}." if rivals else ""
    distance_text = (
        f"{own.value:.2f} ({ends_text(own.low, own.high, '{:.2f} to {:.2f}, ')}n = {own.n:,})"
        if own
        else "by an unknown distance"
    )
    text = (
        f"On {data_name(sheet.data.name)} its shares of labels are {distance_text} away from"
        f" people's on average; {_blind(sheet.first):.2f} if shuffled over the items.{beside}"
    )
    return Findings((_by_share(sheet, pairs, own), _by_label(sheet, pairs)), sentences=(text,))


def _distance(frame: pl.DataFrame) -> Estimate | None:
    rows = share_distances(frame)
    return mean(rows["distance"], rows["group"])


def _blind(frame: pl.DataFrame) -> float:
    """Return the mean distance when the same shares are assigned to other items."""
    pairs = share_pairs(frame)
    people, predicted = (
        pairs.pivot("label", index="id", values=name).drop("id").to_numpy()
        for name in ("people", "said")
    )
    draws = [np.random.default_rng(seed).permutation(len(predicted)) for seed in range(SHUFFLES)]
    return float(
        np.mean([np.abs(predicted[order] - people).sum(axis=1).mean() / 2 for order in draws])
    )


def _by_share(sheet: AnswerSheet, pairs: pl.DataFrame, own: Estimate | None) -> Figure:
    """Draw the share that the model gives against the share of people, over items and labels."""
    dots = []
    # A share on the border of two bins belongs to the lower one, as for confidence.
    bin_index = (pl.col("people") * BINS).round(9).ceil().cast(pl.Int64).clip(1, BINS) - 1
    for judge in sheet.judges_in(pairs):
        judge_pairs = pairs.filter(judge=judge).with_columns(bin_index.alias("bin"))
        for (bin,), rows in sorted(judge_pairs.partition_by("bin", as_dict=True).items()):
            share, x = (
                mean(rows["said"], rows["group"].fill_null(rows["id"])),
                rows["people"].mean(),
            )
            name = f"{100 * bin // BINS}–{100 * (bin + 1) // BINS}%"
            if share and isinstance(x, float):
                dots.append(
                    Number(name, "", judge, share, Query(sheet.index, {}, judge), x, share.value)
                )
    return Figure(
        "by-share",
        "As often as people?",
        "reliability",
        tuple(dots),
        (
            f"{sheet.judges[0]} is {own.value:.2f} away from people's shares on average."
            if own
            else "No answers."
        ),
        names="share of people",
        across="share of people who gave the label | share that the judge gives it",
        rests_on=EVIDENCE,
        note=(
            "Items and labels are grouped by the share of people who gave the label; on the dashed"
            " line the judge gives the same. Below: how many of them there are."
        ),
    )


def _by_label(sheet: AnswerSheet, pairs: pl.DataFrame) -> Figure:
    """Draw the share of each label over all items, with people as diamonds."""
    labels = shared_labels(sheet.frame)
    numbers, marks = [], []
    for label in labels:
        label_pairs = pairs.filter(label=label)
        for judge in sheet.judges_in(label_pairs):
            rows = label_pairs.filter(judge=judge)
            numbers.append(
                Number(
                    label,
                    "",
                    judge,
                    mean(rows["said"], rows["group"]),
                    Query(sheet.index, {}, judge),
                )
            )
        people = label_pairs.unique("id", maintain_order=True)["people"].mean()
        marks += (
            [Mark(label, "", people, "people", MarkKind.PEOPLE)]
            if isinstance(people, float)
            else []
        )
    return Figure(
        "by-label",
        "Shares of each label",
        "dots",
        tuple(numbers),
        _farthest(numbers, marks, sheet.judges[0]),
        names="label",
        across="share of answers",
        marks=tuple(marks),
        rests_on=EVIDENCE,
        note="Diamonds: people.",
    )


def _farthest(numbers: Sequence[Number], marks: Sequence[Mark], judge: str) -> str:
    """Name the label whose share is farthest from people's."""
    people = {mark.row: mark.value for mark in marks}
    judge_numbers = [
        number
        for number in numbers
        if number.judge == judge and number.estimate and number.row in people
    ]
    if not judge_numbers:
        return "No answers."
    far = max(judge_numbers, key=lambda number: abs(number.value - people[number.row]))
    return (
        f"{judge} is farthest from people with {far.row}: {far.value:.0%}, people"
        f" {people[far.row]:.0%}."
    )


shares = Chapter(
    "shares",
    "Shares of labels",
    WHAT,
    GOOD,
    _reads,
    _write,
    order=85,
    phenomenon=False,
    absent=None,
)
