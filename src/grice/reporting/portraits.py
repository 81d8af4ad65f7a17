"""Overview chart: all phenomena of a profile on one axis."""

from __future__ import annotations

import json

from grice.reporting.drawing import (
    LINKED,
    MARKS,
    NUMBERS,
    ROWS,
    SHARES,
    TIP,
    WIDE,
    Spec,
    judge_look,
    layer,
    names_of,
    reference_marks,
    values_of,
)
from grice.reporting.figure import Figure
from grice.reporting.palette import LIGHT
from grice.reporting.rows import FEW

# Font sizes on a page (True) and a phone: headings, rows, chips; the letter width of a row.
SIZES = {True: (17, 15, 14, 7.4), False: (13, 11.5, 12, 5.9)}
# The width of the chart and of the chips' column, and the row height by the number of judges.
PAGE, CHIP, STEPS = 900, 148, {1: 25, 2: 30, 3: 34, 4: 36}
# A drawing this wide has two columns, for a sheet of 16 to 9.
SLIDE = 1500
FIRST = "datum.lane === '0'"


def draw_overview(figure: Figure, width: int) -> Spec:
    """Return a group of rows per chapter on one axis of rates.

    A row has the judges, the shuffled-answer baseline, the best constant label, humans, and a
    verdict chip.
    """
    wide = width >= WIDE
    extent = int(min(max(map(len, figure.rows)) * SIZES[wide][3] + 12, 240 if wide else 126))
    plot = PAGE - CHIP - extent - 24 if wide else width - extent - 22
    columns = [
        {
            "vconcat": [
                _group(figure, group, plot, extent, last=group == part[-1], wide=wide)
                for group in part
            ],
            "spacing": 12 if wide else 8,
        }
        for part in _columns_of(figure, 2 if width >= SLIDE else 1)
    ]
    return columns[0] if len(columns) == 1 else {"hconcat": columns, "spacing": 46}


def _columns_of(figure: Figure, count: int) -> list[list[str]]:
    """Return the groups in one column, or in two of similar height for a slide."""
    names = figure.series
    if count == 1 or len(names) == 1:
        return [names]
    heights = [2 + len(_rows_of(figure, group)) for group in names]
    cut = min(range(1, len(names)), key=lambda i: abs(sum(heights[:i]) - sum(heights[i:])))
    return [names[:cut], names[cut:]]


def _rows_of(figure: Figure, group: str) -> list[str]:
    return list(dict.fromkeys(number.row for number in figure.numbers if number.series == group))


def _group(figure: Figure, group: str, plot: int, extent: int, *, last: bool, wide: bool) -> Spec:
    heading, size, _, _ = SIZES[wide]
    axis = {
        "grid": False,
        "ticks": False,
        "minExtent": extent,
        "maxExtent": extent,
        "labelPadding": 10,
        "labelFontSize": size,
        "labelLimit": extent - 10,
    }
    y = names_of("row", sort=_rows_of(figure, group), title=None, axis=axis)
    ends: Spec = {"labels": False, "ticks": False}
    if last:
        ends = {"format": "%", "labelFontSize": size, "titleFontSize": size}
    axis = {"tickCount": 5 if wide else 3, "grid": True, **ends}
    x = values_of("value", scale=SHARES, title=figure.across if last else None, axis=axis)
    inside = f"datum.series === {json.dumps(group)}"
    lane = {}
    if len(figure.judges) > 1:
        lane = {"yOffset": names_of("lane", scale={"padding": 0.5})}
    legend = {"symbolSize": 110, "labelFontSize": size, "padding": 7 if wide else 2}
    panel = {"color": LIGHT["panel"], "opacity": 1, "aria": False}
    layers = [
        layer("rect", {"y": y}, inside, f"datum.gated && {FIRST}", data=ROWS, **panel),
        *_judges(figure, inside, {"y": y, **lane}, x, wide),
        *reference_marks(figure, {"y": y, "x": values_of("value")}, inside, size=legend),
        *_chips(inside, y, plot, wide),
    ]
    title = {"text": group, "anchor": "start", "frame": "bounds", "fontSize": heading, "offset": 5}
    title["color"] = LIGHT["ink"]
    height = {"step": STEPS[min(len(figure.judges), FEW)] - (0 if wide else 2), "for": "position"}
    return {"layer": layers, "width": plot, "height": height, "title": title}


def _judges(figure: Figure, inside: str, position: Spec, x: Spec, wide: bool) -> list[Spec]:
    """Return layers of intervals, then of dots: large for the profiled judge, small for others.

    Inconclusive ones are faint.
    """
    size, letter = SIZES[wide][1], SIZES[wide][3]
    room = min(max(map(len, figure.judges)) * letter, 260) + 52
    legend = {
        "title": None,
        "symbolSize": 130,
        "labelFontSize": size,
        "columns": int(max((PAGE if wide else 320) // room, 1)),
        "columnPadding": 26,
        "labelLimit": 260,
    }
    look = judge_look(figure, legend)
    faint = {"condition": {"test": f"datum.gated && !({FIRST})", "value": 0.35}, "value": 1}
    thick = {"condition": {"test": FIRST, "value": 3.5}, "value": 1.5}
    ends = {"x": values_of("low", scale=SHARES), "x2": {"field": "high"}, "strokeWidth": thick}
    interval = {**position, **ends, "color": look["color"], "strokeOpacity": faint, **TIP}
    dot = {**position, "x": x, **look, "strokeOpacity": faint, "fillOpacity": faint, **LINKED}
    first = 170 if wide else 100
    mark = {"filled": False, "opacity": 1, "strokeWidth": 2}
    return [
        layer("rule", interval, inside, NUMBERS, "datum.lane !== '9'", data=ROWS, opacity=0.7),
        layer("point", dot, inside, NUMBERS, f"!({FIRST})", data=ROWS, size=62, **mark),
        layer("point", dot, inside, NUMBERS, FIRST, data=ROWS, size=first, **mark),
    ]


def _chips(inside: str, y: Spec, plot: int, wide: bool) -> list[Spec]:
    """Return the verdict of each row at its end: a sign and a word, on a phone the sign only.

    Chips are dark, light or grey.
    """
    left, room = plot + (12 if wide else 6), CHIP - 12 if wide else 22
    tests = (inside, "datum.kind === 'chip'")
    box, edge, ink = (names_of(name, scale=None, legend=None) for name in ("box", "edge", "ink"))
    shape = {"height": 20 if wide else 18, "cornerRadius": 5, "strokeWidth": 1.2, "aria": False}
    lettering = {"fontSize": SIZES[wide][2], "align": "center", "baseline": "middle"}
    span = {"y": y, "x": {"value": left}, "x2": {"value": left + room}}
    middle = {"y": y, "x": {"value": left + room / 2}}
    text = {"text": names_of("word" if wide else "sign"), "color": ink}
    return [
        layer("bar", {**span, "fill": box, "stroke": edge}, *tests, data=MARKS, **shape),
        layer("text", {**middle, **text, **TIP}, *tests, data=MARKS, **lettering),
    ]
