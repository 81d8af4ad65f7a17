"""Figures as Altair charts, drawn once: SVG for the page and for files, PNG and PDF of the same drawing."""

from __future__ import annotations

import re
from math import ceil
from typing import Any

from grice.reporting.model import Figure
from grice.reporting.palette import LIGHT, colours, shapes
from grice.reporting.rows import blind_rows, chart_rows, mark_rows

WIDE, NARROW = 560, 340
# The width of a letter in the widest of the fonts below: a reader's may be wider than the one measured here.
LETTER = 7.0
ROWS, MARKS = "rows", "marks"
# The rows of a dataset: numbers, and the marks of blind twins, which have a key.
NUMBERS, TWINS = "!datum.key", "datum.key"
# Stands for a hatch until the drawing is made: Vega has no patterns.
HATCH = "#0ddba1"
# A short line across a bar, and one along an axis that a whole plot shares, as paths of a symbol.
UPRIGHT, LEVEL = "M0,-1.1L0,1.1", "M-3,0L3,0"
# What a mark says when pointed at, and the items it opens.
TIP = {"tooltip": "text:N", "description": "text:N"}
LINKED = {"href": "href:N", **TIP}
FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"


def chart(figure: Figure, width: int = WIDE) -> Any:
    """The Altair chart of a figure, fitted to a page or to a phone."""
    made = KINDS[figure.kind](figure, width)
    axis = {"labelColor": LIGHT["ink"], "titleColor": LIGHT["quiet"], "titleFontWeight": "normal", "labelFontSize": 12,
            "titleFontSize": 12, "gridColor": LIGHT["grid"], "domain": False, "tickColor": LIGHT["grid"], "labelLimit": 260}  # fmt: skip
    legend = {"labelColor": LIGHT["ink"], "titleColor": LIGHT["quiet"], "labelFontSize": 12, "titleFontSize": 12,
              "orient": "top", "direction": "horizontal", "labelLimit": 240, "titleLimit": 420, "titleFontWeight": "normal", "symbolOpacity": 1, "columns": _columns(figure, width), "columnPadding": 34}  # fmt: skip
    return (
        made.configure(font=FONT, background=LIGHT["paper"], padding=4)
        .configure_axis(**axis)
        .configure_legend(**legend)
        .configure_view(stroke=None)
        .configure_header(labelColor=LIGHT["ink"], labelFontSize=12, labelFontWeight="bold", title=None, labelLimit=300)
    )


def svg(figure: Figure, width: int = WIDE) -> str:
    """The drawing as SVG text on white; its marks link to their items on the page."""
    return draw(spec(figure, width), f"hatch-{figure.id}-{width}")


def draw(made: dict[str, Any], name: str) -> str:
    """A Vega-Lite specification as SVG text; `name` is that of its hatch, one for each drawing of a page."""
    drawn = str(_converter().vegalite_to_svg(made))
    # The converter takes a place on the page for a relative address and puts a site before it.
    return _hatched(re.sub(r'href="[^"#]*#items', 'href="#items', drawn), name)


def _hatched(drawn: str, name: str) -> str:
    """The drawing with lines across what cannot be told."""
    if HATCH not in drawn:
        return drawn
    lines = f'<path d="M-2 2 L2 -2 M0 8 L8 0 M6 10 L10 6" stroke="{LIGHT["quiet"]}" stroke-width="1.1"/>'
    pattern = f'<defs><pattern id="{name}" width="8" height="8" patternUnits="userSpaceOnUse">{lines}</pattern></defs>'
    found = drawn.replace(f'"{HATCH}"', f'"url(#{name})"')
    return re.sub(r"(<svg\b[^>]*>)", rf"\1{pattern}", found, count=1)


def remove_links(drawn: str) -> str:
    """The drawing for a file of its own, where there are no items to link to."""
    return re.sub(r"</?a\b[^>]*>", "", drawn)


def spec(figure: Figure, width: int = WIDE) -> dict[str, Any]:
    """The Vega-Lite specification with its rows; they join at the end, since Altair copies all it holds at every step."""
    made: dict[str, Any] = chart(figure, width).to_dict(validate=False)
    return {**made, "datasets": {ROWS: [*chart_rows(figure), *blind_rows(figure)], MARKS: mark_rows(figure)}}


def png(drawn: str, scale: float = 2.0) -> bytes:
    """An SVG drawing as a PNG file, `scale` times its size."""
    return bytes(_converter().svg_to_png(drawn, scale=scale))


def pdf(drawn: str) -> bytes:
    """An SVG drawing as a PDF file."""
    return bytes(_converter().svg_to_pdf(drawn))


def inline(drawn: str, alt: str) -> str:
    """SVG for the page: colours by name, so that they follow light and dark; one image to a screen reader."""
    from html import escape

    found = re.sub(rf'<rect [^>]*fill="{LIGHT["paper"]}"[^>]*/>', "", drawn, count=1)
    for name, colour in LIGHT.items():
        found = re.sub(f'"{colour}"', f'"var(--{name})"', found, flags=re.IGNORECASE)
    # A mark shows its number when pointed at, and opens its items when clicked. To a screen reader the chart is one
    # image; the table below it has every number as a link.
    found = re.sub(r'<(path|line) aria-label="([^"]*)"([^>]*)/>', r"<\1\3><title>\2</title></\1>", found)
    found = re.sub(r' (?:role|aria-[a-z]+)="[^"]*"', "", found)
    found = re.sub(r'<a [^>]*?href="([^"]*)"[^>]*>', r'<g class="to" data-to="\1">', found).replace("</a>", "</g>")
    size = re.search(r'width="(\d+(?:\.\d+)?)" height="(\d+(?:\.\d+)?)"', found)
    assert size is not None
    found = found.replace(size.group(0), f'style="max-width:{size.group(1)}px" preserveAspectRatio="xMinYMin meet"', 1)
    return found.replace("<svg ", f'<svg role="img" aria-label="{escape(alt, quote=True)}" ', 1)


def _converter() -> Any:
    import vl_convert

    return vl_convert


def _altair() -> Any:
    import altair

    return altair


def _columns(figure: Figure, width: int) -> int:
    """As many columns of the legend as its longest name leaves room for."""
    names = [*figure.series, *(figure.judges if len(figure.series) == 1 else ())]
    longest = max(map(len, names), default=1)
    room = _room(figure, width) if figure.kind in ("dots", "stack") else width
    return max(1, int((room + 20) // (min(longest * LETTER, 240) + 50)))


def _room(figure: Figure, width: int) -> int:
    """The width of the plot beside the row names."""
    return int(max(width - _extent(figure) - 30, 140))


def _extent(figure: Figure) -> int:
    return int(min(max((len(row) for row in figure.rows), default=0) * LETTER, 230)) + 10


def _rows(figure: Figure) -> Any:
    alt = _altair()
    axis = alt.Axis(grid=False, ticks=False, minExtent=_extent(figure), labelPadding=10)
    return alt.Y("row:N", sort=figure.rows, title=None, axis=axis)


def _beside(figure: Figure, width: int, most: int = 3) -> int:
    """How many panels stand side by side: on a page all that fit, four as two and two; one on a phone."""
    judges = len(figure.judges)
    return 1 if width < WIDE else ceil(judges / ceil(judges / most))


def _by_judge(figure: Figure, plot: int, across: int, sized: Any) -> Any:
    """The drawing with its rows: a panel a judge where there are several, `across` of them side by side."""
    alt = _altair()
    data = alt.NamedData(name=ROWS)
    if len(figure.judges) == 1:
        return sized.properties(data=data)
    header = alt.Header(labelLimit=int(plot * 0.86))
    facet = alt.Facet("judge:N", sort=figure.judges, title=None, header=header)
    return sized.facet(data=data, facet=facet, columns=across)


def _look(figure: Figure, key: str, title: str | None = None, *, least: int = 2) -> dict[str, Any]:
    """Colour and shape by series or by judge, with a legend where there are at least so many names."""
    alt = _altair()
    names = figure.judges if key == "judge" else figure.series
    legend = alt.Legend(title=title) if len(names) >= least else None

    def scale(values: list[str]) -> dict[str, Any]:
        return {"sort": names, "scale": alt.Scale(domain=names, range=values), "legend": legend}

    return {
        "color": alt.Color(f"{key}:N", **scale(colours(names, figure.colours))),
        "shape": alt.Shape(f"{key}:N", **scale(shapes(names))),
    }


def _shared_title(figure: Figure, width: int) -> tuple[str | None, str | None]:
    """The title of the value axis and of the legend: several panels say it once, above."""
    return (None, figure.across) if _beside(figure, width) > 1 else (figure.across, None)


def _panels(figure: Figure, width: int, made: Any, height: Any) -> Any:
    """Panels of rows, side by side on a page and below each other on a phone."""
    across = _beside(figure, width)
    plot = max(int(_room(figure, width) / across) - 16 * (across > 1), 110)
    return _by_judge(figure, plot, across, made.properties(width=plot, height=height))


def _axis(figure: Figure, width: int, title: str | None, field: str = "value") -> Any:
    alt = _altair()
    narrow = width < WIDE or len(figure.judges) > 1
    form = {"format": "%"} if figure.domain == (0.0, 1.0) else {}
    axis = alt.Axis(tickCount=3 if narrow else 5, grid=True, **form)
    return alt.X(f"{field}:Q", title=title, scale=alt.Scale(domain=list(figure.domain)), axis=axis)


def _dots(figure: Figure, width: int) -> Any:
    """A dot and its interval for each row and series; rivals are series of their own where there is one series."""
    alt = _altair()
    by_judge = len(figure.series) == 1 and len(figure.judges) > 1
    title, above = (figure.across, None) if by_judge else _shared_title(figure, width)
    key = "judge" if by_judge else "series"
    names = figure.judges if by_judge else figure.series
    y = _rows(figure)
    look = _look(figure, key, above)
    offset = {"yOffset": alt.YOffset(f"{key}:N", sort=names)} if len(names) > 1 else {}
    base = alt.Chart().transform_filter(NUMBERS).encode(y=y, **offset)
    layers = []
    if figure.line is not None:
        layers.append(alt.Chart().mark_rule(color=LIGHT["quiet"], strokeDash=[4, 3]).encode(x=alt.datum(figure.line)))
    interval, dot = base.mark_rule(strokeWidth=2, opacity=0.55), base.mark_point(filled=True, size=55, opacity=1)
    layers.append(interval.encode(x=_axis(figure, width, title, "low"), x2="high:Q", color=look["color"], **TIP))
    layers.append(dot.encode(x=_axis(figure, width, title), **LINKED, **look))
    if any(not mark.blind for mark in figure.marks):
        layers.append(_marks(y, {} if by_judge else offset))
    layers = [
        *_hatch(figure, y),
        *layers,
        *_twins(figure, "diamond", {"y": y, "x": "value:Q", **({} if by_judge else offset)}),
    ]
    made = alt.layer(*layers)
    step = alt.Step(18) if len(names) == 1 else alt.Step(max(11 * len(names) + 6, 20), **{"for": "position"})
    if by_judge:
        return made.properties(width=_room(figure, width), height=step, data=alt.NamedData(name=ROWS))
    return _panels(figure, width, made, step)


def _marks(y: Any, offset: dict[str, Any]) -> Any:
    """Numbers from elsewhere: a tick across the row."""
    alt = _altair()
    tick = alt.Chart(alt.NamedData(name=MARKS)).mark_tick(color=LIGHT["black"], thickness=2, size=11, opacity=0.8)
    return tick.encode(y=y, x="value:Q", **TIP, **offset)


def _twins(figure: Figure, shape: str, places: dict[str, Any]) -> list[Any]:
    """What the judge's answers would get without reading, with a key of its own."""
    alt = _altair()
    keys = [mark.label for mark in figure.marks if mark.blind][:1]
    if not keys:
        return []
    look = {
        "symbolType": shape,
        "symbolStrokeColor": LIGHT["black"],
        "symbolFillColor": "transparent",
        "symbolStrokeWidth": 1.6,
    }
    legend = alt.Legend(title=None, orient="bottom", labelLimit=0, symbolSize=46, **look)
    key = alt.Size("key:N", scale=alt.Scale(type="ordinal", domain=keys, range=[46]), legend=legend)
    mark = alt.Chart().transform_filter(TWINS).mark_point(shape=shape, filled=False, color=LIGHT["black"], strokeWidth=1.6, opacity=0.9)  # fmt: skip
    return [mark.encode(size=key, **TIP, **places)]


def _hatch(figure: Figure, y: Any, within: dict[str, Any] | None = None) -> list[Any]:
    """A hatched band behind the rows that tell nothing."""
    if not any(number.gated for number in figure.numbers):
        return []
    alt = _altair()
    band = alt.Chart().mark_rect(color=HATCH, opacity=0.55, aria=False).transform_filter("datum.gated")
    return [band.encode(y=y, **(within or {}))]


def _stack(figure: Figure, width: int) -> Any:
    """Shares that add up to the whole, a bar a row, a panel a judge."""
    alt = _altair()
    title, above = _shared_title(figure, width)
    made = (
        alt.Chart()
        .transform_filter(NUMBERS)
        .mark_bar(height=12)
        .encode(
            y=_rows(figure),
            x=alt.X("value:Q", stack="zero", title=title, scale=alt.Scale(domain=[0, 1]),
                    axis=alt.Axis(format="%", tickCount=3 if width < WIDE or len(figure.judges) > 1 else 5)),
            color=_look(figure, "series", above, least=1)["color"],
            order=alt.Order("place:Q"),
            **LINKED,
        )
    )  # fmt: skip
    layers = [made, *_hatch(figure, _rows(figure)), *_twins(figure, UPRIGHT, {"y": _rows(figure), "x": "value:Q"})]
    return _panels(figure, width, alt.layer(*layers), alt.Step(18))


def _matrix(figure: Figure, width: int) -> Any:
    """Rows against series: the value in its cell, and as strength of one of two colours away from the middle."""
    alt = _altair()
    base = alt.Chart().encode(
        y=_rows(figure),
        x=alt.X("series:N", sort=figure.series, title=None, axis=alt.Axis(orient="top", labelAngle=-40, grid=False, ticks=False)),
    )  # fmt: skip
    cells = base.mark_rect(stroke=LIGHT["grid"]).encode(
        color=alt.condition("datum.above", alt.value(LIGHT["orange"]), alt.value(LIGHT["blue"])),
        # Not above 0.6: the number on top must stay legible in light and dark.
        opacity=alt.Opacity("strength:Q", scale=alt.Scale(domain=[0, 1], range=[0, 0.6]), legend=None),
        **LINKED,
    )  # fmt: skip
    words = base.mark_text(fontSize=11, color=LIGHT["ink"]).encode(text="points:N")
    return _panels(figure, width, alt.layer(cells, *_hatch(figure, _rows(figure)), words), alt.Step(20))


def _plane(figure: Figure, width: int) -> Any:
    """A dot at x and y for each row, its shape and colour by series, a panel a judge."""
    alt = _altair()
    scale = alt.Scale(domain=[-1.06, 1.06], nice=False)
    axis = alt.Axis(values=[-1, -0.5, 0, 0.5, 1], format="+", labelExpr="datum.value ? datum.label : '0'")
    x_title, _, y_title = figure.across.partition(" | ")
    dots = alt.Chart().transform_filter(NUMBERS).mark_point(filled=True, size=58, opacity=0.8)
    dots = dots.encode(**LINKED, **_look(figure, "series", least=1)).encode(
        x=alt.X("x:Q", scale=scale, axis=axis, title=x_title), y=alt.Y("y:Q", scale=scale, axis=axis, title=y_title)
    )
    across = _beside(figure, width, 2)
    side = {1: 400 if width >= WIDE else 255, 2: 225}[across]
    rules = [alt.Chart().mark_rule(color=LIGHT["quiet"], opacity=0.5).encode(**{way: alt.datum(0)}) for way in "xy"]
    layers = [*_hatched_plot(figure), *rules, dots, *_twins(figure, "diamond", {"x": "x:Q", "y": "y:Q"})]
    return _by_judge(figure, side, across, alt.layer(*layers).properties(width=side, height=side))


def _hatched_plot(figure: Figure) -> list[Any]:
    """A hatch over the whole plot of a judge of which nothing is told."""
    if not any(number.gated for number in figure.numbers):
        return []
    alt = _altair()
    whole = alt.Chart().mark_rect(color=HATCH, opacity=0.4, aria=False).transform_filter("datum.gated")
    return [whole.transform_aggregate(n="count()", groupby=["judge"])]


def _reliability(figure: Figure, width: int) -> Any:
    """How often it is right against how sure it is; on the diagonal the two are the same."""
    alt = _altair()
    side = 360 if width >= WIDE else 250
    scale = alt.Scale(domain=[0, 1])
    diagonal = alt.Chart(alt.Data(values=[{"x": 0, "value": 0}, {"x": 1, "value": 1}])).mark_line(
        color=LIGHT["quiet"], strokeDash=[4, 3], strokeWidth=1, aria=False
    ).encode(x="x:Q", y="value:Q")  # fmt: skip
    axis = alt.Axis(format="%", tickCount=5 if width >= WIDE else 3)
    rows = alt.NamedData(name=ROWS)
    base = (
        alt.Chart(rows)
        .transform_filter(NUMBERS)
        .encode(
            x=alt.X("x:Q", scale=scale, axis=axis, title="how sure it says it is"),
            color=_look(figure, "judge")["color"],
        )
    )
    dots = base.mark_point(filled=True, opacity=0.9, size=70).encode(
        y=alt.Y("value:Q", scale=scale, axis=axis, title=figure.across), **LINKED
    )
    bars = base.mark_rule(opacity=0.5).encode(y="low:Q", y2="high:Q", **TIP)
    line = base.mark_line(strokeWidth=1.5, opacity=0.6, aria=False).encode(y="value:Q")
    twin = _twins(figure, LEVEL, {"y": "value:Q", "x": alt.value(side / 2)})
    others = [one.properties(data=rows) for one in (*_hatched_plot(figure), *twin)]
    return alt.layer(diagonal, line, bars, dots, *others).properties(width=side, height=side)


def _heat(figure: Figure, width: int) -> Any:
    """Counts over a plane of two numbers: people below, the judge up the side."""
    alt = _altair()
    x_title, _, y_title = figure.across.partition(" | ")
    (low, high), ticks = figure.domain, [0, 2.5, 5, 7.5, 10]
    there = alt.Axis(grid=False, values=ticks, labelExpr=f"format({low} + datum.value * {(high - low) / 10}, '~g')")
    axis = alt.Axis(grid=False, values=ticks, labelExpr="datum.value / 10")
    made = (
        alt.Chart()
        .mark_rect()
        .encode(
            x=alt.X("x:Q", title=x_title, axis=there, scale=alt.Scale(domain=[0, 10])),
            x2="x2:Q",
            y=alt.Y("y:Q", title=y_title, axis=axis, scale=alt.Scale(domain=[0, 10])),
            y2="y2:Q",
            opacity=alt.Opacity("value:Q", scale=alt.Scale(domain=[0, 1], range=[0.06, 1]), legend=None),
            color=alt.value(LIGHT["blue"]), **TIP,
        )
    )  # fmt: skip
    across = _beside(figure, width, 2)
    side = {1: 360 if width >= WIDE else 250, 2: 215}[across]
    made = alt.layer(made, *_hatched_plot(figure)) if _hatched_plot(figure) else made
    return _by_judge(figure, side, across, made.properties(width=side, height=side))


KINDS = {"dots": _dots, "stack": _stack, "matrix": _matrix, "plane": _plane, "reliability": _reliability, "heat": _heat}
