"""Numbers in sentences, and when a number may be said: only as far as its interval reaches."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from grice.core.estimate import Estimate
from grice.reporting.model import Number

# Below this share of right controls the targets are not read; IMPPRES calls a model near 100%
# reliable.
CONTROLS = 0.8


def percent(estimate: Estimate | None) -> str:
    """`62% (58–66, n = 480)`."""
    if estimate is None:
        return "no items"
    low, high, value = estimate.low, estimate.high, estimate.value
    if low is None or high is None or low == high:
        return f"{round_percent(value)} (n = {estimate.n:,})"
    low, high = max(low, 0.0), min(high, 1.0)
    # Ends that whole numbers cannot tell apart, or a share that is nearly all or none, need a
    # decimal.
    near = round(100 * value) in (0, 100) and value not in (0.0, 1.0)
    digits = 1 if near or round(100 * low) == round(100 * high) else 0
    # An end beside 100 or 0 that is not there keeps the decimals that show it.
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
    """`62% (58–66)`, for several numbers of the same n."""
    ends, comma, _ = percent(estimate).partition(", n = ")
    return f"{ends})" if comma else ends.partition(" (n = ")[0]


def round_percent(share: float) -> str:
    """A share as a percentage that says 0 and 100 only where it is."""
    rounded = round(100 * share)
    if rounded == 100 and share < 1:
        return "over 99%"
    if rounded == 0 and share > 0:
        return "under 1%"
    return f"{rounded}%"


def count(n: int, noun: str) -> str:
    """`1 set`, `3 sets`."""
    return f"{n:,} {noun}{'' if n == 1 else 's'}"


def data_name(name: str) -> str:
    """A dataset as one says it: `core@0` is core, `core@7` core of seed 7."""
    stem, _, seed = name.partition("@")
    return stem if seed in ("", "0") else f"{stem} of seed {seed}"


def is_above(estimate: Estimate | None, line: float) -> bool:
    """Whether the whole interval lies above the line."""
    return estimate is not None and estimate.low is not None and estimate.low > line


def is_below(estimate: Estimate | None, line: float) -> bool:
    """Whether the whole interval lies below the line."""
    return estimate is not None and estimate.high is not None and estimate.high < line


def join_names(names: Iterable[str], most: int = 8) -> str:
    """`a, b and c`; what does not fit is counted."""
    listed = list(names)
    if len(listed) > most:
        return ", ".join(listed[:most]) + f" and {len(listed) - most} more"
    if len(listed) < 2:
        return "".join(listed)
    return ", ".join(listed[:-1]) + " and " + listed[-1]


def join_clauses(clauses: Iterable[str]) -> str:
    """`a; b; c.`, or nothing."""
    text = "; ".join(clauses)
    return f"{text}." if text else ""


def select(
    numbers: Iterable[Number], judge: str, series: str | None = None, row: str | None = None
) -> list[Number]:
    """The numbers of a judge, of a series or a row of it; those without an estimate are left out."""
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
    """The one estimate meant, if it is there."""
    matches = select(numbers, judge, series, row)
    return matches[0].estimate if matches else None
