"""Parts that all charts share, as Vega-Lite: rows, axes, panels, marks of judges and baselines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil
from typing import Any

from grice.reporting.figure import REFERENCE_WORDS, Figure, MarkKind
from grice.reporting.palette import (
    LIGHT,
    MANY_MODELS,
    judge_colours,
    judge_fills,
    judge_shapes,
    shapes,
    tones,
)

Spec = dict[str, Any]
WIDE, NARROW = 560, 340
# The width of a letter of a name, at most on average.
LETTER = 6.6
ROWS, MARKS = "rows", "marks"
# The filter of a dataset's rows that keeps numbers: the shuffled-answer baseline has a key.
NUMBERS = "!datum.key"
# The shapes of marks that are no judge's, as paths of a symbol. The shuffled-answer baseline is a
# line across a row or along an axis, and a cross on a plane.
UPRIGHT, LEVEL, CROSSED = (
    {MarkKind.SHUFFLED: path}
    for path in ("M0,-1.1L0,1.1", "M-3,0L3,0", "M-.6,-.6L.6,.6M-.6,.6L.6,-.6")
)
REFERENCES = {
    **UPRIGHT,
    MarkKind.CONSTANT: "M0,-1.1L0,-.3M0,.3L0,1.1",
    MarkKind.PRINTED: "M0,-.9L0,.9M-.8,-.45L.8,.45M-.8,.45L.8,-.45",
    MarkKind.PEOPLE: "diamond",
}
# Each kind has a legend of its own by a channel that has one value.
CHANNELS: dict[MarkKind, tuple[str, Any]] = {
    MarkKind.SHUFFLED: ("size", 46),
    MarkKind.CONSTANT: ("opacity", 0.9),
    MarkKind.PRINTED: ("strokeDash", [1, 0]),
    MarkKind.PEOPLE: ("strokeWidth", 1.6),
}
# Arial has the same letter widths everywhere; label positions were computed with them.
FONT = "Arial, 'Liberation Sans', 'Helvetica Neue', sans-serif"
SHARES = {"domain": [0, 1]}


def names_of(field: str, **options: Any) -> Spec:
    """Return a channel of names."""
    return {"field": field, "type": "nominal", **options}


def values_of(field: str, **options: Any) -> Spec:
    """Return a channel of numbers."""
    return {"field": field, "type": "quantitative", **options}


# The tooltip of a mark, and the items it opens.
TIP = {"tooltip": names_of("text"), "description": names_of("text")}
LINKED = {"href": names_of("href"), **TIP}


def layer(mark: str, encoding: Spec, *tests: str, data: str = "", **look: Any) -> Spec:
    """Return a layer with a mark for each row that passes the tests."""
    return {
        **({"data": {"name": data}} if data else {}),
        "transform": [{"filter": test} for test in tests],
        "mark": {"type": mark, **look},
        "encoding": encoding,
    }


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


def row_axis(figure: Figure, title: str | None = None) -> Spec:
    """Return the y axis with the row names."""
    axis = {"grid": False, "ticks": False, "minExtent": _extent(figure), "labelPadding": 10}
    return names_of("row", sort=figure.rows, title=title, axis=axis)


def row_step(figure: Figure, lanes: int) -> Spec:
    """Return the height of a row with this many lanes, lower in charts with many rows."""
    if lanes == 1:
        return {"step": 18}
    lane = 11 if lanes * len(figure.rows) <= 24 else 8.5 if lanes * len(figure.rows) <= 60 else 7
    return {"step": max(lane * lanes + 5, 18), "for": "position"}


def panels_beside(figure: Figure, width: int, most: int = 3) -> int:
    """Return how many panels fit side by side: four as two and two, one on a phone."""
    judges = len(figure.judges)
    return 1 if width < WIDE or not judges else ceil(judges / ceil(judges / most))


def panel_by_judge(figure: Figure, layers: list[Spec], width: int, height: Any, n: int) -> Spec:
    """Return layers on the rows of a figure, in a panel per judge if several: `n` abreast."""
    plot = {"layer": layers, "width": width, "height": height}
    data = {"data": {"name": ROWS}}
    if len(figure.judges) == 1:
        return data | plot
    header = {"labelLimit": int(width * 1.08)}
    facet = names_of("judge", sort=figure.judges, title=None, header=header)
    return data | {"facet": facet, "spec": plot, "columns": n}


def row_panels(figure: Figure, width: int, layers: list[Spec], height: Spec) -> Spec:
    """Return panels of rows, side by side on a page and below each other on a phone."""
    n = panels_beside(figure, width)
    plot = max(int(plot_room(figure, width) / n) - 16 * (n > 1), 110)
    return panel_by_judge(figure, layers, plot, height, n)


def _scaled(field: str, names: list[str], values: list[Any], legend: Spec | None) -> Spec:
    return names_of(field, sort=names, scale={"domain": names, "range": values}, legend=legend)


def judge_look(figure: Figure, legend: Spec | None = None) -> Spec:
    """Return colour, fill and shape of each judge's mark, the same in all figures of a profile.

    Of many judges there is no legend: a mark says its judge, and the table below has all.
    """
    names, order = figure.judges, figure.order or figure.judges
    legend = legend if len(names) < MANY_MODELS else None
    return {
        "color": _scaled("judge", names, judge_colours(names, order), legend),
        "fill": _scaled("judge", names, judge_fills(names, order), legend),
        "shape": _scaled("judge", names, judge_shapes(names, order), legend),
    }


def full_fill(figure: Figure) -> Spec:
    """Return the judges' colours as fill, without a legend: what is hollow says something else."""
    names = figure.judges
    return _scaled("judge", names, judge_colours(names, figure.order or names), None)


def series_look(figure: Figure, title: str | None = None) -> Spec:
    """Return the judge's colour and a shape per series, with a legend if there are several.

    A chapter may name other colours.
    """
    names = figure.series
    if all(name in figure.colours for name in names):
        fill = _scaled("series", names, tones(names, figure.colours), {"title": title})
        return tone_look(figure, title) | {"fill": fill}
    key = {"symbolFillColor": LIGHT["quiet"], "symbolStrokeColor": LIGHT["quiet"]}
    legend = {"title": title, **key} if len(names) > 1 else None
    shape = _scaled("series", names, shapes(names), legend)
    return {"color": judge_look(figure)["color"], "fill": full_fill(figure), "shape": shape}


def tone_look(figure: Figure, title: str | None = None) -> Spec:
    """A tone and a shape for each series, for what is told apart by series and not by judge."""
    names, legend = figure.series, {"title": title}
    return {
        "color": _scaled("series", names, tones(names, figure.colours), legend),
        "shape": _scaled("series", names, shapes(names), legend),
    }


def shared_title(figure: Figure, width: int) -> tuple[str | None, str | None]:
    """Return the titles of value axis and legend; several panels share it in the legend."""
    return (None, figure.across) if panels_beside(figure, width) > 1 else (figure.across, None)


def value_axis(figure: Figure, width: int, title: str | None, field: str = "value") -> Spec:
    """Return the axis of values, with rates as percentages."""
    narrow = width < WIDE or len(figure.judges) > 1
    form = {"format": "%"} if figure.domain == (0.0, 1.0) else {}
    if (figure.across or "").startswith("points "):
        # Signed and in points, as the axis title says.
        form = {"labelExpr": "datum.value ? format(100 * datum.value, '+.0f') : '0'"}
    axis = {"tickCount": 3 if narrow else 5, "grid": True, **form}
    return values_of(field, title=title, scale={"domain": list(figure.domain)}, axis=axis)


def reference_marks(
    figure: Figure,
    position: Spec,
    *tests: str,
    symbols: Mapping[MarkKind, str] = REFERENCES,
    size: Spec | None = None,
) -> list[Spec]:
    """Return a layer with a legend for each kind of mark that is no judge's.

    `symbols` has the kinds that a chart draws, `size` other sizes of the letters of the legend.
    """
    kinds = {mark.kind for mark in figure.marks}
    return [
        _reference(kind, shape, position, tests, size or {})
        for kind, shape in symbols.items()
        if kind in kinds
    ]


def _reference(
    kind: MarkKind, shape: str, position: Spec, tests: Sequence[str], size: Spec
) -> Spec:
    word, (channel, level) = REFERENCE_WORDS[kind], CHANNELS[kind]
    ink = {"symbolStrokeColor": LIGHT["black"], "symbolFillColor": "transparent"}
    legend: Spec = {"title": None, "orient": "bottom", "labelLimit": 0, "symbolType": shape, **ink}
    legend |= {"symbolSize": 46, "symbolStrokeWidth": 1.6, **size}
    look: Spec = {"size": 46, "strokeWidth": 1.6, "opacity": 0.9, "color": LIGHT["black"]}
    look.pop(channel, None)
    scale = {"type": "ordinal", "domain": [word], "range": [level]}
    key = {channel: names_of("key", scale=scale, legend=legend)}
    data = "" if kind is MarkKind.SHUFFLED else MARKS
    test = f"datum.key === '{word}'"
    encoding = {**TIP, **position, **key}
    return layer("point", encoding, *tests, test, data=data, shape=shape, filled=False, **look)


# Links and marks below the veil stay within reach of the pointer.
VEIL: Spec = {"color": LIGHT["paper"], "opacity": 0.6, "aria": False}


def fade_rows(figure: Figure, y: Spec, offset: Spec | None = None) -> list[Spec]:
    """Draw a veil over the inconclusive rows."""
    veil = layer("rect", {"y": y, **(offset or {})}, "datum.gated", **VEIL)
    return [veil] if any(number.gated for number in figure.numbers) else []


def fade_plot(figure: Figure) -> list[Spec]:
    """Draw a veil over the whole plot of a judge whose results are inconclusive."""
    once = {"aggregate": [{"op": "count", "as": "n"}], "groupby": ["judge"]}
    veil = layer("rect", {}, "datum.gated", **VEIL)
    veil["transform"].append(once)
    return [veil] if any(number.gated for number in figure.numbers) else []
