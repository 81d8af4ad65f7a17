"""Energy distance between a judge's distribution on the scale and that of people."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import polars as pl

from grice.analysis.statistics.distances import JudgedItem, distance_measure, item_distances
from grice.analysis.statistics.raters import label_value, targets
from grice.analysis.statistics.readings import PROB
from grice.core.errors import InputError
from grice.core.ratings import read_replies
from grice.tables.table import Measure


def energy(tag: str = "", of: str = "judge") -> Measure:
    """Measure the mean energy distance to people's answers, e.g. `energy:people`.

    It is in points of their scale: 0 for people's own distributions, however many people answered
    (an estimate may be below by chance). The judge's distribution is its probabilities over labels
    that are points (`1` … `7`, `0` … `100`, `yes`, `no`), else its one number. Where the items have
    targets and controls, it is of the targets. The interval is over items (by group, and by word)
    and people. `energy:people,others` is what the answers of ten other people would get.
    """
    return distance_measure("energy", tag, of, distances)


def distances(frame: pl.DataFrame, tag: str = "") -> pl.DataFrame:
    """Return the distance of a judge's distribution to people's, by item."""
    frame = targets(frame)
    return item_distances(frame, _judged_items(frame, tag), lambda a, b: np.abs(a - b))


def _judged_items(frame: pl.DataFrame, tag: str) -> Iterator[JudgedItem]:
    replies = read_replies(frame, tag).drop_nulls("value")
    people = replies.group_by("id", maintain_order=True).agg("value", "rater")
    rows = frame.join(people.rename({"value": "values"}), on="id", how="inner")
    labels = [c.removeprefix(PROB) for c in frame.columns if c.startswith(PROB)]
    points = {label: value for label in labels if (value := label_value(label)) is not None}
    for row in rows.filter(pl.col("values").list.len() >= 2).sort("id").iter_rows(named=True):
        probs = {
            value: row[PROB + label]
            for label, value in points.items()
            if row[PROB + label] is not None
        }
        single = row["value"] if row["value"] is not None else label_value(row["answer"] or "")
        if (row["value"] is not None or not probs) and single is not None:
            probs = {float(single): 1.0}
        if probs:
            yield JudgedItem(
                row["id"],
                np.array(list(probs)),
                np.array(list(probs.values())),
                np.array(row["values"]),
                tuple(row["rater"]),
            )
        elif row["answer"] is not None:
            raise InputError(
                f"'{row['answer']}' is not on people's scale; ask the judge what people were"
                " asked (asked/…)"
            )
