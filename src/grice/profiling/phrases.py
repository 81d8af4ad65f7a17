"""Numbers in sentences, and tests of whether an interval lies above or below a line."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import PurePath

from grice.core.estimate import Estimate
from grice.reporting.model import Number

# With a lower share of correct controls the targets are not interpreted; IMPPRES calls a model near
# 100% reliable.
CONTROLS = 0.8


def percent(estimate: Estimate | None) -> str:
    """Format a share as `62% (58–66, n = 480)`."""
    if estimate is None:
        return "no items"
    low, high, value = estimate.low, estimate.high, estimate.value
    if low is None or high is None or low == high:
        return f"{round_percent(value)} (n = {estimate.n:,})"
    low, high = max(low, 0.0), min(high, 1.0)
    # Ends that are equal after rounding, or a share close to 0 or 1, need a decimal.
    near = round(100 * value) in (0, 100) and value not in (0.0, 1.0)
    digits = 1 if near or round(100 * low) == round(100 * high) else 0
    # A value that is not 0 or 100 keeps enough decimals not to be rounded to it.
    while (
        digits
        and digits < 4
        and any(0 < x < 1 and round(100 * x, digits) in (0.0, 100.0) for x in (value, low, high))
    ):
        digits += 1
    # 0 and 100 without decimals are exact.
    value_text, *ends = (f"{100 * x:.{digits if 0 < x < 1 else 0}f}" for x in (value, low, high))
    return f"{value_text}% ({'–'.join(ends)}, n = {estimate.n:,})"


def interval(estimate: Estimate | None) -> str:
    """Format a share as `62% (58–66)`, for several numbers of the same n."""
    ends, comma, _ = percent(estimate).partition(", n = ")
    return f"{ends})" if comma else ends.partition(" (n = ")[0]


def round_percent(share: float) -> str:
    """Format a share as a whole percentage; 0% and 100% only where it is exact."""
    rounded = round(100 * share)
    if rounded == 100 and share < 1:
        return "over 99%"
    if rounded == 0 and share > 0:
        return "under 1%"
    return f"{rounded}%"


def count(n: int, noun: str) -> str:
    """Format a count with its noun: `1 set`, `3 sets`."""
    return f"{n:,} {noun}{'' if n == 1 else 's'}"


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


def join_names(names: Iterable[str], most: int = 8) -> str:
    """Join names as `a, b and c`; names after the first `most` are counted."""
    listed = list(names)
    if len(listed) > most:
        return ", ".join(listed[:most]) + f" and {len(listed) - most} more"
    if len(listed) < 2:
        return "".join(listed)
    return ", ".join(listed[:-1]) + " and " + listed[-1]


def join_clauses(clauses: Iterable[str]) -> str:
    """Join clauses as `a; b; c.`, or return "" for none."""
    text = "; ".join(clauses)
    return f"{text}." if text else ""


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
