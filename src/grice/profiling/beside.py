"""What stands beside a claim: the same number of each rival, and what the papers print."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from statistics import fmean

import polars as pl

from grice.profiling.parts import Part, present

MOST = 4


def rivals(part: Part, frame: pl.DataFrame, tell: Callable[[pl.DataFrame], str]) -> list[str]:
    """What `tell` says of each rival on the same rows, the first few by name."""
    others = [judge for judge in present(part, frame) if judge != part.judges[0]]
    told = [f"{judge} {tell(frame.filter(pl.col('judge') == judge))}" for judge in others[:MOST]]
    return [*told, *([f"{len(others) - MOST} more below"] if len(others) > MOST else [])]


def printed(figures: Mapping[tuple[str, str], float], model: str) -> float:
    """The plain mean of the numbers a paper prints for a model."""
    return fmean(value for (_, column), value in figures.items() if column == model)


def joined(told: Iterable[str]) -> str:
    """`a; b; c.`, or nothing."""
    words = "; ".join(told)
    return f"{words}." if words else ""
