"""A chart's page runs its own two scripts, whatever the names and tags in it say."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from grice.core.estimate import Estimate
from grice.reporting.folder import write_chart
from grice.tables.charts import chart_page
from grice.tables.table import Table
from tests.collecting.chromium import NEEDS_CHROMIUM
from tests.hostile.strings import HTML, RAN, hostile_profile


@pytest.fixture
def pages(tmp_path: Path) -> list[Path]:
    table = Table(HTML, (HTML,), ((HTML,),), (HTML,), {((HTML,), HTML): Estimate(0.5, 4)})
    table.write_chart(tmp_path / "table.html")
    write_chart(hostile_profile(), tmp_path / "profile.html")
    return [tmp_path / "table.html", tmp_path / "profile.html"]


def test_no_text_of_the_data_ends_a_script(pages: list[Path]) -> None:
    for page in pages:
        text = page.read_text(encoding="utf-8")
        drawing = text.rpartition("<script>")[2].partition("</script>")[0]
        assert text.count("</script>") == 2 and "window.ran" in drawing and "<" not in drawing
        (scripts,) = re.findall(r"script-src ([^;]*);", text)
        assert "'unsafe-inline'" not in scripts and scripts.count("'sha256-") == 2


@NEEDS_CHROMIUM[0]
@NEEDS_CHROMIUM[1]
def test_a_chart_is_drawn_and_nothing_else_runs(pages: list[Path], browser: Any) -> None:
    for page in pages:
        tab = browser.new_page()
        asked: list[str] = []
        tab.on("request", lambda request, asked=asked: asked.append(request.url))
        tab.goto(page.as_uri())
        tab.wait_for_selector("#vis svg.marks")
        assert not tab.evaluate(RAN) and tab.title() == "Chart"
        assert all(url.startswith(("file:", "data:")) for url in asked), asked


@NEEDS_CHROMIUM[0]
@NEEDS_CHROMIUM[1]
def test_the_policy_stops_a_script_that_got_in(tmp_path: Path, browser: Any) -> None:
    bad = "<script>window.ran = 1</script><img src=x onerror='window.ran = 1'>"
    drawing = {
        "mark": "bar",
        "data": {"values": [{"a": 1}]},
        "encoding": {"x": {"field": "a", "type": "quantitative"}},
    }
    (tmp_path / "x.html").write_text(
        chart_page(drawing).removesuffix("</html>\n") + bad, encoding="utf-8"
    )
    tab = browser.new_page()
    tab.goto((tmp_path / "x.html").as_uri())
    tab.wait_for_selector("#vis svg.marks")
    assert not tab.evaluate(RAN)
