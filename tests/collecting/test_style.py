"""People's pages have the colours of the pages about models."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path

from grice.collecting.preview import preview
from tests.collecting.hand import campaign, items

COLOUR = re.compile(r"(--[\w-]+): (#[0-9a-f]{6})")


def test_shared_colours_equal_those_of_the_report_page() -> None:
    style = (files("grice.core") / "style" / "design.css").read_text(encoding="utf-8")
    page = (files("grice.reporting") / "assets" / "page.css").read_text(encoding="utf-8")
    for part, block in zip(("light", "dark"), style.split("@media"), strict=True):
        ours = dict(COLOUR.findall(block))
        theirs = dict(COLOUR.findall(page.split(f"color-scheme: {part}")[0].split("}")[-1]))
        assert ours
        assert ours == {name: theirs.get(name) for name in ours}, part


def test_preview_has_every_style_that_its_pages_name(tmp_path: Path) -> None:
    preview(campaign(tmp_path), items(1), tmp_path / "pages")
    for name in re.findall(r'href="([^"]*\.css)"', (tmp_path / "pages/1_consent.html").read_text()):
        assert (tmp_path / "pages" / name).stat().st_size
