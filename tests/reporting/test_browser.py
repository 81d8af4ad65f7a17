"""The page in Chromium: it draws again, is narrowed, taken, sent as a link, and its numbers stay those of Python."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from grice.core.estimate import Estimate, mean
from grice.profiling.sheets import AnswerSheet
from grice.reporting.model import Figure, Number, Profile
from tests.collecting.chromium import NEEDS_CHROMIUM
from tests.reporting.conftest import reading, settled

pytestmark = NEEDS_CHROMIUM
Made = tuple[Profile, list[AnswerSheet]]
CELLS = "cells => cells.map(c => [Number(c.dataset.number), c.textContent])"
# What a filter of the page is in Python.
FILTERS = {
    "tag.phenomenon=quantifiers": pl.col("tag.phenomenon") == "quantifiers",
    "tag.phenomenon=quantifiers&tag.phenomenon=modals": pl.col("tag.phenomenon").is_in(["quantifiers", "modals"]),
    "gold.logical=neutral": pl.col("gold.logical") == "neutral",
    "search=not": pl.col("premise").str.to_lowercase().str.contains("not")
    | pl.col("hypothesis").str.to_lowercase().str.contains("not")
    | pl.col("id").str.contains("not"),
}
RECOMPUTED = ("overview-implicature", "implicature-readings", "implicature-cells", "implicature-conditions")


def marks(tab: Any, figure: str) -> int:
    """How many linked marks the visible drawing of a figure has."""
    visible = f"[...document.querySelectorAll('#{figure} .drawing > div')].find(d => d.offsetParent)"
    return int(tab.evaluate(f"{visible}.querySelectorAll('.to').length"))


def near(tab: Any, figure: str) -> None:
    """Scrolls to a figure, so that it is drawn as it should be."""
    tab.evaluate(f"document.getElementById('{figure}').scrollIntoView()")


@pytest.mark.parametrize(("width", "theme"), [(1280, "light"), (390, "dark")])
def test_a_figure_drawn_again_has_the_marks_of_the_first(folder: Path, browser: Any, width: int, theme: str) -> None:
    with reading(browser, folder / "index.html", width=width, color_scheme=theme) as tab:
        figure = tab.evaluate("document.querySelector('figure[data-kind=dots]').id")
        first = marks(tab, figure)
        settled(tab, lambda: tab.evaluate(f"location.hash = '#{figure}?v.sort.{figure}=value'"))
        tab.wait_for_selector(f"#{figure}[data-drawn=again]")
        assert marks(tab, figure) == first > 0
        shown = tab.inner_html(f"#{figure} .drawing > .{'narrow' if width < 700 else 'wide'}")
        assert "var(--ink)" in shown and "<title>" in shown and 'role="img"' in shown
        settled(tab, lambda: tab.evaluate(f"location.hash = '#{figure}'"))
        tab.wait_for_selector(f"#{figure}[data-drawn=first]")


def test_nothing_is_unpacked_before_it_is_needed(folder: Path, browser: Any) -> None:
    with reading(browser, folder / "index.html") as tab:
        assert tab.evaluate("typeof griceDraw") == "undefined"


def by_python(figure: Figure, number: Number, frame: pl.DataFrame) -> Estimate | None:
    """A number of a figure on some of the items, by the formulas of the package."""
    rows = frame.filter(pl.col("judge") == number.judge, pl.col("answer").is_not_null())
    for name, value in number.query.where.items():
        rows = rows.filter(pl.col(name) == value)
    right = {
        reading: (rows["answer"] == rows[f"gold.{reading}"]).cast(pl.Float64) for reading in ("logical", "pragmatic")
    }
    if figure.kind == "matrix":
        return mean(right["pragmatic"] - right["logical"], rows["group"])
    neither = 1 - right["logical"] - right["pragmatic"]
    return mean({**right, "neither": neither}[number.series], rows["group"])


@pytest.mark.parametrize("asked", FILTERS)
def test_numbers_after_a_filter_are_those_of_python(made: Made, folder: Path, browser: Any, asked: str) -> None:
    profile, parts = made
    frame = parts[0].frame.filter(FILTERS[asked])
    checked = 0
    with reading(browser, folder / "index.html", f"#items?{asked}") as tab:
        for figure in (figure for figure in profile.figures if figure.id in RECOMPUTED):
            near(tab, figure.id)
            tab.wait_for_selector(f"#{figure.id}[data-drawn=again]")
            for at, text in tab.eval_on_selector_all(f"#{figure.id} td[data-number]", CELLS):
                wanted = by_python(figure, figure.numbers[at], frame)
                if wanted is None:
                    assert text == "–"
                    continue
                first = figure.numbers[at].estimate
                ends = (
                    ""
                    if wanted.low is None or not first or first.low is None
                    else f"{wanted.low:.2f}–{wanted.high:.2f} "
                )
                told = f"{wanted.value:.2f} {ends}n={wanted.n:,}, {wanted.paradigms:,} paradigms"
                assert re.sub(r"-0\.00", "0.00", text) == re.sub(r"-0\.00", "0.00", told), (figure.id, at)
                checked += 1
    assert checked >= 12


def test_what_cannot_be_recomputed_is_dimmed_and_says_so(folder: Path, browser: Any) -> None:
    with reading(browser, folder / "index.html", "#items?tag.phenomenon=quantifiers") as tab:
        near(tab, "veridicality-plane")
        tab.wait_for_selector("#veridicality-plane.dim")
        assert "Of all items" in tab.inner_text("#veridicality-plane .chosen")
        settled(tab, lambda: tab.click("#linked button"))
        near(tab, "veridicality-plane")
        tab.wait_for_selector("#veridicality-plane[data-drawn=first]:not(.dim)")
        assert tab.is_hidden("#linked")
