"""Numbers and lists in sentences: shares with their intervals, counts and names."""

from __future__ import annotations

from collections.abc import Iterable

from grice.core.estimate import Estimate


def percent(estimate: Estimate | None) -> str:
    """Format a share as `62% (58–66, n = 480)`."""
    if estimate is None:
        return "no items"
    ends = _ends(estimate)
    if ends is None:
        return f"{round_percent(estimate.value)} (n = {estimate.n:,})"
    return f"{ends[0]}% ({ends[1]}–{ends[2]}, n = {estimate.n:,})"


def interval(estimate: Estimate | None) -> str:
    """Format a share as `62% (58–66)`, for several numbers of the same n."""
    if estimate is None:
        return "no items"
    ends = _ends(estimate)
    if ends is None:
        return round_percent(estimate.value)
    return f"{ends[0]}% ({ends[1]}–{ends[2]})"


def _ends(estimate: Estimate) -> tuple[str, str, str] | None:
    """Return value and ends as percentages with the decimals they need; None without interval."""
    low, high, value = estimate.low, estimate.high, estimate.value
    if low is None or high is None or low == high:
        return None
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
    first, second, third = (f"{100 * x:.{digits if 0 < x < 1 else 0}f}" for x in (value, low, high))
    return first, second, third


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
