"""Overview chart: all phenomena of a profile on one axis.

It is written as Vega-Lite, since Altair takes seconds for so many layers.
"""

from __future__ import annotations

import json

from grice.reporting.drawing import MARKS, NUMBERS, ROWS, TWINS, UPRIGHT, WIDE
from grice.reporting.evidence import Spec
from grice.reporting.figure import WITHOUT, Figure, MarkKind
from grice.reporting.palette import LIGHT, judge_colours, judge_fills, judge_shapes
from grice.reporting.rows import FEW, key_of

# Font sizes on a page (True) and a phone: headings, rows, chips; the letter width of a row.
SIZES = {True: (17, 15, 14, 7.4), False: (13, 11.5, 12, 5.9)}
# The width of the chart and of the chips' column, and the row height by the number of judges.
PAGE, CHIP, STEPS = 900, 148, {1: 25, 2: 30, 3: 34, 4: 36}
# A drawing this wide has two columns, for a sheet of 16 to 9.
SLIDE = 1500
SHARES = {"domain": [0, 1]}
FIRST = "datum.lane === '0'"
TEXT = {"field": "text", "type": "nominal"}
TIP = {"tooltip": TEXT, "description": TEXT}


def fingerprint_spec(figure: Figure, width: int) -> Spec:
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
    heights = {
        group: 2 + len({number.row for number in figure.numbers if number.series == group})
        for group in figure.series
    }
    if count == 1 or len(heights) == 1:
        return [figure.series]
    cut = min(
        range(1, len(heights)),
        key=lambda cut: abs(sum(list(heights.values())[:cut]) - sum(list(heights.values())[cut:])),
    )
    return [figure.series[:cut], figure.series[cut:]]


def _group(figure: Figure, group: str, plot: int, extent: int, *, last: bool, wide: bool) -> Spec:
    heading, size, _, _ = SIZES[wide]
    rows = list(dict.fromkeys(number.row for number in figure.numbers if number.series == group))
    axis = {
        "grid": False,
        "ticks": False,
        "minExtent": extent,
        "maxExtent": extent,
        "labelPadding": 10,
        "labelFontSize": size,
        "labelLimit": extent - 10,
    }
    y = {"field": "row", "type": "nominal", "sort": rows, "title": None, "axis": axis}
    ends = (
        {"format": "%", "labelFontSize": size, "titleFontSize": size}
        if last
        else {"labels": False, "ticks": False}
    )
    x = {
        "field": "value",
        "type": "quantitative",
        "scale": SHARES,
        "title": figure.across if last else None,
        "axis": {"tickCount": 5 if wide else 3, "grid": True, **ends},
    }
    within_group = f"datum.series === {json.dumps(group)}"
    many = len(figure.judges) > 1
    lane = (
        {"yOffset": {"field": "lane", "type": "nominal", "scale": {"padding": 0.5}}} if many else {}
    )
    layers = [
        _layer(
            ROWS,
            [within_group, f"datum.gated && {FIRST}"],
            {"type": "rect", "color": LIGHT["panel"], "opacity": 1, "aria": False},
            {"y": y},
        ),
        *_judges(figure, within_group, {"y": y, **lane}, x, wide),
        *(_outside(figure, kind, within_group, y, size) for kind in KEYS if _keys(figure, kind)),
        *_chips(within_group, y, plot, wide),
    ]
    title = {
        "text": group,
        "anchor": "start",
        "frame": "bounds",
        "fontSize": heading,
        "color": LIGHT["ink"],
        "offset": 5,
    }
    height = {"step": STEPS[min(len(figure.judges), FEW)] - (0 if wide else 2), "for": "position"}
    return {"layer": layers, "width": plot, "height": height, "title": title}


def _layer(data: str, tests: list[str], mark: Spec, encoding: Spec) -> Spec:
    return {
        "data": {"name": data},
        "transform": [{"filter": test} for test in tests],
        "mark": mark,
        "encoding": encoding,
    }


def _judge_look(figure: Figure, wide: bool) -> Spec:
    """Return colour, fill and shape of the judges, with their legend."""
    names, order = figure.judges, figure.order or figure.judges
    legend = {
        "title": None,
        "symbolSize": 130,
        "labelFontSize": SIZES[wide][1],
        "columns": _columns(figure, wide),
        "columnPadding": 26,
        "labelLimit": 260,
    }
    ranges = {
        "color": judge_colours(names, order),
        "fill": judge_fills(names, order),
        "shape": judge_shapes(names, order),
    }
    return {
        channel: {
            "field": "judge",
            "type": "nominal",
            "scale": {"domain": names, "range": values},
            "legend": legend,
            "sort": names,
        }
        for channel, values in ranges.items()
    }


def _judges(figure: Figure, within_group: str, position: Spec, x: Spec, wide: bool) -> list[Spec]:
    """Return layers of intervals, then of dots: large for the profiled judge, small for others.

    Inconclusive ones are faint.
    """
    look = _judge_look(figure, wide)
    faint = {"condition": {"test": f"datum.gated && !({FIRST})", "value": 0.35}, "value": 1}
    thick = {"condition": {"test": FIRST, "value": 3.5}, "value": 1.5}
    interval = {
        **position,
        "x": {"field": "low", "type": "quantitative", "scale": SHARES},
        "x2": {"field": "high"},
        "color": look["color"],
        "strokeWidth": thick,
        "strokeOpacity": faint,
        **TIP,
    }
    dot = {
        **position,
        "x": x,
        **look,
        "strokeOpacity": faint,
        "fillOpacity": faint,
        "href": {"field": "href", "type": "nominal"},
        **TIP,
    }
    return [
        _layer(
            ROWS,
            [within_group, NUMBERS, "datum.lane !== '9'"],
            {"type": "rule", "opacity": 0.7},
            interval,
        ),
        *(
            _layer(
                ROWS,
                [within_group, NUMBERS, test],
                {"type": "point", "filled": False, "opacity": 1, "strokeWidth": 2, "size": area},
                dot,
            )
            for test, area in ((f"!({FIRST})", 62), (FIRST, 170 if wide else 100))
        ),
    ]


def _columns(figure: Figure, wide: bool) -> int:
    longest = max(map(len, figure.judges))
    return int(max((PAGE if wide else 320) // (min(longest * SIZES[wide][3], 260) + 52), 1))


# Reference marks of a row: dataset, filter, shape, the channel of its own legend, and its value.
KEYS = {
    "twin": (ROWS, TWINS, UPRIGHT, "size", 90),
    "constant": (MARKS, "datum.kind === 'constant'", UPRIGHT, "opacity", 1),
    "people": (MARKS, "datum.kind === 'people'", "diamond", "strokeWidth", 2),
}


def _outside(figure: Figure, kind: str, within_group: str, y: Spec, size: float) -> Spec:
    """Return the layer of the shuffled-answer baseline, the best constant label, or humans."""
    data, test, shape, channel, level = KEYS[kind]
    ink = {
        "symbolStrokeColor": LIGHT["black"],
        "symbolFillColor": "transparent",
        "symbolStrokeWidth": 2,
    }
    legend = {
        "title": None,
        "orient": "bottom",
        "labelLimit": 0,
        "symbolType": shape,
        "symbolSize": 110,
        "labelFontSize": size,
        "padding": 7 if size > 12 else 2,
        **ink,
    }
    scale = {"type": "ordinal", "domain": _keys(figure, kind), "range": [level]}
    mark = {
        "type": "point",
        "shape": shape,
        "filled": False,
        "color": LIGHT["black"],
        "size": 90,
        "strokeWidth": 1.8,
        "opacity": 1,
    }
    key = {"field": "key", "type": "nominal", "scale": scale, "legend": legend}
    where = {"y": y, "x": {"field": "value", "type": "quantitative"}, **TIP}
    return _layer(
        data,
        [within_group, test],
        {k: v for k, v in mark.items() if k != channel},
        {**where, channel: key},
    )


def _keys(figure: Figure, kind: str) -> list[str]:
    """Return the legend texts of a mark."""
    if kind == "twin":
        return [WITHOUT] if any(mark.kind is MarkKind.SHUFFLED for mark in figure.marks) else []
    labels = dict.fromkeys(
        key_of(mark.label) for mark in figure.marks if mark.kind is not MarkKind.SHUFFLED
    )
    return [label for label in labels if label.startswith("people") == (kind == "people")][:1]


def _chips(within_group: str, y: Spec, plot: int, wide: bool) -> list[Spec]:
    """Return the verdict of each row at its end: a sign and a word, on a phone the sign only.

    Chips are dark, light or grey.
    """
    left, room = plot + (12 if wide else 6), CHIP - 12 if wide else 22
    tests = [within_group, "datum.kind === 'chip'"]
    raw = {
        name: {"field": name, "type": "nominal", "scale": None, "legend": None}
        for name in ("box", "edge", "ink", "word", "sign")
    }
    box = {
        "type": "bar",
        "height": 20 if wide else 18,
        "cornerRadius": 5,
        "strokeWidth": 1.2,
        "aria": False,
    }
    lettering = {
        "type": "text",
        "fontSize": SIZES[wide][2],
        "align": "center",
        "baseline": "middle",
    }
    text = {"field": "word" if wide else "sign", "type": "nominal"}
    return [
        _layer(
            MARKS,
            tests,
            box,
            {
                "y": y,
                "x": {"value": left},
                "x2": {"value": left + room},
                "fill": raw["box"],
                "stroke": raw["edge"],
            },
        ),
        _layer(
            MARKS,
            tests,
            lettering,
            {"y": y, "x": {"value": left + room / 2}, "text": text, "color": raw["ink"], **TIP},
        ),
    ]
