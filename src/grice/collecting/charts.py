"""Small SVG charts for the administrator's page, without scripts or libraries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from statistics import median
from typing import Any

from markupsafe import Markup

WIDTH, HEIGHT, LEFT, BOTTOM = 640, 150, 46, 22
# Number of points of a curve and bars of a histogram; slower answers are in the last bar.
POINTS, BARS = 80, 24


def progress_chart(moments: Sequence[float], wanted: int, now: float) -> Markup:
    """Return a chart of answers over time, with a line at the number asked for."""
    if not moments:
        return Markup("")
    first, total = min(moments), max(len(moments), wanted, 1)
    ordered, span = sorted(moments), max(now - min(moments), 60.0)
    counts = [
        sum(1 for at in ordered if at <= first + span * i / POINTS) for i in range(POINTS + 1)
    ]
    curve = " ".join(
        f"{_x(i / POINTS):.1f},{_y(count / total):.1f}" for i, count in enumerate(counts)
    )
    hours = span / 3600
    length = f"{hours:.1f} hours" if hours < 48 else f"{hours / 24:.1f} days"
    caption = f"{len(moments):,} answers of {wanted:,} in {length}"
    marks = _axis([(0.0, "first answer"), (1.0, "now")]) + _levels(
        [(0.0, "0"), (1.0, f"{total:,}")]
    )
    return _svg(caption, f'{marks}<polyline class="curve" points="{curve}"/>')


def seconds_chart(seconds: Sequence[float]) -> Markup:
    """Return a histogram of seconds per answer, with the median marked."""
    if not seconds:
        return Markup("")
    middle = median(seconds)
    top = max(4 * middle, 1.0)
    counts = [0] * BARS
    for duration in seconds:
        counts[min(int(duration / top * BARS), BARS - 1)] += 1
    max_count, step = max(counts), 1 / BARS
    bars = "".join(
        f'<rect class="bar-of" x="{_x(i * step) + 1:.1f}" y="{_y(count / max_count):.1f}"'
        f' width="{(WIDTH - LEFT) * step - 2:.1f}"'
        f' height="{HEIGHT - BOTTOM - _y(count / max_count):.1f}"/>'
        for i, count in enumerate(counts)
        if count
    )
    line = (
        f'<line class="mark" x1="{_x(0.25):.1f}" x2="{_x(0.25):.1f}" y1="4"'
        f' y2="{HEIGHT - BOTTOM}"/>'
    )
    marks = _axis([(0.0, "0 s"), (0.25, f"median {middle:.1f} s"), (1.0, f"{top:.0f} s or more")])
    slow = sum(duration >= top for duration in seconds)
    caption = (
        f"Seconds a pair of {len(seconds):,} answers: median {middle:.1f}, {slow:,} took {top:.0f}"
        " or more"
    )
    return _svg(caption, marks + _levels([(1.0, f"{max_count:,}")]) + bars + line)


def agreement_chart(rows: Sequence[Mapping[str, Any]]) -> Markup:
    """Return a chart of each measure with its interval, from −1 to 1.

    Counts and shares of pairs are in the table only.
    """
    known = [row for row in rows if row["value"] is not None and -1 <= row["value"] <= 1]
    if not known:
        return Markup("")
    height, parts = 28 * len(known), []
    for i, row in enumerate(known):
        y, low, high = (
            28 * i + 20,
            *((row[end] if row[end] is not None else row["value"]) for end in ("low", "high")),
        )
        at = [_x((max(-1.0, min(1.0, value)) + 1) / 2) for value in (low, high, row["value"])]
        parts.append(
            f'<text x="{LEFT}" y="{y - 9}">{escape(row["name"])}: {row["value"]:.2f}</text><line'
            f' class="curve" x1="{at[0]:.1f}" x2="{at[1]:.1f}" y1="{y}" y2="{y}"/><circle'
            f' class="dot" cx="{at[2]:.1f}" cy="{y}" r="4"/>'
        )
    marks = _axis([(0.0, "−1"), (0.5, "0: by chance"), (1.0, "1: all alike")], height)
    caption = "; ".join(f"{row['name']} {row['value']:.2f}" for row in known)
    return _svg(caption, marks + "".join(parts), height + BOTTOM)


def _x(share: float) -> float:
    return LEFT + share * (WIDTH - LEFT)


def _y(share: float) -> float:
    return (HEIGHT - BOTTOM) - share * (HEIGHT - BOTTOM - 8)


def _axis(marks: Sequence[tuple[float, str]], floor: int = HEIGHT - BOTTOM) -> str:
    sides = {0.0: "start", 1.0: "end"}
    texts = "".join(
        f'<text x="{_x(at):.1f}" y="{floor + 16}"'
        f' text-anchor="{sides.get(at, "middle")}">{escape(text)}</text>'
        for at, text in marks
    )
    return f'<line class="axis" x1="{LEFT}" x2="{WIDTH}" y1="{floor}" y2="{floor}"/>{texts}'


def _levels(marks: Sequence[tuple[float, str]]) -> str:
    return "".join(
        f'<line class="axis" x1="{LEFT}" x2="{WIDTH}" y1="{_y(at):.1f}" y2="{_y(at):.1f}"/><text'
        f' x="{LEFT - 6}" y="{_y(at) + 4:.1f}" text-anchor="end">{escape(text)}</text>'
        for at, text in marks
    )


def _svg(caption: str, content: str, height: int = HEIGHT) -> Markup:
    # The chart may scroll on a phone, and scrolling areas must be reachable by keyboard.
    return Markup(
        f'<figure class="chart" tabindex="0"><svg viewBox="0 0 {WIDTH} {height}" role="img"'
        f' aria-label="{escape(caption)}">{content}</svg>'
        f"<figcaption>{escape(caption)}.</figcaption></figure>"
    )
