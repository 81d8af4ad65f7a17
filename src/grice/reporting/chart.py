"""Figures as Altair charts, drawn once as SVG; PNG and PDF are converted from that drawing."""

from __future__ import annotations

import re
from textwrap import wrap
from typing import Any

from grice.reporting.drawing import (
    FONT,
    LEVEL,
    LINKED,
    MARKS,
    NARROW,
    NUMBERS,
    ROWS,
    TIP,
    UPRIGHT,
    WIDE,
    draw_panels,
    fade_plot,
    fade_rows,
    judge_look,
    legend_columns,
    load_altair,
    outside_marks,
    panel_by_judge,
    panels_beside,
    plot_room,
    row_axis,
    row_step,
    series_look,
    shared_title,
    tone_look,
    twin_marks,
    value_axis,
)
from grice.reporting.figure import Figure, MarkKind
from grice.reporting.figures import notes
from grice.reporting.palette import LIGHT
from grice.reporting.planes import draw_forest, draw_plane, draw_triangle
from grice.reporting.portraits import fingerprint_spec
from grice.reporting.rows import blind_rows, chart_rows, mark_rows
from grice.tables.charts import draw_svg

# The default title of the x axis of a calibration chart.
SURE = "how sure it says it is"
# Up to this many columns of a matrix with names of so many letters need no slanted names.
MAX_LEVEL_NAMES, MAX_LEVEL_NAME = 6, 12
SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"
__all__ = ["NARROW", "WIDE", "chart", "draw", "spec", "svg"]


def chart(figure: Figure, width: int = WIDE) -> Any:
    """Return the Altair chart of a figure, fitted to a page or to a phone."""
    if figure.kind == "fingerprint":
        return load_altair().Chart.from_dict(spec(figure, width))
    return KINDS[figure.kind](figure, width).properties(config=_config(figure, width))


def _config(figure: Figure, width: int) -> dict[str, Any]:
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
    """Draw a figure as SVG text on white, with marks that link to their items on the page.

    With `source` the drawing is self-contained: above it are its title, its finding, n and the
    source.
    """
    specification = spec(figure, width)
    specification = (
        specification | {"title": _heading(figure, source, width)} if source else specification
    )
    return draw(specification)


def draw(spec: dict[str, Any]) -> str:
    """Draw a Vega-Lite specification as SVG text."""
    drawn = draw_svg(spec)
    # The converter takes a fragment for a relative address and prepends a host.
    return re.sub(r'href="[^"#]*#items', 'href="#items', drawn)


def _heading(figure: Figure, source: str, width: int) -> dict[str, Any]:
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


def spec(figure: Figure, width: int = WIDE) -> dict[str, Any]:
    """Return the Vega-Lite specification with its rows.

    The rows are added at the end because Altair copies all data at every step.
    """
    if figure.kind == "fingerprint":
        specification = {
            "$schema": SCHEMA,
            "config": _config(figure, width),
            **fingerprint_spec(figure, width),
        }
    else:
        specification = KINDS[figure.kind](figure, width).to_dict(validate=False) | {
            "config": _config(figure, width)
        }
    return {
        **specification,
        "datasets": {
            ROWS: [*chart_rows(figure, width), *blind_rows(figure)],
            MARKS: mark_rows(figure),
        },
    }


def _dots(figure: Figure, width: int) -> Any:
    """Draw a dot and its interval per row and series; with one series, each judge is a series."""
    alt = load_altair()
    by_judge = len(figure.series) == 1 and len(figure.judges) > 1
    title, above = (figure.across, None) if by_judge else shared_title(figure, width)
    key = "judge" if by_judge else "series"
    names = figure.judges if by_judge else figure.series
    y = row_axis(figure)
    look = judge_look(figure, alt.Legend(title=above)) if by_judge else series_look(figure, above)
    offset = {"yOffset": alt.YOffset(f"{key}:N", sort=names)} if len(names) > 1 else {}
    base = alt.Chart().transform_filter(NUMBERS).encode(y=y, **offset)
    layers = []
    if figure.line is not None:
        layers.append(
            alt.Chart()
            .mark_rule(color=LIGHT["quiet"], strokeDash=[4, 3])
            .encode(x=alt.datum(figure.line))
        )
    interval, dot = (
        base.mark_rule(strokeWidth=2, opacity=0.55),
        base.mark_point(filled=False, size=55, opacity=1),
    )
    layers.append(
        interval.encode(
            x=value_axis(figure, width, title, "low"), x2="high:Q", color=look["color"], **TIP
        )
    )
    layers.append(dot.encode(x=value_axis(figure, width, title), **LINKED, **look))
    if any(mark.kind is not MarkKind.SHUFFLED for mark in figure.marks):
        layers.append(outside_marks(y, {} if by_judge else offset))
    layers = [
        *fade_rows(figure, y, offset if by_judge else None),
        *layers,
        *twin_marks(figure, UPRIGHT, {"y": y, "x": "value:Q", **({} if by_judge else offset)}),
    ]
    layered = alt.layer(*layers)
    step = row_step(figure, len(names))
    if by_judge:
        return layered.properties(
            width=plot_room(figure, width), height=step, data=alt.NamedData(name=ROWS)
        )
    return draw_panels(figure, width, layered, step)


def _stack(figure: Figure, width: int) -> Any:
    """Draw rates that add up to 1: one bar per row, one panel per judge."""
    alt = load_altair()
    title, above = shared_title(figure, width)
    bars = (
        alt.Chart()
        .transform_filter(NUMBERS)
        .mark_bar(height=12)
        .encode(
            y=row_axis(figure),
            x=alt.X(
                "value:Q",
                stack="zero",
                title=title,
                scale=alt.Scale(domain=[0, 1]),
                axis=alt.Axis(
                    format="%", tickCount=3 if width < WIDE or len(figure.judges) > 1 else 5
                ),
            ),
            color=tone_look(figure, above)["color"],
            order=alt.Order("place:Q"),
            **LINKED,
        )
    )
    layers = [
        bars,
        *fade_rows(figure, row_axis(figure)),
        *twin_marks(figure, UPRIGHT, {"y": row_axis(figure), "x": "value:Q"}),
    ]
    return draw_panels(figure, width, alt.layer(*layers), alt.Step(18))


def _matrix(figure: Figure, width: int) -> Any:
    """Draw rows against series: the value in its cell, on a diverging colour scale."""
    alt = load_altair()
    is_short = max(map(len, figure.series), default=0) < MAX_LEVEL_NAME
    angle = 0 if is_short and len(figure.series) <= MAX_LEVEL_NAMES else -40
    base = alt.Chart().encode(
        y=row_axis(figure).title(figure.names if figure.across else None),
        x=alt.X(
            "series:N",
            sort=figure.series,
            title=figure.across or None,
            axis=alt.Axis(orient="top", labelAngle=angle, grid=False, ticks=False),
        ),
    )
    cells = base.mark_rect(stroke=LIGHT["grid"]).encode(
        color=alt.condition("datum.above", alt.value(LIGHT["amber"]), alt.value(LIGHT["slate"])),
        # Not above 0.6: the number on top must stay legible in light and dark.
        opacity=alt.Opacity(
            "strength:Q", scale=alt.Scale(domain=[0, 1], range=[0, 0.6]), legend=None
        ),
        **LINKED,
    )
    labels = base.mark_text(fontSize=11, color=LIGHT["ink"]).encode(text="points:N")
    return draw_panels(figure, width, alt.layer(cells, labels), alt.Step(20))


def _reliability(figure: Figure, width: int) -> Any:
    """Draw accuracy against confidence, or two rates named `x | y`, with the diagonal."""
    alt = load_altair()
    x_title, _, y_title = figure.across.rpartition(" | ")
    side = 290 if width >= WIDE else 250
    scale = alt.Scale(domain=[0, 1])
    diagonal = (
        alt.Chart(alt.Data(values=[{"x": 0, "value": 0}, {"x": 1, "value": 1}]))
        .mark_line(color=LIGHT["quiet"], strokeDash=[4, 3], strokeWidth=1, aria=False)
        .encode(x="x:Q", y="value:Q")
    )
    axis = alt.Axis(format="%", tickCount=5 if width >= WIDE else 3)
    # A rival that alone gives probabilities must be named.
    named = len(figure.judges) > 1 or figure.judges != list(figure.order[:1])
    look = judge_look(figure, alt.Legend(title=None) if named else None)
    rows = alt.NamedData(name=ROWS)
    base = (
        alt.Chart(rows)
        .transform_filter(NUMBERS)
        .encode(x=alt.X("x:Q", scale=scale, axis=axis, title=None), color=look["color"])
    )
    dots = base.mark_point(filled=False, opacity=0.9, size=70).encode(
        y=alt.Y("value:Q", scale=scale, axis=axis, title=y_title),
        fill=look["fill"],
        shape=look["shape"],
        **LINKED,
    )
    bars = base.mark_rule(opacity=0.5).encode(y="low:Q", y2="high:Q", **TIP)
    line = base.mark_line(strokeWidth=1.5, opacity=0.6, aria=False).encode(y="value:Q")
    twin = twin_marks(figure, LEVEL, {"y": "value:Q", "x": alt.value(side / 2)})
    extra_layers = [layer.properties(data=rows) for layer in (*fade_plot(figure), *twin)]
    above = alt.layer(diagonal, line, bars, dots, *extra_layers).properties(width=side, height=side)
    return alt.vconcat(
        above, _confidences(figure, rows, look["color"], side, axis, x_title or SURE), spacing=14
    )


def _confidences(figure: Figure, rows: Any, colour: Any, side: int, axis: Any, title: str) -> Any:
    """Draw the distribution of confidence: bars for one judge, steps for several."""
    alt = load_altair()
    base = alt.Chart(rows).transform_filter(NUMBERS)
    if len(figure.judges) == 1:
        base = base.mark_bar(width=side / 14, opacity=0.8)
    else:
        base = base.mark_line(interpolate="step", strokeWidth=1.6, point={"size": 14})
    x = alt.X("middle:Q", scale=alt.Scale(domain=[0, 1]), axis=axis, title=title)
    y = alt.Y(
        "share:Q",
        axis=alt.Axis(format="%", tickCount=3),
        title="answers" if title == SURE else "how many",
    )
    return base.encode(x=x, y=y, color=colour, tooltip="tip:N", description="tip:N").properties(
        width=side, height=70
    )


def _heat(figure: Figure, width: int) -> Any:
    """Draw counts over a plane of two numbers: humans on the x axis, the judge on the y axis."""
    alt = load_altair()
    x_title, _, y_title = figure.across.partition(" | ")
    (low, high), ticks = figure.domain, [0, 2.5, 5, 7.5, 10]
    people_axis = alt.Axis(
        grid=False,
        values=ticks,
        labelExpr=f"format({low} + datum.value * {(high - low) / 10}, '~g')",
    )
    axis = alt.Axis(grid=False, values=ticks, labelExpr="datum.value / 10")
    heat_map = (
        alt.Chart()
        .mark_rect()
        .encode(
            x=alt.X("x:Q", title=x_title, axis=people_axis, scale=alt.Scale(domain=[0, 10])),
            x2="x2:Q",
            y=alt.Y("y:Q", title=y_title, axis=axis, scale=alt.Scale(domain=[0, 10])),
            y2="y2:Q",
            opacity=alt.Opacity(
                "value:Q", scale=alt.Scale(domain=[0, 1], range=[0.06, 1]), legend=None
            ),
            color=alt.value(LIGHT["slate"]),
            **TIP,
        )
    )
    across = panels_beside(figure, width, 2)
    side = {1: 360 if width >= WIDE else 250, 2: 215}[across]
    heat_map = alt.layer(heat_map, *fade_plot(figure)) if fade_plot(figure) else heat_map
    return panel_by_judge(figure, side, across, heat_map.properties(width=side, height=side))


KINDS = {
    "dots": _dots,
    "stack": _stack,
    "matrix": _matrix,
    "plane": draw_plane,
    "triangle": draw_triangle,
    "forest": draw_forest,
    "reliability": _reliability,
    "heat": _heat,
}
