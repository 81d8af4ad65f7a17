"""Profile folder: the page, the numbers, the tables, the charts."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import polars as pl

from grice.core.dataset import Dataset
from grice.core.errors import InputError
from grice.core.files import write_atomically
from grice.reporting.chart import NARROW, WIDE, draw, spec, svg
from grice.reporting.evidence import Spec, pack, pack_figures
from grice.reporting.figures import slim
from grice.reporting.model import Figure, Profile
from grice.reporting.page import page
from grice.reporting.portraits import SLIDE
from grice.reporting.svg import inline, pdf, png, remove_links
from grice.tables.charts import chart_page, check_chart, fit_slide

STAMP = "stamp.txt"
TABLES = ("csv", "md", "tex")
# Packed items longer than this are a file of their own, which the page loads when they are opened.
ITEMS, MAX_INSIDE = "items.js", 1_000_000


def write_folder(
    profile: Profile,
    parts: Sequence[tuple[Dataset, pl.DataFrame]],
    out: Path,
    *,
    stamp: str,
    images: bool = False,
    links: Sequence[tuple[str, str]] = (),
) -> None:
    """Write all files; the stamp comes last, so that a folder with a stamp is complete.

    `links` lead from the page to other pages.
    """
    (out / STAMP).unlink(missing_ok=True)
    (out / "index.pdf").unlink(missing_ok=True)
    specs = [(figure, spec(figure, WIDE), spec(figure, NARROW)) for figure in profile.figures]
    source = _source(profile) if images else ""
    charts = {
        figure_specs[0].id: _draw(*figure_specs, out, source, profile.items)
        for figure_specs in specs
    }
    evidence = pack(parts) if profile.items else ""
    beside = ITEMS if len(evidence) > MAX_INSIDE else ""
    (out / ITEMS).unlink(missing_ok=True)
    if beside:
        _text(out / beside, f'globalThis.gricePacked = "{evidence}";\n')
        evidence = ""
    figures = pack_figures(specs, charts)
    _text(out / "index.html", page(profile, charts, evidence, figures, links, beside=beside))
    profile.write(out)
    for figure in profile.figures:
        for kind in TABLES:
            _text(out / "tables" / f"{figure.id}.{kind}", figure.table.render(kind) + "\n")
    _text(out / STAMP, stamp)


def write_chart(profile: Profile, path: Path) -> None:
    """Draw the first figure of a profile into a file: svg, pdf, png or html.

    A name such as `x.slide.png` gives a 16:9 slide.
    """
    kind, figure = check_chart(path), next(iter(profile.figures), None)
    if figure is None:
        raise InputError(f"{path}: there is no number to draw; see the page for why")
    if kind == "html":
        _text(path, chart_page(spec(figure)))
        return
    slide = path.stem.endswith(".slide")
    wide = SLIDE if slide and figure.kind == "fingerprint" else WIDE
    drawn = remove_links(svg(figure, wide, source=_source(profile)))
    drawn = fit_slide(drawn) if slide else drawn
    _bytes(path, drawn.encode() if kind == "svg" else pdf(drawn) if kind == "pdf" else png(drawn))


def _source(profile: Profile) -> str:
    """Return the source line of a chart in a file: the judges and the data."""
    judges = ", ".join(profile.judges[:6]) + (" and others" if len(profile.judges) > 6 else "")
    return f"{judges} · {profile.basis.partition('. ')[0]} · grice"


def _draw(
    figure: Figure, wide_spec: Spec, narrow_spec: Spec, out: Path, source: str, items: bool
) -> tuple[str, str]:
    """Draw the chart for page and phone, linked if there are items.

    With `source`, also write chart files that name it.
    """
    wide = draw(wide_spec)
    if source:
        alone = remove_links(svg(figure, source=source))
        _text(out / "charts" / f"{figure.id}.svg", alone)
        _text(out / "charts" / f"{figure.id}.vl.json", json.dumps(wide_spec, indent=1) + "\n")
        _bytes(out / "charts" / f"{figure.id}.png", png(alone))
        _bytes(out / "charts" / f"{figure.id}.pdf", pdf(alone))
        if figure.kind == "fingerprint":
            sheet = fit_slide(remove_links(svg(figure, SLIDE, source=source)))
            _bytes(out / "charts" / f"{figure.id}.slide.png", png(sheet, 1.2))
    both = (wide, draw(narrow_spec))
    wide, narrow = both if items else map(remove_links, both)
    return slim(inline(wide, figure.finding), figure), slim(inline(narrow, figure.finding), figure)


def _text(path: Path, text: str) -> None:
    with write_atomically(path) as out:
        out.write(text)


def _bytes(path: Path, raw: bytes) -> None:
    with write_atomically(path, binary=True) as out:
        out.write(raw)
