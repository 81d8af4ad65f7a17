"""Dataset names, and tests of whether an interval lies above or below a line."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import PurePath

from grice.core.estimate import Estimate
from grice.reporting.model import Number


def data_name(name: str) -> str:
    """Return the display name of a dataset: `core@0` is core, `core@7` core of seed 7."""
    stem, _, seed = name.partition("@")
    # A file is named without its folder.
    stem = PurePath(stem).name if PurePath(stem).suffix else stem
    return stem if seed in ("", "0") else f"{stem} of seed {seed}"


def is_above(estimate: Estimate | None, line: float) -> bool:
    """Return whether the whole interval lies above the line."""
    return estimate is not None and estimate.low is not None and estimate.low > line


def is_below(estimate: Estimate | None, line: float) -> bool:
    """Return whether the whole interval lies below the line."""
    return estimate is not None and estimate.high is not None and estimate.high < line


def select(
    numbers: Iterable[Number], judge: str, series: str | None = None, row: str | None = None
) -> list[Number]:
    """Return the numbers of a model, of a series or a row of it, that have an estimate."""
    return [
        number
        for number in numbers
        if number.estimate
        and number.judge == judge
        and (series is None or number.series == series)
        and (row is None or number.row == row)
    ]


def estimate_of(
    numbers: Sequence[Number], judge: str, series: str | None = None, row: str | None = None
) -> Estimate | None:
    """Return the first estimate of a model in a series or a row, if there is one."""
    matches = select(numbers, judge, series, row)
    return matches[0].estimate if matches else None
