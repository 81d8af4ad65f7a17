"""Shared parts of exhibits about people: replies, means over people, comparison with judges."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import polars as pl

from grice.analysis.ceiling import ceiling
from grice.analysis.human_likeness import human_likeness
from grice.analysis.pearson import pearson
from grice.analysis.spearman import spearman
from grice.analysis.statistics.correlation import correlate, ranks
from grice.core.dataset import Dataset
from grice.core.errors import GriceError
from grice.core.estimate import Estimate, mean
from grice.core.ratings import PEOPLE, read_replies
from grice.papers.cells import NO_JUDGE, Printed, score_or_reason
from grice.papers.texts import Compute
from grice.storage.run import join
from grice.storage.run_folder import RunKind
from grice.tables.paper import Bench, Cell, rounds_to


def replies(data: Dataset, tag: str = PEOPLE) -> pl.DataFrame:
    """Return every reply with the tags and readings of its item; `value` is its number."""
    return (
        read_replies(data.frame, tag)
        .drop("group")
        .join(data.frame, on="id", how="left", maintain_order="left")
    )


def people_mean(rows: pl.DataFrame) -> Estimate | None:
    """Return the mean of replies, clustered by person.

    Where persons cannot be distinguished, replies are clustered by item.
    """
    who = pl.when(pl.col("rater") == "").then("id").otherwise("rater")
    return mean(rows["value"], rows.select(who.alias("who"))["who"])


def correlation(x: pl.Series, y: pl.Series, *, ranked: bool = False) -> Estimate | None:
    """Return Pearson's r, or Spearman's ρ, of two columns, with Fisher's interval."""
    first, second = (series.cast(pl.Float64).to_numpy().astype(np.float64) for series in (x, y))
    alone = pl.Series([None] * len(first), dtype=pl.String)
    return (
        correlate(ranks(first), ranks(second), alone) if ranked else correlate(first, second, alone)
    )


def answers_of_models(bench: Bench, name: str) -> tuple[dict[str, pl.DataFrame], str]:
    """Return the joined answers of all judges but people, or the reason for none."""
    try:
        data = bench.data(name)
        runs = [
            run for run in bench.runs(name) if run.frame.height and run.kind is not RunKind.PERSON
        ]
    except GriceError as error:
        return {}, str(error)
    return ({run.judge: join(data, run) for run in runs}, "") if runs else ({}, NO_JUDGE)


def agreement_with_people(parts: Mapping[str, str], printed: Printed | None = None) -> Compute:
    """Return a computation of judges' agreement with human means on each `{dataset: reading}`.

    The measures are r, ρ, and r over its noise ceiling.
    """

    def compute(bench: Bench) -> Iterator[Cell]:
        for name, reading in parts.items():
            frames, reason = answers_of_models(bench, name)
            if not frames:
                yield Cell.make("", name, None, reason=reason)
            for judge, frame in frames.items():
                for column, measure in (
                    ("r", pearson(reading)),
                    ("ρ", spearman(reading)),
                    ("likeness", human_likeness()),
                    ("ceiling", ceiling()),
                ):
                    if column in ("r", "ρ") or "tag.people" in frame.columns:
                        estimate, why = score_or_reason(frame, measure)
                        number = (printed or {}).get((judge, column))
                        reason = why or "too few answers, or all the same"
                        yield Cell.make(name, column, estimate, number, judge=judge, reason=reason)

    return compute


def mean_by(
    rows: pl.DataFrame, by: str, names: Sequence[str], column: str, printed: Printed | None = None
) -> Iterator[Cell]:
    """Yield the mean of the replies for each value of a tag.

    A cell agrees if it rounds to the printed digits.
    """
    for name in names:
        number = (printed or {}).get((name, column))
        digits = max((len(str(p).partition(".")[2]) for p in (printed or {}).values()), default=2)
        estimate = people_mean(rows.filter(pl.col(f"tag.{by}") == name))
        yield Cell.make(name, column, estimate, number, agreed=rounds_to(digits))


def count_cell(row: str, column: str, count: int, printed: int | None = None) -> Cell:
    """Return a count compared with the printed one."""
    return Cell.make(row, column, count, printed, n=count, agreed=rounds_to(0))
