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
    fade_plot,
    judge_look,
    load_altair,
    panel_by_judge,
    plot_room,
    row_axis,
    row_step,
    tone_look,
    twin_marks,
)
from grice.reporting.figure import Figure
from grice.reporting.labels import CORNERS, FONT_SIZE, plane_columns, plane_side
from grice.reporting.palette import LIGHT, judge_colours


def draw_plane(figure: Figure, width: int) -> Any:
    """Draw a dot at x and y for each row, with a line from the position of humans.

    A dot is named if there is room.
    """
    alt = load_altair()
    scale = alt.Scale(domain=[-1.06, 1.06], nice=False)
    axis = alt.Axis(
        values=[-1, -0.5, 0, 0.5, 1], format="+", labelExpr="datum.value ? datum.label : '0'"
    )
    x_title, _, y_title = figure.across.partition(" | ")
    x, y = (
        alt.X("x:Q", scale=scale, axis=axis, title=x_title),
        alt.Y("y:Q", scale=scale, axis=axis, title=y_title),
    )
    look = tone_look(figure)
    dots = alt.Chart().transform_filter(NUMBERS).mark_point(filled=True, size=58, opacity=0.85)
    rules = [
        alt.Chart().mark_rule(color=LIGHT["quiet"], opacity=0.5).encode(**{way: alt.datum(0)})
        for way in "xy"
    ]
    base = alt.Chart().transform_filter("isValid(datum.x0)")
    arrows = base.mark_rule(strokeWidth=1, opacity=0.45).encode(
        x=alt.X("x0:Q", scale=scale),
        y=alt.Y("y0:Q", scale=scale),
        x2="x:Q",
        y2="y:Q",
        color=look["color"],
    )
    starts = base.mark_point(
        shape="circle", filled=False, size=16, color=LIGHT["black"], opacity=0.7
    )
    people = (
        [arrows, starts.encode(x="x0:Q", y="y0:Q", tooltip="text0:N")]
        if "people" in figure.judges
        else []
    )
    layers = [
        *fade_plot(figure),
        *rules,
        *people,
        dots.encode(x=x, y=y, **LINKED, **look),
        *_names(),
        *twin_marks(figure, CROSSED, {"x": "x:Q", "y": "y:Q"}),
    ]
    side = plane_side(figure, width)
    return panel_by_judge(
        figure,
        side,
        plane_columns(figure, width),
        alt.layer(*layers).properties(width=side, height=side),
    )


def _names(**axis: Any) -> list[Any]:
    """Return the layer of the names that have a position."""
    alt = load_altair()
    labels = (
        alt.Chart()
        .transform_filter("datum.label")
        .mark_text(align="left", baseline="middle", fontSize=FONT_SIZE, color=LIGHT["ink"])
    )
    return [labels.encode(x=alt.X("lx:Q", **axis), y=alt.Y("ly:Q", **axis), text="label:N", **TIP)]


def draw_triangle(figure: Figure, width: int) -> Any:
    """Draw a ternary plot with the corners logical, pragmatic and neither: one dot per scale."""
    alt = load_altair()
    side = plane_side(figure, width)
    scales = {
        "x": alt.Scale(domain=[-0.12, 1.12], nice=False),
        "y": alt.Scale(domain=[-0.16, 1.08], nice=False),
    }
    position = {
        "x": alt.X("x:Q", scale=scales["x"], axis=None),
        "y": alt.Y("y:Q", scale=scales["y"], axis=None),
    }
    corners = [
        {"name": name, "x": x, "y": y, "ly": y + (0.05 if y else -0.06), "i": i}
        for i, (name, (x, y)) in enumerate(CORNERS.items())
    ]
    ring = alt.Chart(alt.Data(values=[*corners, {**corners[0], "i": 9}])).mark_line(
        color=LIGHT["quiet"], strokeWidth=1.2, aria=False
    )
    corner_labels = alt.Chart(alt.Data(values=corners)).mark_text(
        fontSize=13, fontWeight="bold", color=LIGHT["ink"]
    )
    look = judge_look(figure, None)
    dots = alt.Chart().transform_filter(NUMBERS).mark_point(filled=False, size=75, opacity=0.95)
    faint = alt.condition("datum.gated", alt.value(0.3), alt.value(1.0))
    layers = [
        ring.encode(**position, order="i:O"),
        corner_labels.encode(
            x=position["x"], y=alt.Y("ly:Q", scale=scales["y"], axis=None), text="name:N"
        ),
        dots.encode(**position, **look, strokeOpacity=faint, fillOpacity=faint, **LINKED),
        *_names(axis=None),
        *twin_marks(figure, CROSSED, position),
    ]
    return panel_by_judge(
        figure,
        side,
        plane_columns(figure, width),
        alt.layer(*layers).properties(width=side, height=side),
    )


def draw_forest(figure: Figure, width: int) -> Any:
    """Draw one difference with its interval per row and rival; hollow if not significant (Holm)."""
    alt = load_altair()
    names = figure.judges
    legend = alt.Legend(title=None) if len(names) > 1 else None
    look = judge_look(figure, legend)
    room = plot_room(figure, width) - 52
    offset = {"yOffset": alt.YOffset("judge:N", sort=names)} if len(names) > 1 else {}
    y = row_axis(figure)
    axis = alt.Axis(
        grid=True,
        format="+%",
        tickCount=5 if width >= WIDE else 3,
        labelExpr="datum.value ? datum.label : '0'",
    )
    x = alt.X(
        "value:Q", title=figure.across, scale=alt.Scale(domain=list(figure.domain)), axis=axis
    )
    base = alt.Chart().encode(y=y, **offset)
    filled = alt.condition("datum.sure", alt.value(1), alt.value(0))
    zero = alt.Chart().mark_rule(color=LIGHT["ink"], strokeWidth=1).encode(x=alt.datum(0))
    line = base.mark_rule(strokeWidth=2, opacity=0.6).encode(
        x=alt.X("low:Q"), x2="high:Q", color=look["color"], **TIP
    )
    outline = {name: channel for name, channel in look.items() if name != "fill"}
    inked = judge_colours(names, figure.order or figure.judges)
    fill = alt.Fill("judge:N", sort=names, scale=alt.Scale(domain=names, range=inked), legend=None)
    dots = base.mark_point(filled=False, size=62, opacity=1).encode(
        x=x, **outline, fill=fill, fillOpacity=filled, **LINKED
    )
    once = alt.Chart().transform_aggregate(n="count()", groupby=["row", "paradigms"])
    count_labels = once.mark_text(align="left", fontSize=10.5, color=LIGHT["quiet"])
    counts = count_labels.encode(y=y, x=alt.value(room + 8), text="paradigms:N")
    step = row_step(figure, len(names))
    return alt.layer(zero, line, dots, counts).properties(
        width=room, height=step, data=alt.NamedData(name=ROWS)
    )
