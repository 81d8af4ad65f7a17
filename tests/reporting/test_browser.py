"""The page in Chromium: it draws again, is narrowed, taken, sent as a link, and its numbers stay
those of Python.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from grice.core.dataset import Dataset
from grice.core.estimate import Estimate, mean
from grice.core.item import Item
from grice.core.judgement import Judgement
from grice.core.scale import NLI
from grice.profiling.build import build
from grice.profiling.sheets import AnswerSheet
from grice.reporting.folder import write_folder
from grice.reporting.model import Figure, Number, Profile
from grice.storage.run import Run
from tests.collecting.chromium import NEEDS_CHROMIUM, violations
from tests.profiling.judges import logical, pragmatic, run, suite
from tests.reporting.conftest import reading, settled

pytestmark = NEEDS_CHROMIUM
Made = tuple[Profile, list[AnswerSheet]]
CELLS = "cells => cells.map(c => [Number(c.dataset.number), c.textContent])"
# What a filter of the page is in Python.
FILTERS = {
    "tag.phenomenon=quantifiers": pl.col("tag.phenomenon") == "quantifiers",
    "tag.phenomenon=quantifiers&tag.phenomenon=modals": (
        pl.col("tag.phenomenon").is_in(["quantifiers", "modals"])
    ),
    "gold.logical=neutral": pl.col("gold.logical") == "neutral",
    "search=not": (
        pl.col("premise").str.to_lowercase().str.contains("not")
        | pl.col("hypothesis").str.to_lowercase().str.contains("not")
        | pl.col("id").str.contains("not")
    ),
}
RECOMPUTED = ("implicature-readings", "implicature-cells", "implicature-conditions")


def figure_of(profile: Profile, name: str) -> Figure:
    return next(figure for figure in profile.figures if figure.id == name)


def marks(tab: Any, figure: str) -> int:
    """How many linked marks the visible drawing of a figure has."""
    return int(tab.locator(f"#{figure} .drawing .to").count())


def near(tab: Any, figure: str) -> None:
    """Scrolls to a figure, so that it is drawn as it should be."""
    tab.evaluate(
        f"document.getElementById('{figure}').scrollIntoView({{behavior: 'instant', block:"
        " 'center'})"
    )
    if figure != "items":
        tab.wait_for_selector(f"#{figure}[data-drawn]")


@pytest.mark.parametrize(("width", "theme"), [(1280, "light"), (390, "dark")])
def test_a_figure_drawn_again_has_the_marks_of_the_first(
    folder: Path, browser: Any, width: int, theme: str
) -> None:
    with reading(browser, folder / "index.html", width=width, color_scheme=theme) as tab:
        figure = tab.evaluate("document.querySelector('figure[data-kind=dots]').id")
        near(tab, figure)
        first = marks(tab, figure)
        settled(tab, lambda: tab.evaluate(f"location.hash = '#{figure}?v.sort.{figure}=value'"))
        tab.wait_for_selector(f"#{figure}[data-drawn=again]")
        assert marks(tab, figure) == first > 0
        shown = tab.inner_html(f"#{figure} .drawing")
        assert "var(--ink)" in shown and "<title>" in shown and 'role="img"' in shown
        settled(tab, lambda: tab.evaluate(f"location.hash = '#{figure}'"))
        tab.wait_for_selector(f"#{figure}[data-drawn=first]")


def test_items_are_not_unpacked_and_closed_charts_not_drawn_before_they_are_needed(
    folder: Path, browser: Any
) -> None:
    with reading(browser, folder / "index.html") as tab:
        tab.evaluate("document.querySelectorAll('details.more').forEach(d => d.open = false)")
        tab.reload()
        tab.wait_for_selector("html[data-drawn=all]", state="attached")
        assert tab.text_content("#count") == "Not opened yet."
        assert tab.locator("details.more figure[data-drawn]").count() == 0
        assert tab.locator(".chapter-body figure:not([data-drawn])").count() == 0


def by_python(figure: Figure, number: Number, frame: pl.DataFrame) -> Estimate | None:
    """A number of a figure on some of the items, by the formulas of the package."""
    rows = frame.filter(pl.col("judge") == number.judge, pl.col("answer").is_not_null())
    for name, value in number.query.where.items():
        rows = rows.filter(pl.col(name) == value)
    right = {
        reading: (rows["answer"] == rows[f"gold.{reading}"]).cast(pl.Float64)
        for reading in ("logical", "pragmatic")
    }
    if figure.kind == "matrix":
        return mean(right["pragmatic"] - right["logical"], rows["group"])
    neither = 1 - right["logical"] - right["pragmatic"]
    return mean({**right, "neither": neither}[number.series], rows["group"])


@pytest.mark.parametrize("asked", FILTERS)
def test_numbers_after_a_filter_are_those_of_python(
    made: Made, folder: Path, browser: Any, asked: str
) -> None:
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
                assert re.sub(r"-0\.00", "0.00", text) == re.sub(r"-0\.00", "0.00", told), (
                    figure.id,
                    at,
                )
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


def opened_file(tab: Any, figure: str, kind: str) -> Path:
    """A figure taken as a file of a kind."""
    if not tab.evaluate(f"document.querySelector('#{figure} .take').open"):
        tab.click(f"#{figure} .take > summary")
    with tab.expect_download() as waiting:
        tab.click(f"#{figure} .take button[value={kind}]")
    return Path(waiting.value.path())


def test_every_figure_can_be_taken_with_title_n_and_source_inside(
    made: Made, folder: Path, browser: Any
) -> None:
    figure = figure_of(made[0], "implicature-readings")
    with reading(browser, folder / "index.html", accept_downloads=True) as tab:
        near(tab, figure.id)
        drawn = opened_file(tab, figure.id, "svg").read_text(encoding="utf-8")
        told = " ".join(re.findall(r"<text[^>]*>([^<]*)</text>", drawn))
        assert (
            figure.title in told and "n = " in told and "suite (" in told and "var(--" not in drawn
        )
        assert all(row in told for row in figure.rows)
        picture = opened_file(tab, figure.id, "png").read_bytes()
        assert picture.startswith(b"\x89PNG")
        slide = opened_file(tab, figure.id, "slide-png").read_bytes()
        width, height = (int.from_bytes(slide[at : at + 4], "big") for at in (16, 20))
        assert (width, height) == (1920, 1080)
        assert opened_file(tab, figure.id, "csv").read_text(
            encoding="utf-8"
        ) == figure.table.render("csv")
        assert "\\toprule" in opened_file(tab, figure.id, "tex").read_text(encoding="utf-8")
        assert opened_file(tab, figure.id, "md").read_text(encoding="utf-8").count("|") > 8
        chart = json.loads(opened_file(tab, figure.id, "json").read_text(encoding="utf-8"))
        assert "vega-lite" in chart["$schema"] and chart["datasets"]["rows"]


def test_numbers_of_chosen_items_are_taken_as_they_are_shown(
    made: Made, folder: Path, browser: Any
) -> None:
    figure = next(one for one in made[0].figures if one.id == "implicature-readings")
    frame = made[1][0].frame.filter(pl.col("tag.phenomenon") == "modals")
    asked = f"#{figure.id}?tag.phenomenon=modals"
    with reading(browser, folder / "index.html", asked, accept_downloads=True) as tab:
        tab.wait_for_selector(f"#{figure.id}[data-drawn=again]")
        rows = opened_file(tab, figure.id, "csv").read_text(encoding="utf-8").splitlines()
        assert rows[0] == "row,series,judge,value,low,high,n"
        found = {
            tuple(row.split(",")[:3]): [float(cell) for cell in row.split(",")[3:]]
            for row in rows[1:]
        }
        assert {key[0] for key in found} == {"modals"} and len(found) == 9
        for number in figure.numbers:
            if number.row == "modals":
                wanted = by_python(figure, number, frame)
                assert wanted is not None
                told = found[number.row, number.series, number.judge]
                assert told == pytest.approx([wanted.value, wanted.low, wanted.high, wanted.n])


def test_a_judge_is_hidden_renamed_and_made_the_reference_everywhere(
    folder: Path, browser: Any
) -> None:
    figure = "implicature-readings"
    with reading(browser, folder / "index.html") as tab:
        near(tab, figure)
        before = marks(tab, figure)
        settled(tab, lambda: tab.click("#judges .who >> text=three"))
        tab.wait_for_selector(f"#{figure}[data-drawn=again]")
        assert 0 < marks(tab, figure) < before and "v.hide=three" in tab.url
        assert tab.evaluate(
            "[...document.querySelectorAll('[data-judge=three]')].every(c => !c.offsetParent)"
        )
        tab.click("#judges summary")
        tab.fill("#judges input[type=text] >> nth=1", "second")
        settled(tab, lambda: tab.press("#judges input[type=text] >> nth=1", "Enter"))
        tab.check("#judges input[type=radio] >> nth=1")
        tab.wait_for_selector("#judges .who .ref")
        assert "v.ref=two" in tab.url
        near(tab, "implicature-readings")
        tab.wait_for_selector("#implicature-readings[data-drawn=again]")
        told = tab.text_content("#implicature-readings .drawing")
        assert (
            "second" in told and "two <b>" not in told and told.index("second") < told.index("one")
        )
        near(tab, "items")
        tab.wait_for_selector("#list .item")
        assert tab.text_content("#list .item .who >> nth=0") == "second"
        address = tab.url.partition("#")[2]
    with reading(browser, folder / "index.html", "#" + address) as tab:
        near(tab, "items")
        tab.wait_for_selector("#list .item")
        assert tab.locator("#list .item >> nth=0").locator(".who").all_text_contents() == [
            "second",
            "one",
        ]


def test_the_address_holds_filters_page_and_theme_and_back_goes_back(
    folder: Path, browser: Any
) -> None:
    with reading(browser, folder / "index.html", color_scheme="light") as tab:
        settled(tab, lambda: tab.click("#theme"))
        assert "v.theme=dark" in tab.url and tab.get_attribute("html", "data-theme") == "dark"
        near(tab, "items")
        tab.wait_for_selector("#list .item")
        settled(tab, lambda: tab.select_option("#filters label:has-text('Show') select", "wrong"))
        settled(
            tab, lambda: tab.select_option("#filters label:has-text('Answers of') select", "three")
        )
        settled(tab, lambda: tab.click("#pages button:last-child"))
        told, first = tab.text_content("#count"), tab.text_content("#list .item p")
        assert "only=wrong" in tab.url and "page=2" in tab.url
        tab.reload()
        tab.wait_for_selector("#list .item")
        assert tab.text_content("#count") == told and tab.text_content("#list .item p") == first
        assert tab.get_attribute("html", "data-theme") == "dark"
        settled(tab, lambda: tab.go_back())
        assert "page=2" not in tab.url and tab.text_content("#count") == told


def test_a_click_opens_a_marks_items_and_a_stretch_those_of_several(
    made: Made, folder: Path, browser: Any
) -> None:
    figure = figure_of(made[0], "implicature-controls")
    with reading(browser, folder / "index.html") as tab:
        near(tab, figure.id)
        settled(tab, lambda: tab.locator(f"#{figure.id} .drawing .to").first.click())
        tab.wait_for_selector("#list .item")
        wanted = figure.numbers[0].estimate
        assert wanted is not None and tab.text_content("#count").startswith(f"{wanted.n:,} of ")
        assert f"from={figure.id}" in tab.url
        settled(tab, lambda: tab.go_back())
    with reading(browser, folder / "index.html") as tab:
        near(tab, figure.id)
        box = tab.locator(f"#{figure.id} .drawing svg").bounding_box()
        middle = box["y"] + box["height"] / 2
        tab.mouse.move(box["x"] + 2, middle)
        tab.mouse.down()
        tab.mouse.move(box["x"] + box["width"] / 2, middle, steps=4)
        tab.mouse.move(box["x"] + box["width"] - 1, middle)
        settled(tab, tab.mouse.up)
        assert len(re.findall(r"tag\.phenomenon=", tab.url)) == len(figure.rows)
        tab.wait_for_selector("#linked:not([hidden])")


def test_a_filter_that_finds_nothing_says_so_and_leads_out(folder: Path, browser: Any) -> None:
    with reading(
        browser, folder / "index.html", "#items?tag.phenomenon=quantifiers&search=zzz"
    ) as tab:
        tab.wait_for_selector("#list .empty")
        assert tab.text_content("#count").startswith("0 of ")
        settled(tab, lambda: tab.click("#list .empty button"))
        tab.wait_for_selector("#list .item")
    with reading(browser, folder / "index.html", "#items?data=9") as tab:
        tab.wait_for_selector("#list button")
        assert "no set of items number 9" in tab.text_content("#count")
        settled(tab, lambda: tab.click("#list button"))
        tab.wait_for_selector("#list .item")


@pytest.mark.parametrize(
    ("asked", "kept"),
    [
        ("judge=three&given=entailment", None),
        ("judge=one&given=neutral", lambda rows: rows["answer"] == "neutral"),
        ("judge=one&sure=0.9-1", None),
        ("judge=one&sure=0-0.5", lambda rows: rows["answer"] == "nothing"),
    ],
)
def test_items_are_chosen_by_answer_and_by_how_sure_a_judge_is(
    made: Made, folder: Path, browser: Any, asked: str, kept: Any
) -> None:
    judge = asked.partition("&")[0].removeprefix("judge=")
    rows = made[1][0].frame.filter(pl.col("judge") == judge)
    wanted = rows.height if kept is None else rows.filter(kept(rows)).height
    with reading(browser, folder / "index.html", f"#items?{asked}") as tab:
        tab.wait_for_selector("#list > *")
        assert tab.text_content("#count").startswith(f"{wanted:,} of ")


def test_items_on_which_judges_disagree_are_found(made: Made, folder: Path, browser: Any) -> None:
    answers = made[1][0].frame.group_by("id").agg(pl.col("answer").drop_nulls().n_unique())
    with reading(browser, folder / "index.html", "#items?differ=*") as tab:
        tab.wait_for_selector("#list .item")
        wanted = answers.filter(pl.col("answer") > 1).height
        assert tab.text_content("#count").startswith(f"{wanted:,} of ")


def test_a_paradigm_is_a_grid_of_conditions_and_judges(folder: Path, browser: Any) -> None:
    with reading(
        browser, folder / "index.html", "#items?tag.phenomenon=quantifiers&order=data&blocks=1"
    ) as tab:
        tab.wait_for_selector("table.paradigm")
        head = tab.locator("table.paradigm >> nth=0").locator("thead th").all_text_contents()
        assert head[:3] == ["role", "condition", "pair"] and head[-3:] == [
            "one",
            "two <b>",
            "three",
        ]
        cells = (
            tab.locator("table.paradigm >> nth=0")
            .locator("tbody tr:first-child td")
            .all_text_contents()
        )
        assert cells[-1].startswith("E") and cells[0] in ("control", "target")
        assert tab.locator("table.paradigm .probs").count() > 0
        settled(tab, lambda: tab.click(".like >> nth=0"))
        assert "tag.phenomenon=quantifiers" in tab.url and "tag.condition=" in tab.url


@pytest.mark.parametrize(("width", "theme"), [(1280, "light"), (390, "dark")])
def test_axe_finds_nothing_serious_and_nothing_is_wider_than_the_page(
    folder: Path, browser: Any, width: int, theme: str
) -> None:
    pytest.importorskip("axe_core_python", reason="needs axe-core-python")
    from tests.collecting.chromium import violations

    # The audit's own script is put into the page, which the page itself forbids.
    with reading(
        browser, folder / "index.html", width=width, color_scheme=theme, bypass_csp=True
    ) as tab:
        near(tab, "items")
        tab.wait_for_selector("#list .item")
        settled(tab, lambda: tab.evaluate("location.hash = '#items?tag.phenomenon=quantifiers'"))
        tab.evaluate(
            "document.querySelectorAll('details').forEach(d => d.open = !d.matches('.take'))"
        )
        assert not violations(tab)
        assert tab.evaluate("document.documentElement.scrollWidth") <= width
        tab.evaluate("document.querySelector('.take').open = true")
        tab.wait_for_selector(".take button")
        assert not violations(tab, ".take[open]")


def test_a_mark_tells_its_number_when_pointed_at_and_a_finger_opens_it_first(
    made: Made, folder: Path, browser: Any
) -> None:
    figure = figure_of(made[0], "implicature-readings")
    with reading(browser, folder / "index.html") as tab:
        near(tab, figure.id)
        tab.locator(f"#{figure.id} .drawing .to").first.hover()
        assert tab.text_content(".tip") == tab.text_content(f"#{figure.id} .drawing .to title")
        tab.keyboard.press("Escape")
        assert tab.locator(".tip").count() == 0
    with reading(browser, folder / "index.html", width=390, has_touch=True, is_mobile=True) as tab:
        near(tab, figure.id)
        tab.locator(f"#{figure.id} .drawing .to").first.tap()
        tab.wait_for_selector(".tip")
        assert "#items" not in tab.url


def test_a_chart_is_walked_by_keyboard_and_enter_opens_a_mark(
    made: Made, folder: Path, browser: Any
) -> None:
    figure = figure_of(made[0], "implicature-controls")
    with reading(browser, folder / "index.html") as tab:
        near(tab, figure.id)
        tab.focus(f"#{figure.id} .take > summary")
        tab.keyboard.press("Tab")
        assert tab.evaluate("document.activeElement.closest('figure').id") == figure.id
        told = []
        for _ in range(marks(tab, figure.id)):
            tab.keyboard.press("ArrowRight")
            told.append(tab.text_content("#said"))
            assert tab.text_content(".tip") == told[-1] and tab.locator(".ring").count() == 1
        assert len(set(told)) == len(told), "every mark is come to once"
        tab.keyboard.press("Home")
        tab.keyboard.press("ArrowDown")
        below = tab.text_content("#said")
        tab.keyboard.press("ArrowUp")
        assert below != tab.text_content("#said") == told[0]
        settled(tab, lambda: tab.keyboard.press("Enter"))
        tab.wait_for_selector("#list .item")
        n = re.search(r"n=([\d,]+)", told[0])
        assert n and tab.text_content("#count").startswith(f"{n[1]} of ")
        assert (
            tab.evaluate("document.activeElement.id") == "count"
            and tab.locator(".ring, .tip").count() == 0
        )
    with reading(browser, folder / "index.html") as tab:
        near(tab, figure.id)
        tab.focus(f"#{figure.id} .drawing svg")
        tab.keyboard.press("End")
        assert tab.text_content(".tip") == told[-1]
        tab.keyboard.press("Escape")
        assert tab.locator(".ring, .tip").count() == 0


def test_the_comparison_is_put_away_when_another_judge_is_the_reference(
    folder: Path, browser: Any
) -> None:
    with reading(browser, folder / "index.html") as tab:
        assert tab.is_visible("#comparison .compared") and tab.is_hidden("#comparison .uncompared")
        settled(tab, lambda: tab.evaluate("location.hash = '#comparison?v.ref=three'"))
        assert tab.is_hidden(
            "#comparison .compared"
        ) and "grice report RUNS --of 'three'" in tab.inner_text("#comparison .uncompared")
        settled(tab, lambda: tab.evaluate("location.hash = '#comparison?v.hide=one'"))
        assert tab.is_hidden("#comparison .compared"), "its first judge is hidden"
        settled(tab, lambda: tab.evaluate("location.hash = '#comparison?v.ref=one'"))
        assert tab.is_visible("#comparison .compared")
        near(tab, "forest")
        assert tab.is_visible("#forest .drawing svg")


def test_what_a_finger_touches_is_24_pixels_high(folder: Path, browser: Any) -> None:
    small = """[...document.querySelectorAll('a, button, summary, select, input:not([type=checkbox])')].filter(e => e.offsetParent)
    .filter(e => e.getBoundingClientRect().height < 24 && !e.matches('.skip')).map(e => e.outerHTML.slice(0, 80))"""
    with reading(browser, folder / "index.html", width=390) as tab:
        near(tab, "items")
        tab.wait_for_selector("#list .item")
        tab.evaluate(
            "document.querySelectorAll('details').forEach(d => d.open = !d.matches('.take'))"
        )
        assert tab.evaluate(small) == []


def test_long_words_and_texts_do_not_widen_or_fill_the_page(browser: Any, tmp_path: Path) -> None:
    items = [
        Item("a", "x" * 3000, "y" * 3000, {"label": "neutral"}, {"phenomenon": "long"}),
        Item("b", "ال كتاب " * 200, "short", {"label": "entailment"}, {"phenomenon": "long"}),
    ]
    data = Dataset.from_items("long", NLI, items)
    run = Run.recorded(data, "j" * 200, [Judgement(item.id, "neutral") for item in items])
    profile, sheets = build([(data, [run])])
    write_folder(
        profile, [(sheet.data, sheet.frame) for sheet in sheets], tmp_path, stamp="", images=False
    )
    for width in (1280, 390):
        with reading(browser, tmp_path / "index.html", "#items?data=0", width=width) as tab:
            tab.wait_for_selector("#list .item")
            assert tab.evaluate("document.documentElement.scrollWidth") <= width
            assert (
                tab.locator("#list .more").count() == 3
                and tab.locator("#list .item p[dir=auto]").count() == 4
            )
            assert len(tab.text_content("#list .item p")) < 600
            tab.click("#list .more >> nth=0")
            assert tab.evaluate("document.documentElement.scrollWidth") <= width


def test_the_page_prints_without_menus_in_few_pages(folder: Path, browser: Any) -> None:
    with reading(browser, folder / "index.html") as tab:
        tab.wait_for_selector("html[data-drawn=all]", state="attached")
        tab.emulate_media(media="print")
        assert not any(
            tab.is_visible(one) for one in ("header", "#judges", "#items", ".take", ".hint")
        )
        printed = tab.pdf(
            format="A4", margin=dict.fromkeys(("top", "bottom", "left", "right"), "12mm")
        )
        assert len(re.findall(rb"/Type\s*/Page\b", printed)) <= 16


def test_many_items_stand_beside_the_page_and_are_loaded_when_opened(
    made: Made, browser: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("grice.reporting.folder.MAX_INSIDE", 10)
    profile, parts = made
    write_folder(profile, [(part.data, part.frame) for part in parts], tmp_path, stamp="x")
    beside = tmp_path / "items.js"
    assert beside.is_file() and len(beside.read_text()) > 10_000
    assert '<script type="text/plain" id="packed" data-src="items.js"></script>' in (
        tmp_path / "index.html"
    ).read_text(encoding="utf-8")
    n_items = len(parts[0].data)
    with reading(browser, tmp_path / "index.html", "#items?data=0") as tab:
        tab.wait_for_selector("#list .item")
        assert tab.text_content("#count").startswith(f"{n_items:,} of {n_items:,}")


def test_a_model_of_many_is_found_and_marked_by_keyboard(browser: Any, tmp_path: Path) -> None:
    runs = [run(logical if i % 2 else pragmatic, f"model-{i}") for i in range(7)]
    profile, parts = build([(suite(), runs)])
    write_folder(profile, [(part.data, part.frame) for part in parts], tmp_path, stamp="x")
    with reading(browser, tmp_path / "index.html") as tab:
        panels = "document.querySelectorAll('.model-panel').length"
        assert tab.evaluate(panels) == 7 and tab.locator(".heat [data-judge]").count() == 7
        tab.fill("#find-model", "model-3")
        assert tab.locator(".model-panel:visible").count() == 1
        tab.focus("tr[data-judge='model-3'] .mark-model")
        tab.keyboard.press("Enter")
        assert tab.locator(".marked[data-judge='model-3']").count() == 2
        assert not violations(tab, "#overview")
