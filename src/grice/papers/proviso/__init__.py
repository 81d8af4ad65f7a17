"""Azin et al. (2026): language models' ratings of the presuppositions of conditionals."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import polars as pl

from grice.core.estimate import mean
from grice.papers.people import answers_of_models
from grice.papers.texts import read_paper
from grice.tables.paper import Bench, Cell

BANDS = ("high", "mid", "low")


def ratings(part: str) -> Callable[[Bench], Iterator[Cell]]:
    """Return a computation of mean ratings, over all items and by the antecedent's band.

    The band is how likely the antecedent makes the statement.
    """

    def compute(bench: Bench) -> Iterator[Cell]:
        frames, reason = answers_of_models(bench, f"proviso/{part}")
        if not frames:
            yield Cell.make("", "mean", None, reason=reason)
        for judge, frame in frames.items():
            # The number of a judge of pairs is P(entailment) − P(contradiction); the recorded
            # models rate from 0 to 7.
            soft = (
                pl.col("p.entailment") - pl.col("p.contradiction")
                if "p.entailment" in frame.columns
                else pl.lit(None, pl.Float64)
            )
            hard = pl.col("answer").replace_strict(
                {"entailment": 1.0, "neutral": 0.0, "contradiction": -1.0},
                default=None,
                return_dtype=pl.Float64,
            )
            rated = frame.with_columns(pl.coalesce("value", soft, hard).alias("rating"))
            for column, rows in (
                ("mean", rated),
                *((band, rated.filter(pl.col("tag.band") == band)) for band in BANDS),
            ):
                yield Cell.make(judge, column, mean(rows["rating"], rows["group"]), judge=judge)
            faults = int(frame["fault"].is_not_null().sum())
            yield Cell.make(judge, "not rated", faults, n=frame.height, judge=judge)

    return compute


proviso = read_paper(
    Path(__file__).with_name("paper.toml"),
    {"Without context": ratings("without"), "With context": ratings("with")},
)
