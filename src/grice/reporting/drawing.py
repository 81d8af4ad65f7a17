"""Parts that all charts share: rows, axes, panels, marks of judges and baselines, the veil."""

from __future__ import annotations

from math import ceil
from typing import Any

from grice.reporting.figure import WITHOUT, Figure, MarkKind
from grice.reporting.palette import (
    LIGHT,
    MANY_MODELS,
    judge_colours,
    judge_fills,
    judge_shapes,
    shapes,
    tones,
)

WIDE, NARROW = 560, 340
# The width of a letter of a name, at most on average.
LETTER = 6.6
ROWS, MARKS = "rows", "marks"
# Filters of a dataset's rows: numbers, and the shuffled-answer baseline, which has a key.
NUMBERS, TWINS = "!datum.key", "datum.key"
# A baseline: a line across a bar or along an axis, a cross on a plane, as paths of a symbol.
UPRIGHT, LEVEL, CROSSED = "M0,-1.1L0,1.1", "M-3,0L3,0", "M-.6,-.6L.6,.6M-.6,.6L.6,-.6"
# The tooltip of a mark, and the items it opens.
TIP = {"tooltip": "text:N", "description": "text:N"}
LINKED = {"href": "href:N", **TIP}
# Arial has the same letter widths everywhere; label positions were computed with them.
FONT = "Arial, 'Liberation Sans', 'Helvetica Neue', sans-serif"


def load_altair() -> Any:
    """Import Altair, only when something is drawn."""
    import altair

    return altair


def legend_columns(figure: Figure, width: int) -> int:
    """Return how many columns of the legend fit its longest name."""
    names = [*figure.series, *(figure.judges if len(figure.series) == 1 else ())]
    longest = max(map(len, names), default=1)
    room = plot_room(figure, width) if figure.kind in ("dots", "stack") else width
    return max(1, int((room + 20) // (min(longest * LETTER, 240) + 50)))


def plot_room(figure: Figure, width: int) -> int:
    """Return the width of the plot without the row names."""
    return int(max(width - _extent(figure) - 30, 140))


def _extent(figure: Figure) -> int:
    return int(min(max((len(row) for row in figure.rows), default=0) * LETTER, 230)) + 10


def row_axis(figure: Figure) -> Any:
    """Return the y axis with the row names."""
    alt = load_altair()
    axis = alt.Axis(grid=False, ticks=False, minExtent=_extent(figure), labelPadding=10)
    return alt.Y("row:N", sort=figure.rows, title=None, axis=axis)


def row_step(figure: Figure, lanes: int) -> Any:
    """Return the height of a row with this many lanes, lower in charts with many rows."""
    alt = load_altair()
    if lanes == 1:
        return alt.Step(18)
    lane = 11 if lanes * len(figure.rows) <= 24 else 8.5 if lanes * len(figure.rows) <= 60 else 7
    return alt.Step(max(lane * lanes + 5, 18), **{"for": "position"})


def panels_beside(figure: Figure, width: int, most: int = 3) -> int:
    """Return how many panels fit side by side: four as two and two, one on a phone."""
    judges = len(figure.judges)
    return 1 if width < WIDE or not judges else ceil(judges / ceil(judges / most))


def panel_by_judge(figure: Figure, plot: int, across: int, sized: Any) -> Any:
    """Return the drawing with its rows: one panel per judge if there are several.

    `across` is the number of panels side by side.
    """
    alt = load_altair()
    data = alt.NamedData(name=ROWS)
    if len(figure.judges) == 1:
        return sized.properties(data=data)
    header = alt.Header(labelLimit=int(plot * 1.08))
    facet = alt.Facet("judge:N", sort=figure.judges, title=None, header=header)
    return sized.facet(data=data, facet=facet, columns=across)


def _scaled(channel: Any, field: str, names: list[str], values: list[Any], legend: Any) -> Any:
    alt = load_altair()
    return channel(
        f"{field}:N", sort=names, scale=alt.Scale(domain=names, range=values), legend=legend
    )


def judge_look(figure: Figure, legend: Any = None) -> dict[str, Any]:
    """Return colour, fill and shape of each judge's mark, the same in all figures of a profile.

    Of many judges there is no legend: a mark says its judge, and the table below has all.
    """
    alt, names = load_altair(), figure.judges
    legend = legend if len(names) < MANY_MODELS else None
    order = figure.order or figure.judges
    look = {
        "color": (alt.Color, judge_colours(names, order)),
        "fill": (alt.Fill, judge_fills(names, order)),
        "shape": (alt.Shape, judge_shapes(names, order)),
    }
    return {
        name: _scaled(channel, "judge", names, values, legend)
        for name, (channel, values) in look.items()
    }


def series_look(figure: Figure, title: str | None = None) -> dict[str, Any]:
    """Return the judge's colour and a shape per series, with a legend if there are several.

    A chapter may name other colours.
    """
    alt, names = load_altair(), figure.series
    if all(name in figure.colours for name in names):
        own = tone_look(figure, title)
        return own | {
            "fill": _scaled(
                alt.Fill, "series", names, tones(names, figure.colours), alt.Legend(title=title)
            )
        }
    key = {"symbolFillColor": LIGHT["quiet"], "symbolStrokeColor": LIGHT["quiet"]}
    legend = alt.Legend(title=title, **key) if len(names) > 1 else None
    coloured = judge_look(figure)["color"]
    inked = judge_colours(figure.judges, figure.order or figure.judges)
    return {
        "color": coloured,
        "fill": _scaled(alt.Fill, "judge", figure.judges, inked, None),
        "shape": _scaled(alt.Shape, "series", names, shapes(names), legend),
    }


def tone_look(figure: Figure, title: str | None = None) -> dict[str, Any]:
    """A tone and a shape for each series, for what is told apart by series and not by judge."""
    alt, names = load_altair(), figure.series
    legend = alt.Legend(title=title)
    return {
        "color": _scaled(alt.Color, "series", names, tones(names, figure.colours), legend),
        "shape": _scaled(alt.Shape, "series", names, shapes(names), legend),
    }


def shared_title(figure: Figure, width: int) -> tuple[str | None, str | None]:
    """Return the titles of value axis and legend; several panels share it in the legend."""
    return (None, figure.across) if panels_beside(figure, width) > 1 else (figure.across, None)


def draw_panels(figure: Figure, width: int, chart_args: Any, height: Any) -> Any:
    """Draw panels of rows, side by side on a page and below each other on a phone."""
    across = panels_beside(figure, width)
    plot = max(int(plot_room(figure, width) / across) - 16 * (across > 1), 110)
    return panel_by_judge(figure, plot, across, chart_args.properties(width=plot, height=height))


def value_axis(figure: Figure, width: int, title: str | None, field: str = "value") -> Any:
    """Return the axis of values, with rates as percentages."""
    alt = load_altair()
    narrow = width < WIDE or len(figure.judges) > 1
    form = {"format": "%"} if figure.domain == (0.0, 1.0) else {}
    if (figure.across or "").startswith("points "):
        # Signed and in points, as the axis title says.
        form = {"labelExpr": "datum.value ? format(100 * datum.value, '+.0f') : '0'"}
    axis = alt.Axis(tickCount=3 if narrow else 5, grid=True, **form)
    return alt.X(f"{field}:Q", title=title, scale=alt.Scale(domain=list(figure.domain)), axis=axis)


def outside_marks(y: Any, offset: dict[str, Any]) -> Any:
    """Draw people as a hollow diamond, other values from elsewhere as a tick across the row."""
    alt = load_altair()
    base = alt.Chart(alt.NamedData(name=MARKS)).encode(y=y, x="value:Q", **TIP, **offset)
    ticks = base.transform_filter("!datum.people").mark_tick(
        color=LIGHT["black"], thickness=2, size=11, opacity=0.8
    )
    people = base.transform_filter("datum.people").mark_point(
        shape="diamond", filled=True, fill=LIGHT["paper"], stroke=LIGHT["black"], size=60, opacity=1
    )
    return ticks + people


def twin_marks(figure: Figure, shape: str, places: dict[str, Any]) -> list[Any]:
    """Draw the shuffled-answer baseline, with a legend of its own."""
    alt = load_altair()
    if not any(mark.kind is MarkKind.SHUFFLED for mark in figure.marks):
        return []
    look = {
        "symbolType": shape,
        "symbolStrokeColor": LIGHT["black"],
        "symbolFillColor": "transparent",
        "symbolStrokeWidth": 1.6,
    }
    legend = alt.Legend(title=None, orient="bottom", labelLimit=0, symbolSize=46, **look)
    key = alt.Size(
        "key:N", scale=alt.Scale(type="ordinal", domain=[WITHOUT], range=[46]), legend=legend
    )
    mark = (
        alt.Chart()
        .transform_filter(TWINS)
        .mark_point(shape=shape, filled=False, color=LIGHT["black"], strokeWidth=1.6, opacity=0.9)
    )
    return [mark.encode(size=key, **TIP, **places)]


def fade_rows(figure: Figure, y: Any, within: dict[str, Any] | None = None) -> list[Any]:
    """Draw a veil over the inconclusive rows."""
    if not any(number.gated for number in figure.numbers):
        return []
    return [_veil().encode(y=y, **(within or {}))]


def fade_plot(figure: Figure) -> list[Any]:
    """Draw a veil over the whole plot of a judge whose results are inconclusive."""
    if not any(number.gated for number in figure.numbers):
        return []
    return [_veil().transform_aggregate(n="count()", groupby=["judge"])]


def _veil() -> Any:
    alt = load_altair()
    # Links and marks below the veil stay within reach of the pointer.
    return (
        alt.Chart()
        .mark_rect(color=LIGHT["paper"], opacity=0.6, aria=False)
        .transform_filter("datum.gated")
    )
