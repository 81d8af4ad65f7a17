"""Scatter plots of verb signatures, the triangle of readings, and forest plots of differences."""

from __future__ import annotations

from typing import Any

from grice.reporting.drawing import (
    CROSSED,
    LINKED,
    NUMBERS,
    ROWS,
    TIP,
    WIDE,
    Spec,
    fade_plot,
    full_fill,
    judge_look,
    layer,
    names_of,
    panel_by_judge,
    plot_room,
    reference_marks,
    row_axis,
    row_step,
    tone_look,
    values_of,
)
from grice.reporting.figure import Figure
from grice.reporting.labels import CORNERS, FONT_SIZE, SPANS, plane_columns, plane_side
from grice.reporting.palette import LIGHT, PEOPLE

SIGNED = "datum.value ? datum.label : '0'"


def draw_plane(figure: Figure, width: int) -> Spec:
    """Draw a dot at x and y for each row, with a line from the position of humans.

    A dot is named if there is room.
    """
    scale = {"domain": list(SPANS["plane"][0]), "nice": False}
    axis = {"values": [-1, -0.5, 0, 0.5, 1], "format": "+", "labelExpr": SIGNED}
    x_title, _, y_title = figure.across.partition(" | ")
    x = values_of("x", scale=scale, axis=axis, title=x_title)
    y = values_of("y", scale=scale, axis=axis, title=y_title)
    look = tone_look(figure)
    zero: Spec = {"color": LIGHT["quiet"], "opacity": 0.5}
    arrow = {
        "x": values_of("x0", scale=scale),
        "y": values_of("y0", scale=scale),
        "x2": {"field": "x"},
        "y2": {"field": "y"},
        "color": look["color"],
    }
    start = {"x": values_of("x0"), "y": values_of("y0"), "tooltip": names_of("text0")}
    ring: Spec = {"shape": "circle", "filled": False, "size": 16, "color": LIGHT["black"]}
    known = "isValid(datum.x0)"
    people = [
        layer("rule", arrow, known, strokeWidth=1, opacity=0.45),
        layer("point", start, known, opacity=0.7, **ring),
    ]
    layers = [
        *fade_plot(figure),
        *(layer("rule", {way: {"datum": 0}}, **zero) for way in "xy"),
        *(people if PEOPLE in figure.judges else ()),
        layer(
            "point", {"x": x, "y": y, **LINKED, **look}, NUMBERS, filled=True, size=58, opacity=0.85
        ),
        _dot_names(),
        *reference_marks(figure, {"x": values_of("x"), "y": values_of("y")}, symbols=CROSSED),
    ]
    side = plane_side(figure, width)
    return panel_by_judge(figure, layers, side, side, plane_columns(figure, width))


def _dot_names(**axis: Any) -> Spec:
    """Return the layer of the names that have a position."""
    position = {"x": values_of("lx", **axis), "y": values_of("ly", **axis)}
    look: Spec = {
        "align": "left",
        "baseline": "middle",
        "fontSize": FONT_SIZE,
        "color": LIGHT["ink"],
    }
    return layer("text", {**position, "text": names_of("label"), **TIP}, "datum.label", **look)


def draw_triangle(figure: Figure, width: int) -> Spec:
    """Draw a ternary plot with the corners logical, pragmatic and neither: one dot per scale."""
    x_scale, y_scale = ({"domain": list(span), "nice": False} for span in SPANS["triangle"])
    position = {
        "x": values_of("x", scale=x_scale, axis=None),
        "y": values_of("y", scale=y_scale, axis=None),
    }
    corners = [
        {"name": name, "x": x, "y": y, "ly": y + (0.05 if y else -0.06), "i": i}
        for i, (name, (x, y)) in enumerate(CORNERS.items())
    ]
    ring = layer(
        "line",
        {**position, "order": {"field": "i", "type": "ordinal"}},
        color=LIGHT["quiet"],
        strokeWidth=1.2,
        aria=False,
    )
    below = {"x": position["x"], "y": values_of("ly", scale=y_scale, axis=None)}
    corner_names = layer(
        "text",
        {**below, "text": names_of("name")},
        fontSize=13,
        fontWeight="bold",
        color=LIGHT["ink"],
    )
    faint = {"condition": {"test": "datum.gated", "value": 0.3}, "value": 1}
    dot = {**position, **judge_look(figure), "strokeOpacity": faint, "fillOpacity": faint, **LINKED}
    layers = [
        ring | {"data": {"values": [*corners, {**corners[0], "i": 9}]}},
        corner_names | {"data": {"values": corners}},
        layer("point", dot, NUMBERS, filled=False, size=75, opacity=0.95),
        _dot_names(axis=None),
        *reference_marks(figure, position, symbols=CROSSED),
    ]
    side = plane_side(figure, width)
    return panel_by_judge(figure, layers, side, side, plane_columns(figure, width))


def draw_forest(figure: Figure, width: int) -> Spec:
    """Draw one difference with its interval per row and rival; hollow if not significant (Holm)."""
    names = figure.judges
    look = judge_look(figure, {"title": None} if len(names) > 1 else None)
    room = plot_room(figure, width) - 52
    position: Spec = {"y": row_axis(figure)}
    if len(names) > 1:
        position["yOffset"] = names_of("judge", sort=names)
    axis = {"format": "+%", "tickCount": 5 if width >= WIDE else 3, "labelExpr": SIGNED}
    scale = {"domain": list(figure.domain)}
    x = values_of("value", title=figure.across, scale=scale, axis={"grid": True, **axis})
    ends = {"x": values_of("low"), "x2": {"field": "high"}}
    sure = {"condition": {"test": "datum.sure", "value": 1}, "value": 0}
    counts = layer(
        "text",
        {"y": position["y"], "x": {"value": room + 8}, "text": names_of("paradigms")},
        align="left",
        fontSize=10.5,
        color=LIGHT["quiet"],
    )
    once = {"aggregate": [{"op": "count", "as": "n"}], "groupby": ["row", "paradigms"]}
    layers = [
        layer("rule", {"x": {"datum": 0}}, color=LIGHT["ink"], strokeWidth=1),
        layer(
            "rule", {**position, **ends, "color": look["color"], **TIP}, strokeWidth=2, opacity=0.6
        ),
        layer(
            "point",
            {**position, "x": x, **look, "fill": full_fill(figure), "fillOpacity": sure, **LINKED},
            filled=False,
            size=62,
            opacity=1,
        ),
        counts | {"transform": [once]},
    ]
    height = row_step(figure, len(names))
    return {"data": {"name": ROWS}, "layer": layers, "width": room, "height": height}
