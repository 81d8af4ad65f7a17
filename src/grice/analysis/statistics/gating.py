"""The regression gate: is a new model worse than an old one, and could these data show it?"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

import numpy as np
import polars as pl

from grice.analysis.statistics.paired import holm, strata
from grice.analysis.statistics.resample import clusters
from grice.analysis.statistics.swaps import difference
from grice.core.dataset import GOLD
from grice.core.distributions import student_quantile
from grice.core.estimate import Estimate

LEVEL = 0.05
# With fewer paradigms no difference has a p below the level.
MIN_PARADIGMS = 6
SIDES = ("new", "old")
ALL = "all items"
INVALID = "invalid responses"


class GateOutcome(StrEnum):
    """Result of a gate, or of one of its rows."""

    PASSED = "passed"
    WORSE = "worse"
    TOO_LITTLE_DATA = "too little data"


@dataclass(frozen=True)
class GateRow:
    """New minus old on some items: accuracy, or the share of valid responses.

    `corrected_p` is Holm's over all rows of the gate. `stratum` names the items: all of them, a
    reading, a value of a tag.
    """

    stratum: str
    difference: Estimate
    p: float
    corrected_p: float
    paradigms: int
    outcome: GateOutcome

    def to_json(self) -> dict[str, Any]:
        """Return the fields as JSON values."""
        return {**vars(self), "difference": self.difference.to_json()}


def pair_answers(
    items: pl.DataFrame, new: pl.DataFrame, old: pl.DataFrame, *, ignore_invalid: bool = False
) -> pl.DataFrame:
    """Return one row per item that the old model was asked, with the score of each model.

    `new` and `old` are frames of replies. An invalid or missing response of the new model scores 0,
    and so does an invalid one of the old model; `ignore_invalid` keeps the items with an answer of
    both. `right.READING` is −1, 0 or 1 for each reading with labels, `valid` the difference in
    valid responses, and `all` the mean over the readings of the item.
    """
    replies = [
        frame.select("id", pl.col("answer").alias(name), pl.lit(True).alias(f"{name}_asked"))
        for name, frame in (("new", new), ("old", old))
    ]
    rows = items.drop(["new", "old"], strict=False)
    for reply in replies:
        rows = rows.join(reply, on="id", how="left", maintain_order="left")
    rows = rows.filter(pl.col("old_asked"))
    if ignore_invalid:
        rows = rows.drop_nulls(["new", "old"])
    golds = [c for c in rows.columns if c.startswith(GOLD) and rows.schema[c] == pl.String]
    scores = [_score(gold, name).alias(f"{name}.{gold}") for gold in golds for name in SIDES]
    valid = pl.col("new").is_not_null().cast(pl.Int8) - pl.col("old").is_not_null().cast(pl.Int8)
    rows = rows.with_columns(*scores, valid.cast(pl.Float64).alias("valid"))
    readings = {f"right.{gold.removeprefix(GOLD)}": gold for gold in golds}
    differences = [
        (pl.col(f"new.{gold}") - pl.col(f"old.{gold}")).alias(name)
        for name, gold in readings.items()
    ]
    accuracy = pl.mean_horizontal([f"new.{gold}" for gold in golds]).alias("accuracy")
    rows = rows.with_columns(*differences, accuracy)
    return rows.with_columns(pl.mean_horizontal(list(readings)).alias("all"))


def gate_rows(
    parts: Mapping[str, pl.DataFrame], *, by: Sequence[str], margin: float
) -> list[GateRow]:
    """Return the rows of the gate over datasets: all items first, then readings, tags, validity.

    The first row passes only if its interval excludes a loss of `margin` (non-inferiority); the
    others fail if they are significantly worse, by more than the margin (Holm over all rows).
    """
    # A paradigm is distinct from those of other datasets.
    named_parts = [
        part.with_columns(
            pl.lit(name).alias("dataset"), (pl.lit(f"{name} ") + pl.col("group")).alias("group")
        )
        for name, part in parts.items()
    ]
    rows = pl.concat(named_parts, how="diagonal_relaxed")
    named: dict[str, tuple[pl.DataFrame, str]] = {ALL: (rows, "all")}
    readings = [c for c in rows.columns if c.startswith("right.")]
    if len(readings) > 1:
        named |= {f"reading {c.removeprefix('right.')}": (rows, c) for c in readings}
    if len(parts) > 1:
        named |= {f"dataset {name}": (rows.filter(dataset=name), "all") for name in parts}
    for tag in by:
        named |= {
            f"{tag} {value}": (part, "all") for value, part in strata(rows, f"tag.{tag}").items()
        }
    named[INVALID] = (rows, "valid")
    tested = [
        row
        for name, (part, column) in named.items()
        if (row := _row(name, part.drop_nulls(column), column)) is not None
    ]
    corrected = holm([row.p for row in tested])
    return [
        replace(row, corrected_p=p, outcome=_outcome(row, p, margin))
        for row, p in zip(tested, corrected, strict=True)
    ]


def paradigms_needed(row: GateRow, margin: float) -> int | None:
    """Return about how many paradigms would pass two equal models in 95% of cases."""
    low, high = row.difference.low, row.difference.high
    if low is None or high is None or row.paradigms < 2:
        return None
    reach = student_quantile(row.paradigms - 1, 1 - LEVEL / 2)
    error = (high - low) / 2 / reach
    return max(MIN_PARADIGMS, math.ceil(row.paradigms * (error * (1.96 + 1.645) / margin) ** 2))


def _score(gold: str, side: str) -> pl.Expr:
    """Return 1 where a model is right, 0 where it is not, null without gold in this reading."""
    right = (pl.col(side) == pl.col(gold)).fill_null(value=False).cast(pl.Float64)
    return pl.when(pl.col(gold).is_not_null()).then(right)


def _row(name: str, rows: pl.DataFrame, column: str) -> GateRow | None:
    if not rows.height:
        return None
    better = rows[column].to_numpy().astype(np.float64)
    estimate, p, paradigms = difference(better, clusters(rows["group"]))
    return GateRow(name, estimate, p, p, paradigms, GateOutcome.PASSED)


def _outcome(row: GateRow, corrected_p: float, margin: float) -> GateOutcome:
    """Return what a row says; only the row of all items has to show that there is no loss."""
    value, low = row.difference.value, row.difference.low
    worse = value < 0 and corrected_p < LEVEL
    if row.stratum == ALL:
        if low is not None and low > -margin and row.paradigms >= MIN_PARADIGMS:
            return GateOutcome.PASSED
        return GateOutcome.WORSE if worse else GateOutcome.TOO_LITTLE_DATA
    if worse and value < -margin:
        return GateOutcome.WORSE
    return GateOutcome.PASSED if row.paradigms >= MIN_PARADIGMS else GateOutcome.TOO_LITTLE_DATA
