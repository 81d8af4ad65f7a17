"""Columns that a measure reads: the gold answer of a reading, and a judge's number."""

from __future__ import annotations

import polars as pl

from grice.core.dataset import GOLD
from grice.core.errors import InputError, unknown
from grice.core.estimate import UNBOUNDED, Ends
from grice.core.scale import SCALE_ENDS

PROB = "p."


def gold_column(frame: pl.DataFrame, reading: str) -> str:
    """Return the column of a reading with label gold; without a name, the only such reading."""
    column = "" if reading else _only_label_column(frame)
    column = column or _reading_column(frame, reading)
    if frame[column].dtype.is_numeric():
        name = column.removeprefix(GOLD)
        fit = f"pearson:{name}, spearman:{name} or mse:{name}"
        raise InputError(f"the gold answers of '{name}' are numbers, not labels; use {fit}")
    return column


def _only_label_column(frame: pl.DataFrame) -> str:
    """Return the only column with label gold; "" if there are several or none."""
    labelled = [
        column
        for column, kind in frame.schema.items()
        if column.startswith(GOLD)
        and kind == pl.String
        and frame[column].null_count() < frame.height
    ]
    return labelled[0] if len(labelled) == 1 else ""


def _reading_column(frame: pl.DataFrame, reading: str) -> str:
    golds = [c for c in frame.columns if c.startswith(GOLD)]
    if reading:
        if GOLD + reading not in golds:
            raise unknown("reading", reading, [c.removeprefix(GOLD) for c in golds])
        return GOLD + reading
    filled = [c for c in golds if frame[c].null_count() < frame.height]
    if len(filled) != 1:
        names = ", ".join(c.removeprefix(GOLD) for c in filled) or "none"
        raise InputError(
            f"the items have the readings {names}; say which one, as in"
            f" 'accuracy:{names.split(', ')[0]}'"
        )
    return filled[0]


def numeric_gold(frame: pl.DataFrame, reading: str) -> str:
    """Return the column of a reading with numeric gold; without a name, the only such reading."""
    golds = [c for c in frame.columns if c.startswith(GOLD) and frame.schema[c].is_numeric()]
    if not reading and len(golds) == 1:
        return golds[0]
    column = _reading_column(frame, reading) if reading or not golds else ""
    if column in golds:
        return column
    numbers = ", ".join(c.removeprefix(GOLD) for c in golds) or "none"
    raise InputError(f"a reading with numbers is needed, not '{reading}'; the items have {numbers}")


def label_set(frame: pl.DataFrame) -> list[str]:
    """Return the labels of the task in their order: a run has one probability column for each."""
    labels = [c.removeprefix(PROB) for c in frame.columns if c.startswith(PROB)]
    if not labels:
        raise InputError("the judge was asked for a number, so there are no labels to count")
    return labels


def answered(frame: pl.DataFrame, column: str) -> pl.DataFrame:
    """Return the rows with an answer label and a gold answer in that column."""
    return frame.filter(pl.col("answer").is_not_null() & pl.col(column).is_not_null())


def score_of(frame: pl.DataFrame) -> pl.Expr:
    """Return a judge's answer as one number: its own, or P(entailment) − P(contradiction).

    A label without probabilities is 1, 0 or −1.
    """
    for_it, against = PROB + "entailment", PROB + "contradiction"
    has_both = {for_it, against} <= set(frame.columns)
    soft = [pl.col(for_it) - pl.col(against)] if has_both else []
    return pl.coalesce(pl.col("value"), *soft, _label_score()).alias("score")


def score_ends(frame: pl.DataFrame) -> Ends:
    """Return between which numbers the score of an answer lies: on the answers' own scale."""
    if "value" not in frame.columns or frame["value"].null_count() == frame.height:
        return (-1.0, 1.0)
    if not set(SCALE_ENDS) <= set(frame.columns) or frame[SCALE_ENDS[0]].null_count():
        return UNBOUNDED
    low, high = (frame[column] for column in SCALE_ENDS)
    return float(low.min()), float(high.max())  # type: ignore[arg-type]


def score_of_reply() -> pl.Expr:
    """Return one person's reply as a number, by the columns `answer` and `value`."""
    return pl.coalesce("value", _label_score())


def _label_score() -> pl.Expr:
    return pl.col("answer").replace_strict(
        {"entailment": 1.0, "neutral": 0.0, "contradiction": -1.0},
        default=None,
        return_dtype=pl.Float64,
    )


def number_pairs(frame: pl.DataFrame, reading: str) -> pl.DataFrame:
    """Return `said`, `gold`, `group` of the rows that have both numbers."""
    gold = numeric_gold(frame, reading)
    return frame.select(
        score_of(frame).alias("said"), pl.col(gold).cast(pl.Float64).alias("gold"), "group"
    ).drop_nulls(["said", "gold"])


def named(name: str, argument: str) -> str:
    """Return a measure's name with its argument: `accuracy:pragmatic`."""
    return f"{name}:{argument}" if argument else name
