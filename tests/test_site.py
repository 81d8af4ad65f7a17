"""The site builds offline without a warning, and no link on it is dead."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

pytest.importorskip("sphinx", reason="needs the extra 'docs'")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from tools.site.__main__ import build

    folder = tmp_path_factory.mktemp("site")
    build(folder)
    return folder


@pytest.mark.slow
def test_every_link_on_the_site_leads_somewhere(site: Path) -> None:
    dead = []
    for page in site.rglob("*.html"):
        text = re.sub(
            r"<script\b.*?</script>", "", page.read_text(encoding="utf-8"), flags=re.DOTALL
        )
        for found in re.findall(r'(?:href|src)="([^"]+)"', text):
            parts = urlsplit(unescape(found))
            if parts.scheme or parts.netloc or not (parts.path or parts.fragment):
                continue
            target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
            if not target.exists():
                dead.append(f"{page.relative_to(site)}: {found}")
            elif (
                parts.fragment
                and target.suffix == ".html"
                and "_static" not in parts.path
                and "example" not in str(target)
            ):
                name = re.escape(unquote(parts.fragment))
                if not re.search(rf'id="{name}"', target.read_text(encoding="utf-8")):
                    dead.append(f"{page.relative_to(site)}: {found}")
    assert not dead, dead[:10]


@pytest.mark.slow
def test_the_site_asks_nothing_of_the_network(site: Path) -> None:
    loaded = [
        f"{page.name}: {found}"
        for page in site.rglob("*.html")
        for found in re.findall(
            r'<(?:script|link|img|iframe)\b[^>]*(?:src|href)="(https?:[^"]+)"',
            page.read_text(encoding="utf-8"),
        )
    ]
    assert not loaded, loaded[:5]
