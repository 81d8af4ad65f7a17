"""Figures of papers as the papers draw them, from the cells of an exhibit."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from grice.tables.charts import COLOURS
from grice.tables.paper import Cell

OURS, PRINTED = "ours", "printed"
# A probability of 0 or 1 has no place on a logistic axis.
EDGE = 1e-4
TICKS = (0.001, 0.01, 0.05, 0.2, 0.5, 0.8, 0.95, 0.99, 0.999)


def _records(cells: Sequence[Cell]) -> list[dict[str, Any]]:
    """Return one record per number of ours or of the print.

    Where the columns are models, the part of a row after its comma is its own series.
    """
    records = []
    for cell in cells:
        row, part = cell.row, cell.column
        if cell.column == cell.judge and cell.row.count(", ") == 1:
            row, _, part = cell.row.partition(", ")
        ours = {"ours": cell.ours, "printed": cell.published, "low": cell.low, "high": cell.high}
        panel = cell.judge or cell.column
        records.append({"row": row, "part": part, "panel": panel, **ours, "of": cell.heading})
    return records


def bars(title: str, cells: Sequence[Cell]) -> Any:
    """Return grouped bars with intervals, a panel per judge; a tick is the printed number."""
    import altair as alt

    records = [r for r in _records(cells) if r["of"] in ("", "corrected")]
    parts = list(dict.fromkeys(r["part"] for r in records))
    panels = list(dict.fromkeys(r["panel"] for r in records))
    values = [v for r in records for v in (r["ours"], r["printed"]) if v is not None]
    axis = alt.Scale(domain=[0, 1]) if all(0 <= v <= 1 for v in values) else alt.Scale()
    legend = alt.Legend(title=None, orient="top") if len(parts) > 1 else None
    colours = [COLOURS[i % len(COLOURS)] for i in range(len(parts))]
    colour = alt.Color("part:N", scale=alt.Scale(domain=parts, range=colours), legend=legend)
    base = alt.Chart().encode(
        y=alt.Y("row:N", sort=None, title=None, axis=alt.Axis(labelLimit=260)),
        yOffset=alt.YOffset("part:N", sort=parts),
    )
    layers = alt.layer(
        base.mark_bar().encode(x=alt.X("ours:Q", scale=axis, title=None), color=colour),
        base.mark_rule().encode(x="low:Q", x2="high:Q"),
        base.mark_tick(color="black", thickness=2).encode(x="printed:Q"),
        data=alt.InlineData(values=records),
    ).properties(width=max(150, 840 // max(1, len(panels))))
    facet = alt.Column("panel:N", sort=panels, title=None)
    subtitle = "bar and line: ours with 95% interval; black tick: printed"
    return layers.facet(column=facet).properties(title=alt.Title(title, subtitle=subtitle))


def heat(title: str, cells: Sequence[Cell]) -> Any:
    """Return a heat map of rows by columns, a panel per judge."""
    import altair as alt

    records = [
        {"gold": c.row.split()[-1], "answer": c.column.split()[-1], "share": c.ours, "of": c.judge}
        for c in cells
        if c.ours is not None
    ]
    bins = sorted({str(r[key]) for r in records for key in ("gold", "answer")}, key=float)
    return (
        alt.Chart(alt.InlineData(values=records))
        .mark_rect()
        .encode(
            x=alt.X("answer:O", sort=bins, title="answer", axis=alt.Axis(labelAngle=0)),
            y=alt.Y("gold:O", sort=bins[::-1], title="people"),
            color=alt.Color("share:Q", scale=alt.Scale(scheme="blues"), title="share of row"),
        )
        .properties(width=300, height=300)
        .facet(alt.Column("of:N", sort=None, title=None), title=title)
    )


def quantiles(title: str, cells: Sequence[Cell]) -> Any:
    """Return a median, half and 96% of each row on a logistic axis."""
    import altair as alt

    rows = list(dict.fromkeys(cell.row for cell in cells if cell.ours is not None))
    by_cell = {(cell.row, cell.column): cell.ours for cell in cells if cell.ours is not None}
    records = [
        {"row": row, **{name: _logit(by_cell[row, column]) for name, column in _SPAN.items()}}
        for row in rows
    ]
    axis = alt.Axis(values=[_logit(t) for t in TICKS], labelExpr=_LOGISTIC, title="probability")
    scale = alt.Scale(domain=[_logit(0), _logit(1)])
    base = alt.Chart(alt.InlineData(values=records)).encode(y=alt.Y("row:N", sort=None, title=None))

    def span(low: str, high: str, opacity: float) -> Any:
        x = alt.X(f"{low}:Q", scale=scale, axis=axis)
        return base.mark_bar(size=26, color=COLOURS[0], opacity=opacity).encode(x=x, x2=f"{high}:Q")

    median = base.mark_tick(color="black", thickness=3, size=26).encode(x="median:Q")
    layers = span("low", "high", 0.3) + span("lower", "upper", 0.7) + median
    subtitle = "light: 96% of the pairs; dark: 50%; black: median; logistic axis"
    heading = alt.Title(title, subtitle=subtitle, anchor="start")
    return layers.properties(title=heading, width=620, height=160)


_SPAN = {"low": "2%", "lower": "25%", "median": "median", "upper": "75%", "high": "98%"}
_LOGISTIC = "format(1 / (1 + exp(-datum.value)), '.3~f')"


def _logit(probability: float) -> float:
    inside = min(max(probability, EDGE), 1 - EDGE)
    return math.log(inside / (1 - inside))


def curve(title: str, cells: Sequence[Cell], x: str | None = None, y: str | None = None) -> Any:
    """Return a line per reading over the numbers that name the rows; `x` and `y` name the axes."""
    import altair as alt

    records = [
        {"x": float(cell.row), "value": value, "line": cell.reading or cell.across}
        | {"low": cell.low, "high": cell.high}
        for cell in cells
        if (value := cell.checked if cell.kind == "print" else cell.ours) is not None
    ]
    legend = alt.Legend(title=None, orient="top", labelLimit=0)
    colour = alt.Color("line:N", sort=None, legend=legend, scale=alt.Scale(range=list(COLOURS)))
    base = alt.Chart(alt.InlineData(values=records)).encode(x=alt.X("x:Q", title=x), color=colour)
    dash = alt.StrokeDash("line:N", sort=None, legend=None)
    lines = base.mark_line(point=True).encode(y=alt.Y("value:Q", title=y), strokeDash=dash)
    ends = base.mark_rule().encode(y="low:Q", y2="high:Q")
    return (ends + lines).properties(title=alt.Title(title, anchor="start"), width=620, height=320)


def calibration(title: str, cells: Sequence[Cell]) -> Any:
    """Return a curve per judge with the diagonal, on which a judge is calibrated."""
    import altair as alt

    ends = alt.InlineData(values=[{"x": 0, "value": 0}, {"x": 1, "value": 1}])
    diagonal = alt.Chart(ends).mark_line(color="#999999").encode(x="x:Q", y="value:Q")
    return alt.layer(curve("", cells, "judge", "people"), diagonal).properties(
        title=alt.Title(title, anchor="start"), width=420, height=420
    )


def line(title: str, cells: Sequence[Cell]) -> Any:
    """Return the rows as ticks of an axis with a line through ours, and the printed numbers."""
    import altair as alt

    rows = list(dict.fromkeys(cell.row for cell in cells))
    records = [
        {"row": cell.row, "value": value, "of": name, "low": cell.low, "high": cell.high}
        for cell in cells
        for name, value in ((OURS, cell.ours), (PRINTED, cell.published))
        if value is not None
    ]
    scale, axis = alt.Scale(domain=rows), alt.Axis(labelAngle=0)
    base = alt.Chart(alt.InlineData(values=records)).encode(
        x=alt.X("row:N", sort=rows, title=None, scale=scale, axis=axis),
        y=alt.Y("value:Q", scale=alt.Scale(zero=False), title=None),
        color=alt.Color("of:N", sort=[OURS, PRINTED], legend=alt.Legend(title=None, orient="top")),
    )
    lines = base.mark_line(point=alt.OverlayMarkDef(size=60))
    ends = base.transform_filter("datum.of == 'ours'").mark_rule().encode(y="low:Q", y2="high:Q")
    return (ends + lines).properties(title=alt.Title(title, anchor="start"), width=620, height=320)


# Where a signature expects the judgements of an environment to lie: entailed, not, or open.
REGIONS = {"+": (1 / 3, 1), "-": (-1, -1 / 3), "o": (-1 / 3, 1 / 3)}


def signatures(title: str, cells: Sequence[Cell]) -> Any:
    """Return verbs as points of their two means: a column per signature, a row per judge.

    People's ratings are halved, so that all are from -1 to 1.
    """
    import altair as alt

    by_verb = [c for c in cells if c.reading and c.ours is not None]
    points: dict[tuple[str, str], dict[str, Any]] = {}
    for cell in by_verb:
        signature, _, verb = cell.row.partition(" ")
        start = {"signature": signature, "verb": verb, "judge": cell.judge}
        scale = 2 if cell.kind == "data" else 1
        points.setdefault((cell.row, cell.judge), start)[cell.column] = (cell.ours or 0) / scale
    names = list(dict.fromkeys(p["signature"] for p in points.values()))
    judges = list(dict.fromkeys(p["judge"] for p in points.values()))
    regions = [
        {"signature": name, "judge": judge, "x": x[0], "x2": x[1], "y": y[0], "y2": y[1]}
        for name in names
        for judge in judges
        for x, y in [(REGIONS[name[0]], REGIONS[name[-1]])]
    ]
    data = alt.InlineData(values=[*points.values(), *regions])
    domain = alt.Scale(domain=[-1.05, 1.05])
    x, y = ("positive", "negative")
    axis = alt.Axis(values=[-1, 0, 1])
    across = alt.X("x:Q", scale=domain, axis=axis, title=x)
    up = alt.Y("y:Q", scale=domain, axis=axis, title=y)
    square = alt.Chart().mark_rect(color="#999999", opacity=0.35)
    square = square.encode(x=across, x2="x2:Q", y=up, y2="y2:Q")
    colour = alt.Color("judge:N", sort=judges, legend=None, scale=alt.Scale(range=list(COLOURS)))
    dots = alt.Chart().mark_circle(size=28, opacity=0.8)
    dots = dots.encode(x=f"{x}:Q", y=f"{y}:Q", color=colour, tooltip=["verb:N", f"{x}:Q", f"{y}:Q"])
    layers = alt.layer(square, dots, data=data).properties(width=105, height=105)
    subtitle = "a point is a verb; grey: where the signature expects it"
    return layers.facet(
        column=alt.Column("signature:N", sort=names, title=None),
        row=alt.Row("judge:N", sort=judges, title=None),
    ).properties(title=alt.Title(title, subtitle=subtitle))


# By the name that a paper's `chart` gives.
FIGURES: dict[str, Callable[[str, Sequence[Cell]], Any]] = {
    "bars": bars,
    "calibration": calibration,
    "curve": curve,
    "heat": heat,
    "line": line,
    "quantiles": quantiles,
    "signatures": signatures,
}
