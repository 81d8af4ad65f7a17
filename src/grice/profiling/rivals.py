"""The same number of each rival, and of what the papers print, to stand beside a claim."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from statistics import fmean

import polars as pl

from grice.profiling.sheets import AnswerSheet, judges_in

MOST = 4


def describe_rivals(
    sheet: AnswerSheet, frame: pl.DataFrame, describe: Callable[[pl.DataFrame], str]
) -> list[str]:
    """What `describe` says of each rival on the same rows, the first few by name."""
    others = [judge for judge in judges_in(sheet, frame) if judge != sheet.judges[0]]
    phrases = [f"{judge} {describe(frame.filter(pl.col('judge') == judge))}" for judge in others[:MOST]]
    return [*phrases, *([f"{len(others) - MOST} more below"] if len(others) > MOST else [])]


def mean_printed(figures: Mapping[tuple[str, str], float], model: str) -> float:
    """The plain mean of the numbers a paper prints for a model."""
    return fmean(value for (_, column), value in figures.items() if column == model)
