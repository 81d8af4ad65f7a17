"""Figures as Vega-Lite specifications: the page draws them in the browser, `svg` in a file."""

from __future__ import annotations

import re
from textwrap import wrap

from grice.reporting.drawing import (
    FONT,
    LEVEL,
    LINKED,
    MARKS,
    NARROW,
    NUMBERS,
    ROWS,
    SHARES,
    TIP,
    UPRIGHT,
    WIDE,
    Spec,
    fade_plot,
    fade_rows,
    judge_look,
    layer,
    legend_columns,
    names_of,
    panel_by_judge,
    panels_beside,
    plot_room,
    reference_marks,
    row_axis,
    row_panels,
    row_step,
    series_look,
    shared_title,
    tone_look,
    value_axis,
    values_of,
)
from grice.reporting.figure import Figure
from grice.reporting.figures import notes
from grice.reporting.palette import LIGHT
from grice.reporting.planes import draw_forest, draw_plane, draw_triangle
from grice.reporting.portraits import draw_overview
from grice.reporting.rows import blind_rows, chart_rows, mark_rows
from grice.tables.charts import draw_svg

# The default title of the x axis of a calibration chart.
SURE = "how sure it says it is"
# Up to this many columns of a matrix with names of so many letters need no slanted names.
MAX_LEVEL_NAMES, MAX_LEVEL_NAME = 6, 12
SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"
DASHED: Spec = {"color": LIGHT["quiet"], "strokeDash": [4, 3]}
__all__ = ["NARROW", "WIDE", "spec", "svg"]


def spec(figure: Figure, width: int = WIDE) -> Spec:
    """Return the Vega-Lite specification of a figure with its rows, for a page or a phone."""
    return {
        "$schema": SCHEMA,
        "config": _config(figure, width),
        **KINDS[figure.kind](figure, width),
        "datasets": {
            ROWS: [*chart_rows(figure, width), *blind_rows(figure)],
            MARKS: mark_rows(figure),
        },
    }


def _config(figure: Figure, width: int) -> Spec:
    """Return fonts, colours and spacing of everything that is not a mark."""
    lanes = len(figure.judges) if len(figure.series) == 1 else len(figure.series)
    plain = {
        "titleColor": LIGHT["quiet"],
        "titleFontWeight": "normal",
        "labelColor": LIGHT["ink"],
        "labelFontSize": 12,
        "titleFontSize": 12,
    }
    axis = {
        "gridColor": LIGHT["grid"],
        "domain": False,
        "tickColor": LIGHT["grid"],
        "labelLimit": 260,
    }
    legend = {
        "orient": "top",
        "direction": "horizontal",
        "labelLimit": 240,
        "titleLimit": 420,
        "symbolOpacity": 1,
        "columns": legend_columns(figure, width),
        "columnPadding": 34,
    }
    header = {
        "labelColor": LIGHT["ink"],
        "labelFontSize": 12,
        "labelFontWeight": "bold",
        "title": None,
        "labelLimit": 300,
    }
    return {
        "font": FONT,
        "background": LIGHT["paper"],
        "padding": 4,
        "axis": {**plain, **axis},
        "legend": {**plain, **legend},
        "view": {"stroke": None},
        "header": header,
        "scale": {"bandWithNestedOffsetPaddingInner": 0.32 if lanes <= 4 else 0.16},
    }


def svg(figure: Figure, width: int = WIDE, *, source: str = "") -> str:
    """Draw a figure as SVG text on white, without links.

    With `source` it has its title, its finding, n and the source above it.
    """
    drawing = spec(figure, width)
    heading = {"title": _heading(figure, source, width)} if source else {}
    return re.sub(r"</?a\b[^>]*>", "", draw_svg(drawing | heading))


def _heading(figure: Figure, source: str, width: int) -> Spec:
    """Return the title of a chart in a file, with lines on its finding, its n and its source."""
    room = max(width, 860 if figure.kind == "fingerprint" else 0) // 6
    finding = "" if figure.kind == "fingerprint" else figure.finding
    texts = (finding, notes(figure), source)
    lines = [line for text in texts for line in wrap(text, room)]
    return {
        "text": figure.title,
        "subtitle": lines,
        "anchor": "start",
        "frame": "bounds",
        "fontSize": 16,
        "offset": 12,
        "subtitlePadding": 6,
        "color": LIGHT["ink"],
        "subtitleColor": LIGHT["quiet"],
        "subtitleFontSize": 11.5,
        "subtitleLineHeight": 15,
    }


def _dots(figure: Figure, width: int) -> Spec:
    """Draw a dot and its interval per row and series; with one series, each judge is a series."""
    by_judge = len(figure.series) == 1 and len(figure.judges) > 1
    title, above = (figure.across, None) if by_judge else shared_title(figure, width)
    key = "judge" if by_judge else "series"
    names = figure.judges if by_judge else figure.series
    look = judge_look(figure, {"title": above}) if by_judge else series_look(figure, above)
    y, offset = row_axis(figure), {}
    if len(names) > 1:
        offset = {"yOffset": names_of(key, sort=names)}
    # Marks of no judge stand in the middle of a row, not in a judge's lane.
    lane = {} if by_judge else offset
    ends = {"x": value_axis(figure, width, title, "low"), "x2": {"field": "high"}}
    interval = {"y": y, **offset, **ends, "color": look["color"], **TIP}
    dot = {"y": y, **offset, "x": value_axis(figure, width, title), **LINKED, **look}
    layers = fade_rows(figure, y, offset if by_judge else None)
    if figure.line is not None:
        layers.append(layer("rule", {"x": {"datum": figure.line}}, **DASHED))
    layers += [
        layer("rule", interval, NUMBERS, strokeWidth=2, opacity=0.55),
        layer("point", dot, NUMBERS, filled=False, size=55, opacity=1),
    ]
    layers += reference_marks(figure, {"y": y, "x": values_of("value"), **lane})
    step = row_step(figure, len(names))
    if by_judge:
        room = plot_room(figure, width)
        return {"data": {"name": ROWS}, "layer": layers, "width": room, "height": step}
    return row_panels(figure, width, layers, step)


def _stack(figure: Figure, width: int) -> Spec:
    """Draw rates that add up to 1: one bar per row, one panel per judge."""
    title, above = shared_title(figure, width)
    axis = {"format": "%", "tickCount": 3 if width < WIDE or len(figure.judges) > 1 else 5}
    bars = {
        "y": row_axis(figure),
        "x": values_of("value", stack="zero", title=title, scale=SHARES, axis=axis),
        "color": tone_look(figure, above)["color"],
        "order": values_of("place"),
        **LINKED,
    }
    layers = [
        layer("bar", bars, NUMBERS, height=12),
        *fade_rows(figure, row_axis(figure)),
        *reference_marks(figure, {"y": row_axis(figure), "x": values_of("value")}, symbols=UPRIGHT),
    ]
    return row_panels(figure, width, layers, {"step": 18})


def _matrix(figure: Figure, width: int) -> Spec:
    """Draw rows against series: the value in its cell, on a diverging colour scale."""
    is_short = max(map(len, figure.series), default=0) < MAX_LEVEL_NAME
    angle = 0 if is_short and len(figure.series) <= MAX_LEVEL_NAMES else -40
    axis = {"orient": "top", "labelAngle": angle, "grid": False, "ticks": False}
    position = {
        "y": row_axis(figure, figure.names if figure.across else None),
        "x": names_of("series", sort=figure.series, title=figure.across or None, axis=axis),
    }
    above = {"test": "datum.above", "value": LIGHT["amber"]}
    # Not above 0.6: the number on top must stay legible in light and dark.
    strength = values_of("strength", scale={**SHARES, "range": [0, 0.6]}, legend=None)
    colour = {"condition": above, "value": LIGHT["slate"]}
    cells = {**position, "color": colour, "opacity": strength, **LINKED}
    layers = [
        layer("rect", cells, stroke=LIGHT["grid"]),
        layer("text", {**position, "text": names_of("points")}, fontSize=11, color=LIGHT["ink"]),
    ]
    return row_panels(figure, width, layers, {"step": 20})


def _reliability(figure: Figure, width: int) -> Spec:
    """Draw accuracy against confidence, or two rates named `x | y`, with the diagonal."""
    x_title, _, y_title = figure.across.rpartition(" | ")
    side = 290 if width >= WIDE else 250
    axis = {"format": "%", "tickCount": 5 if width >= WIDE else 3}
    corners = {"values": [{"x": 0, "value": 0}, {"x": 1, "value": 1}]}
    # A rival that alone gives probabilities must be named.
    named = len(figure.judges) > 1 or figure.judges != list(figure.order[:1])
    look = judge_look(figure, {"title": None} if named else None)
    position = {"x": values_of("x", scale=SHARES, axis=axis, title=None), "color": look["color"]}
    share = values_of("value", scale=SHARES, axis=axis, title=y_title)
    dots = {**position, "y": share, "fill": look["fill"], "shape": look["shape"], **LINKED}
    ends = {"y": values_of("low"), "y2": {"field": "high"}}
    line: Spec = {"strokeWidth": 1.5, "opacity": 0.6, "aria": False}
    layers = [
        layer(
            "line",
            {"x": values_of("x"), "y": values_of("value")},
            strokeWidth=1,
            aria=False,
            **DASHED,
        )
        | {"data": corners},
        layer("line", {**position, "y": values_of("value")}, NUMBERS, **line),
        layer("rule", {**position, **ends, **TIP}, NUMBERS, opacity=0.5),
        layer("point", dots, NUMBERS, filled=False, opacity=0.9, size=70),
        *fade_plot(figure),
        *reference_marks(
            figure, {"y": values_of("value"), "x": {"value": side / 2}}, symbols=LEVEL
        ),
    ]
    above = {"layer": layers, "width": side, "height": side}
    below = _confidences(figure, look["color"], side, axis, x_title or SURE)
    return {"data": {"name": ROWS}, "vconcat": [above, below], "spacing": 14}


def _confidences(figure: Figure, colour: Spec, side: int, axis: Spec, title: str) -> Spec:
    """Draw the distribution of confidence: bars for one judge, steps for several."""
    mark: Spec = {"type": "line", "interpolate": "step", "strokeWidth": 1.6, "point": {"size": 14}}
    if len(figure.judges) == 1:
        mark = {"type": "bar", "width": side / 14, "opacity": 0.8}
    counted = "answers" if title == SURE else "how many"
    encoding = {
        "x": values_of("middle", scale=SHARES, axis=axis, title=title),
        "y": values_of("share", axis={"format": "%", "tickCount": 3}, title=counted),
        "color": colour,
        "tooltip": names_of("tip"),
        "description": names_of("tip"),
    }
    plot = {"mark": mark, "encoding": encoding, "width": side, "height": 70}
    return {"transform": [{"filter": NUMBERS}], **plot}


def _heat(figure: Figure, width: int) -> Spec:
    """Draw counts over a plane of two numbers: humans on the x axis, the judge on the y axis."""
    x_title, _, y_title = figure.across.partition(" | ")
    low, high = figure.domain
    plain: Spec = {"grid": False, "values": [0, 2.5, 5, 7.5, 10]}
    people = plain | {"labelExpr": f"format({low} + datum.value * {(high - low) / 10}, '~g')"}
    scale = {"domain": [0, 10]}
    cells = {
        "x": values_of("x", title=x_title, axis=people, scale=scale),
        "x2": {"field": "x2"},
        "y": values_of(
            "y", title=y_title, axis=plain | {"labelExpr": "datum.value / 10"}, scale=scale
        ),
        "y2": {"field": "y2"},
        "opacity": values_of("value", scale={**SHARES, "range": [0.06, 1]}, legend=None),
        "color": {"value": LIGHT["slate"]},
        **TIP,
    }
    n = panels_beside(figure, width, 2)
    side = {1: 360 if width >= WIDE else 250, 2: 215}[n]
    return panel_by_judge(figure, [layer("rect", cells), *fade_plot(figure)], side, side, n)


KINDS = {
    "fingerprint": draw_overview,
    "dots": _dots,
    "stack": _stack,
    "matrix": _matrix,
    "plane": draw_plane,
    "triangle": draw_triangle,
    "forest": draw_forest,
    "reliability": _reliability,
    "heat": _heat,
}
