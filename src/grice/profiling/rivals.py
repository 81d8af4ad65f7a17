"""Reference values of a claim: other models on the same rows, and what the papers print."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from statistics import fmean

import polars as pl

from grice.core.estimate import Estimate
from grice.profiling.sheets import AnswerSheet
from grice.reporting.formats import join_clauses, percent, round_percent

MOST = 4


def describe_rivals(
    sheet: AnswerSheet,
    frame: pl.DataFrame,
    describe: Callable[[pl.DataFrame], str | Estimate | None],
    *papers: str,
) -> str:
    """List what `describe` returns for the first few other models, then what papers print."""
    others = [judge for judge in sheet.judges_in(frame) if judge != sheet.judges[0]]
    by_rival = {judge: describe(frame.filter(judge=judge)) for judge in others[:MOST]}
    clauses = [
        f"{judge} {text if isinstance(text, str) else percent(text)}"
        for judge, text in by_rival.items()
    ]
    more = [f"{len(others) - MOST} more below"] if len(others) > MOST else []
    return join_clauses([*clauses, *more, *papers])


def mean_printed(figures: Mapping[tuple[str, str], float], model: str) -> str:
    """Return the unweighted mean of the shares a paper prints for a model."""
    return round_percent(fmean(value for (_, column), value in figures.items() if column == model))
