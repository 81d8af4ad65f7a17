"""Accuracy on embedded triggers in paradigms whose controls are right (IMPPRES §7.2)."""

from __future__ import annotations

import polars as pl

from grice.analysis.statistics.readings import gold_column
from grice.core.estimate import Estimate, mean_of
from grice.tables.table import Measure


def projection(reading: str = "label") -> Measure:
    """Measure accuracy on embedded triggers in paradigms whose controls are right.

    It needs the tags role, operator and presupposition, and whole paradigms in the frame. A target
    under an operator counts iff, in its paradigm, (a) the control under the same operator and (b)
    the unembedded trigger with its presupposition are both answered right. n counts the remaining
    targets; without any there is no estimate.
    """

    def compute(frame: pl.DataFrame) -> Estimate | None:
        targets = surviving_rows(frame, reading)
        return mean_of(targets, pl.col("answer") == pl.col(gold_column(frame, reading)))

    empty = (
        "no embedded target whose paradigm has its control and its plain case both in the rows and"
        " answered right"
    )
    return Measure(f"projection:{reading}", compute, empty=empty)


def surviving_rows(frame: pl.DataFrame, reading: str = "label") -> pl.DataFrame:
    """Return the embedded targets whose paradigm passes both controls, for each judge."""
    right = pl.col("answer") == pl.col(gold_column(frame, reading))
    is_control = pl.col("tag.role") == "control"
    if "tag.trigger" in frame.columns:
        # A sentence without the trigger is a control of the inference, not of the operator.
        is_control &= pl.col("tag.trigger").fill_null("") != "absent"
    control = frame.filter(is_control & right).select("judge", "group", "tag.operator")
    plain = frame.filter(
        (pl.col("tag.role") == "target")
        & (pl.col("tag.operator") == "unembedded")
        & (pl.col("tag.presupposition") == "positive")
        & right
    ).select("judge", "group")
    targets = frame.filter(
        (pl.col("tag.role") == "target") & (pl.col("tag.operator") != "unembedded")
    )
    return targets.join(
        control, on=["judge", "group", "tag.operator"], how="semi", maintain_order="left"
    ).join(plain, on=["judge", "group"], how="semi", maintain_order="left")
