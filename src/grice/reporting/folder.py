"""Profile folder: the page, the numbers, the tables, the charts."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import polars as pl

from grice.core.dataset import Dataset
from grice.core.errors import InputError
from grice.core.files import write_atomically
from grice.reporting.chart import WIDE, spec, svg
from grice.reporting.evidence import pack, pack_figures
from grice.reporting.model import STAMP, Profile
from grice.reporting.page import page
from grice.reporting.portraits import SLIDE
from grice.reporting.svg import pdf, png
from grice.tables.charts import chart_page, check_chart, fit_slide

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
    if images:
        _write_images(profile, out / "charts")
    evidence = pack(parts) if profile.items else ""
    beside = ITEMS if len(evidence) > MAX_INSIDE else ""
    (out / ITEMS).unlink(missing_ok=True)
    if beside:
        _write(out / beside, f'globalThis.gricePacked = "{evidence}";\n')
        evidence = ""
    figures = pack_figures(profile.figures)
    _write(out / "index.html", page(profile, evidence, figures, links, beside=beside))
    profile.write(out)
    for figure in profile.figures:
        for kind in TABLES:
            _write(out / "tables" / f"{figure.id}.{kind}", figure.table.render(kind) + "\n")
    _write(out / STAMP, stamp)


def write_chart(profile: Profile, path: Path) -> None:
    """Draw the first figure of a profile into a file: svg, pdf, png or html.

    A name such as `x.slide.png` gives a 16:9 slide.
    """
    kind, figure = check_chart(path), next(iter(profile.figures), None)
    if figure is None:
        raise InputError(f"{path}: there is no number to draw; see the page for why")
    if kind == "html":
        _write(path, chart_page(spec(figure)))
        return
    slide = path.stem.endswith(".slide")
    wide = SLIDE if slide and figure.kind == "fingerprint" else WIDE
    drawn = svg(figure, wide, source=_source(profile))
    drawn = fit_slide(drawn) if slide else drawn
    _write(path, drawn if kind == "svg" else pdf(drawn) if kind == "pdf" else png(drawn))


def _source(profile: Profile) -> str:
    """Return the source line of a chart in a file: the judges and the data."""
    judges = ", ".join(profile.judges[:6]) + (" and others" if len(profile.judges) > 6 else "")
    return f"{judges} · {profile.basis.partition('. ')[0]} · grice"


def _write_images(profile: Profile, folder: Path) -> None:
    """Write each chart as SVG, PNG, PDF and Vega-Lite, with title, finding and source in it."""
    source = _source(profile)
    for figure in profile.figures:
        drawn = svg(figure, source=source)
        _write(folder / f"{figure.id}.svg", drawn)
        _write(folder / f"{figure.id}.vl.json", json.dumps(spec(figure), indent=1) + "\n")
        _write(folder / f"{figure.id}.png", png(drawn))
        _write(folder / f"{figure.id}.pdf", pdf(drawn))
        if figure.kind == "fingerprint":
            slide = fit_slide(svg(figure, SLIDE, source=source))
            _write(folder / f"{figure.id}.slide.png", png(slide, 1.2))


def _write(path: Path, content: str | bytes) -> None:
    with write_atomically(path, binary=True) as out:
        out.write(content.encode() if isinstance(content, str) else content)
