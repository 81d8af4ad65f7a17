"""Data rows of a chart: each number of a figure with its position, its texts and its link."""

from __future__ import annotations

from math import ceil
from typing import Any

from grice.reporting.figure import REFERENCE_WORDS, Chip, Figure, Mark, MarkKind, Number
from grice.reporting.labels import CORNERS, WIDE, name_dots
from grice.reporting.palette import LIGHT, PEOPLE
from grice.tables.tabular import ends_text

# Up to this many judges have a lane of their own in an overview chart.
FEW = 4
# The sign of each verdict and its colours, distinguishable in grey: box, edge and text.
CHIPS = {
    "pragmatic": ("■", "ink", "ink", "paper"),
    "logical": ("□", "paper", "ink", "ink"),
    "neither": ("×", "grid", "quiet", "ink"),
    "mixed": ("±", "grid", "quiet", "ink"),
    "right": ("●", "ink", "ink", "paper"),
    "wrong": ("○", "paper", "ink", "ink"),
    "inconclusive": ("?", "paper", "pale", "quiet"),
}
WITHOUT = REFERENCE_WORDS[MarkKind.SHUFFLED]
_GATED = " (inconclusive)"


def chart_rows(figure: Figure, width: int = WIDE) -> list[dict[str, Any]]:
    """Return the rows of a figure, with the additional fields of its kind of chart."""
    if figure.kind in ("plane", "triangle"):
        return name_dots(figure, _placed(figure), width)
    kinds = {
        "stack": _stacked,
        "matrix": _coloured,
        "heat": _squares,
        "fingerprint": _lanes,
        "forest": _differences,
        "reliability": _shares,
    }
    return kinds.get(figure.kind, _plain)(figure)


def _placed(figure: Figure) -> list[dict[str, Any]]:
    """Return the dots of a plane with both of their numbers and the position of humans."""
    people = {number.row: number for number in figure.numbers if number.judge == PEOPLE}
    x_name, _, y_name = figure.across.partition(" | ")
    rows = []
    for number in figure.numbers:
        if number.estimate is None or number.x is None or number.y is None:
            continue
        row = _row(number)
        if figure.kind == "plane":
            row["text"] = (
                f"{number.row}, {number.judge}: {x_name} {number.x:+.2f}, {y_name} {number.y:+.2f},"
                f" n={number.estimate.n:,}"
            )
            human = people.get(number.row)
            if human is not None and number.judge != PEOPLE:
                label = f"{number.row}, people: {x_name} {human.x:+.2f}, {y_name} {human.y:+.2f}"
                row |= {"x0": human.x, "y0": human.y, "text0": label}
        else:
            neither = number.y / CORNERS["neither"][1]
            pragmatic = number.x - neither * CORNERS["neither"][0]
            shares = (
                f"{1 - pragmatic - neither:.0%} logical, {pragmatic:.0%} pragmatic, {neither:.0%}"
                " neither"
            )
            row["text"] = (
                f"{number.row}, {number.judge}: {shares},"
                f" n={number.estimate.n:,}{_GATED if number.gated else ''}"
            )
        rows.append(row)
    return rows


def _differences(figure: Figure) -> list[dict[str, Any]]:
    numbers = [number for number in figure.numbers if number.estimate is not None]
    rows = []
    for number, row in zip(numbers, _plain(figure), strict=True):
        stands = "stands after correction" if number.sure else "does not stand after correction"
        text = f"{row['text']}, {number.paradigms:,} paradigms; {stands}"
        paradigm_counts = [peer.paradigms or 0 for peer in numbers if peer.row == number.row]
        paradigms_text = "–".join(
            f"{count:,}" for count in dict.fromkeys((min(paradigm_counts), max(paradigm_counts)))
        )
        rows.append({**row, "sure": number.sure, "paradigms": f"{paradigms_text} p.", "text": text})
    return rows


def _shares(figure: Figure) -> list[dict[str, Any]]:
    """Return each tenth of confidence with its middle and its share of the judge's answers."""
    rows = _plain(figure)
    counts = [number.estimate.n for number in figure.numbers if number.estimate is not None]
    totals: dict[str, int] = {}
    for row, n in zip(rows, counts, strict=True):
        totals[row["judge"]] = totals.get(row["judge"], 0) + n
    return [
        {
            **row,
            "middle": (max(ceil(round(10 * row["x"], 9)), 1) - 0.5) / 10,
            "share": n / totals[row["judge"]],
            "tip": f"{row['row']}, {row['judge']}: {n / totals[row['judge']]:.0%} of its answers",
        }
        for row, n in zip(rows, counts, strict=True)
    ]


def _plain(figure: Figure) -> list[dict[str, Any]]:
    return [_row(number) for number in figure.numbers if number.estimate is not None]


def _row(number: Number) -> dict[str, Any]:
    estimate = number.estimate
    assert estimate is not None
    ends = ends_text(estimate.low, estimate.high, " ({:.2f} to {:.2f})")
    return {
        "row": number.row,
        "series": number.series,
        "judge": number.judge,
        "value": estimate.value,
        "low": estimate.low,
        "high": estimate.high,
        "n": f"n={estimate.n:,}",
        "x": number.x,
        "y": number.y,
        "href": number.query.href,
        "gated": number.gated,
        "text": (
            f"{number.row}, {number.series or number.judge}: {estimate.value:.2f}{ends},"
            f" n={estimate.n:,}{_GATED if number.gated else ''}"
        ),
    }


def _lanes(figure: Figure) -> list[dict[str, Any]]:
    """Return each judge in a lane of its row, the profiled one in the first.

    If there are many rivals, they share the last lane, without intervals.
    """
    positions = {judge: index for index, judge in enumerate(figure.order or figure.judges)}
    many = len(figure.judges) > FEW
    lane_rows = [
        {
            **value,
            "lane": str(
                min(positions[value["judge"]], 1) * 9 if many else positions[value["judge"]]
            ),
        }
        for value in _plain(figure)
    ]
    return sorted(lane_rows, key=lambda value: value["lane"])


def _stacked(figure: Figure) -> list[dict[str, Any]]:
    names = figure.series
    return [{**value, "place": names.index(value["series"])} for value in _plain(figure)]


def _coloured(figure: Figure) -> list[dict[str, Any]]:
    low, high = figure.domain
    # The scale of differences diverges at 0; that of rates starts at 0.
    middle, half = ((low + high) / 2, (high - low) / 2) if low < 0 else (low, high - low)
    rows = _plain(figure)
    for row in rows:
        value = row["value"]
        strength, points = abs(value - middle) / half, _points(value, signed=low < 0)
        row |= {"strength": strength, "above": value >= middle, "points": points}
    return rows


def _points(share: float, *, signed: bool) -> str:
    """Return a rate in whole points, which fit a cell on a phone; signed for a difference."""
    points = round(100 * share)
    return f"{points:+d}".replace("-", "−") if signed and points else str(points)


def _squares(figure: Figure) -> list[dict[str, Any]]:
    return [{**v, "x2": v["x"] + 1, "y2": v["y"] + 1} for v in _plain(figure)]


def mark_rows(figure: Figure) -> list[dict[str, Any]]:
    """Return the rows of a figure's reference marks and of its chips."""
    rows = [
        _mark(mark, mark.value) | {"key": REFERENCE_WORDS[mark.kind]}
        for mark in figure.marks
        if mark.kind is not MarkKind.SHUFFLED
    ]
    return rows + list(map(_chip, figure.chips))


def _chip(chip: Chip) -> dict[str, Any]:
    sign, box, edge, ink = CHIPS[chip.verdict]
    colours = {"box": LIGHT[box], "edge": LIGHT[edge], "ink": LIGHT[ink]}
    return {
        "row": chip.row,
        "series": chip.series,
        "kind": "chip",
        "sign": sign,
        "word": f"{sign} {chip.verdict}",
        "text": f"{chip.row}: {chip.verdict}",
        **colours,
    }


def blind_rows(figure: Figure) -> list[dict[str, Any]]:
    """Return the rows of the shuffled-answer baseline for the profiled judge.

    In a stack these are the borders of its rates.
    """
    twins = [mark for mark in figure.marks if mark.kind is MarkKind.SHUFFLED]
    judge = figure.judges[0] if figure.judges else ""
    if figure.kind != "stack":
        return [
            {**_mark(m, m.value), "judge": judge, "key": WITHOUT, "x": m.x, "y": m.y, "lane": "0"}
            for m in twins
        ]
    rows = []
    for row in dict.fromkeys(mark.row for mark in twins):
        shares = {mark.series: mark for mark in twins if mark.row == row}
        total = 0.0
        for series in figure.series[:-1]:
            if series in shares:
                total += shares[series].value
                rows.append({**_mark(shares[series], total), "judge": judge, "key": WITHOUT})
    return rows


def _mark(mark: Mark, value: float) -> dict[str, Any]:
    return {
        "row": mark.row,
        "value": value,
        "text": f"{mark.label}: {mark.value:.3g}",
        "series": mark.series,
    }
