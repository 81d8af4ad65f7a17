"""Triangle of readings: a dot nears the corner whose reading more of its answers follow."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

from grice.profiling.gate import BLIND_KEY
from grice.reporting.labels import CORNERS
from grice.reporting.model import Figure, Mark, MarkKind, Number

NOTE = (
    "A dot is a set of scales; in a corner all of its answers are of that kind. Faint: its controls"
    " fail."
)


def triangle_figure(by_row: Sequence[Number], twins: Sequence[Mark], judge: str) -> Figure:
    """Draw the shares of each set and model as one dot, with the shuffled-answer baseline."""
    shares: dict[tuple[str, str], dict[str, Number]] = {}
    for number in by_row:
        shares.setdefault((number.row, number.judge), {})[number.series] = number
    dots = []
    for (row, name), by_reading in shares.items():
        values = {
            reading: by_reading[reading].value
            for reading in CORNERS
            if reading in by_reading and by_reading[reading].estimate
        }
        if len(values) == len(CORNERS):
            x, y = _place(values)
            pragmatic = by_reading["pragmatic"]
            dots.append(Number(row, "", name, pragmatic.estimate, pragmatic.query, x, y))
    blind = {
        reading: fmean(mark.value for mark in twins if mark.series == reading)
        for reading in CORNERS
        if any(mark.series == reading for mark in twins)
    }
    marks: tuple[Mark, ...] = ()
    if len(blind) == len(CORNERS):
        x, y = _place(blind)
        marks = (Mark("", "", blind["pragmatic"], BLIND_KEY, kind=MarkKind.SHUFFLED, x=x, y=y),)
    nearest = [
        max(CORNERS, key=lambda reading, row=row: shares[row, judge][reading].value)  # type: ignore[misc]
        for row, name in shares
        if name == judge and shares[row, judge]["logical"].estimate
    ]
    counts = ", ".join(f"{nearest.count(reading)} to {reading}" for reading in CORNERS)
    return Figure(
        "triangle",
        "The triangle of readings",
        "triangle",
        tuple(dots),
        f"Of {judge}'s {len(nearest)} sets, nearest are {counts}.",
        names="set",
        across="pragmatic answers to targets",
        marks=marks,
        note=NOTE,
    )


def _place(shares: dict[str, float]) -> tuple[float, float]:
    total = sum(shares.values()) or 1.0
    x, y = (
        sum(shares[name] * corner[axis] for name, corner in CORNERS.items()) / total
        for axis in (0, 1)
    )
    return x, y
