"""Charts of results: points with intervals, as SVG, PDF, PNG, or an offline page."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Sequence
from hashlib import sha256
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from grice.core.errors import InputError, MissingExtra
from grice.core.files import CONTROL

CHARTS = ("svg", "pdf", "png", "html")
# Size of a slide in pixels.
SHEET = (1600, 900)
# The colour-blind safe palette of Okabe & Ito; shapes repeat the distinction.
COLOURS = ("#0072b2", "#d55e00", "#00875f", "#b0568a", "#3b9bd1", "#b98a00")
SHAPES = ("circle", "square", "triangle-up", "diamond", "triangle-down", "cross")


def check_images() -> None:
    """Raise `MissingExtra` if charts cannot be drawn into files."""
    if not can_draw():
        raise MissingExtra("a chart in a file", "images")


def can_draw() -> bool:
    """Return whether the packages are installed that draw charts into files."""
    return all(map(find_spec, ("altair", "vl_convert")))


def draw_svg(specification: dict[str, Any]) -> str:
    """Return a Vega-Lite specification as SVG.

    Control characters in names are replaced: they would crash the converter and the process. Vega
    reads the text "if" in an expression as a signal; an invisible character keeps it a text.
    """

    def plain(value: Any) -> Any:
        if isinstance(value, dict):
            return {plain(key): plain(element) for key, element in value.items()}
        if isinstance(value, str):
            return CONTROL.sub("\ufffd", value) if value != "if" else "if\u200b"
        return [plain(element) for element in value] if isinstance(value, list | tuple) else value

    return str(import_module("vl_convert").vegalite_to_svg(plain(specification)))


def chart_page(specification: dict[str, Any]) -> str:
    """Return a Vega-Lite specification as an offline page that runs only its own two scripts.

    `<` is escaped so that no text of the data can end its script; in addition, the page's policy
    allows only scripts with known checksums. Vega compiles its expressions to functions; they are
    all written here.
    """
    drawing = json.dumps(specification).replace("<", "\\u003c")
    scripts = (
        import_module("vl_convert").javascript_bundle(),
        f'vegaEmbed("#vis", {drawing}, {{mode: "vega-lite"}});',
    )
    sums = " ".join(
        f"'sha256-{b64encode(sha256(script.encode()).digest()).decode()}'" for script in scripts
    )
    elements = "".join(f"<script>{script}</script>" for script in scripts)
    policy = (
        f"default-src 'none'; script-src {sums} 'unsafe-eval'; style-src 'unsafe-inline'; img-src"
        " data:; base-uri 'none'; form-action 'none'"
    )
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}"><link rel="icon"'
        ' href="data:,"><title>Chart</title></head>'
        f'<body><div id="vis"></div>{elements}</body></html>\n'
    )


def fit_slide(drawn: str) -> str:
    """Return an SVG drawing scaled to fit a white 16:9 slide."""
    wide, high = SHEET
    position = f'x="40" y="30" width="{wide - 80}" height="{high - 60}"'
    inner = re.sub(r'width="[\d.]+" height="[\d.]+"', position, drawn, count=1)
    dimensions = f'width="{wide}" height="{high}" viewBox="0 0 {wide} {high}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {dimensions}><rect width="100%" height="100%"'
        f' fill="#ffffff"/>{inner}</svg>'
    )


def check_chart(path: Path | None) -> str:
    """Return the format of a chart's file; refuse one that cannot be drawn.

    It is checked before anything is computed.

    Raises:
        MissingExtra: The packages that draw it are not installed.
    """
    kind = path.suffix.removeprefix(".").lower() if path else ""
    if path and kind not in CHARTS:
        raise InputError(f"{path}: unknown chart format; end the name in .{', .'.join(CHARTS)}")
    if path:
        check_images()
    return kind


def plot_points(title: str, points: Sequence[dict[str, Any]]) -> Any:
    """Return points with intervals as an Altair chart, a colour and a shape for each series."""
    import altair as alt

    drawn = [point for point in points if point["value"] is not None]
    series = list(dict.fromkeys(point["series"] for point in drawn))
    ends = [point[key] for point in drawn for key in ("value", "low", "high")]
    is_share = all(end is None or 0 <= end <= 1 for end in ends)
    scale = alt.Scale(domain=[0, 1]) if is_share else alt.Scale(zero=False)
    colours = [COLOURS[i % len(COLOURS)] for i in range(len(series))]
    shapes = [SHAPES[i % len(SHAPES)] for i in range(len(series))]
    legend = alt.Legend(title=None, orient="top") if len(series) > 1 else None
    base = alt.Chart(alt.InlineData(values=drawn)).encode(
        y=alt.Y("row:N", sort=None, title=None),
        color=alt.Color("series:N", scale=alt.Scale(domain=series, range=colours), legend=legend),
        tooltip=["row:N", "series:N", "value:Q", "low:Q", "high:Q", "n:Q"],
    )
    if len(series) > 1:
        base = base.encode(yOffset=alt.YOffset("series:N", sort=series))
    across = alt.X("value:Q", scale=scale, title=None)
    lines = base.mark_rule(strokeWidth=2).encode(
        x=alt.X("low:Q", scale=scale, title=None), x2="high:Q"
    )
    marks = base.mark_point(filled=True, size=60, opacity=1).encode(
        x=across,
        shape=alt.Shape("series:N", scale=alt.Scale(domain=series, range=shapes), legend=legend),
    )
    return (lines + marks).properties(title=title, width=420)
