"""A board: the numbers of table and compare, inconclusive cells faded, made again only where
runs changed.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote_plus

import jsonschema  # type: ignore[import-untyped]
import pytest

import grice
from grice.analysis.statistics.paired import holm
from grice.reporting.board import Board
from grice.reporting.model import Profile
from grice.storage.run import Run
from tests.collecting.chromium import CHROMIUM, FLAGS, HANG, NEEDS_CHROMIUM, violations
from tests.datasets.formats import put
from tests.datasets.paradigms import npy, write_imppres
from tests.profiling.judges import always, logical, pragmatic, run, suite

SCHEMA = Path(__file__).parents[2] / "docs" / "schema"
NAMES = ["always", "logical <b>", "pragmatic"]


def runs() -> list[Run]:
    return [
        run(pragmatic, "pragmatic"),
        run(logical, "logical <b>", sure=0.9),
        run(always, "always"),
    ]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("site")


@pytest.fixture(scope="module")
def made(site: Path) -> Board:
    return grice.board(runs(), site)


def cell(board: Board, judge: str, column: str) -> Any:
    found = next(one for one in board.entries if one["judge"] == judge)["cells"]
    return found[column]


def test_each_number_is_the_one_of_grice_table(made: Board) -> None:
    assert made.judges == NAMES
    compared = [column for column in made.columns if column.reading]
    assert len(compared) >= 5
    for column in compared:
        table = grice.table(runs(), column.measure, where=column.where)
        for judge in NAMES:
            found, shown = table.cell((), judge), cell(made, judge, column.id)
            assert found is not None
            assert (found.value, found.n, found.low, found.high) == (
                shown["value"],
                shown["n"],
                shown["low"],
                shown["high"],
            )
            assert found.paradigms == shown["paradigms"]


def test_each_pair_is_the_one_of_grice_compare_and_holm_goes_over_the_pairs_of_a_column(
    made: Board,
) -> None:
    column = next(one for one in made.columns if one.measure == "accuracy:signature")
    mine = [pair for pair in made.pairs if pair["column"] == column.id]
    assert [(pair["a"], pair["b"]) for pair in mine] == [
        (NAMES[0], NAMES[1]),
        (NAMES[0], NAMES[2]),
        (NAMES[1], NAMES[2]),
    ]
    for pair in mine:
        # The signature is asked in one kind alone, so that all its items are those of the column.
        row = grice.compare(*runs(), judge=[pair["a"], pair["b"]], reading="signature").rows[0]
        assert (row.a, row.difference.value, row.difference.low, row.p) == (
            pair["a"],
            pair["value"],
            pair["low"],
            pair["p"],
        )
        assert (row.only_a, row.only_b, row.paradigms) == (
            pair["only_a"],
            pair["only_b"],
            pair["paradigms"],
        )
    assert [pair["holm"] for pair in mine] == holm([pair["p"] for pair in mine])


def test_what_cannot_be_told_says_why_and_what_can_has_its_verdict(made: Board) -> None:
    implicature = next(column.id for column in made.columns if column.chapter == "implicature")
    assert cell(made, "logical <b>", implicature)["verdicts"] == ["logical"]
    assert cell(made, "pragmatic", implicature)["verdicts"] == ["pragmatic"]
    for column in made.columns:
        found = next(one for one in made.entries if one["judge"] == "always")["cells"].get(
            column.id
        )
        assert found is None or (found["reason"] and not found["verdicts"]), column.id


def test_the_json_keeps_to_its_schema_and_pages_escape_names(made: Board, site: Path) -> None:
    jsonschema.validate(
        json.loads((site / "board.json").read_text()),
        json.loads((SCHEMA / "board.schema.json").read_text()),
    )
    index = (site / "index.html").read_text()
    assert "logical &lt;b&gt;" in index and "logical <b>" not in index
    for entry in made.entries:
        assert (site / "models" / entry["folder"] / "index.html").is_file()
    for section in made.chapters:
        assert (
            f'href="chapters/{section}.html"' in index
            and (site / "chapters" / f"{section}.html").is_file()
        )


def test_questions_have_the_numbers_of_the_first_screens_and_people(
    made: Board, site: Path
) -> None:
    for entry in made.entries:
        screen = Profile.read(site / "models" / entry["folder"]).first_screen
        parts = [row.model.part(row.expected) for row in screen.rows]
        cells = [row["cell"] for row in entry["questions"] if row["question"]["unit"] == "share"]
        assert len(cells) == len(screen.rows) > 5
        for row, part, cell_fields in zip(screen.rows, parts, cells, strict=True):
            assert part is not None and cell_fields["status"] == row.status
            shown = tuple(cell_fields[key] for key in ("value", "n", "low", "high"))
            estimate = part.estimate
            assert shown == (estimate.value, estimate.n, estimate.low, estimate.high)
    assert any(question.people for question in made.questions)


def test_a_judge_has_its_nearest_rivals_beside_it(made: Board, site: Path) -> None:
    entry = next(one for one in made.entries if one["judge"] == "pragmatic")
    text = (site / "models" / entry["folder"] / "rivals.html").read_text(encoding="utf-8")
    column = next(one for one in made.columns if one.measure == "accuracy:signature")
    pairs = {
        frozenset((pair["a"], pair["b"])): (
            pair["value"] if pair["a"] == "pragmatic" else -pair["value"]
        )
        for pair in made.pairs
        if pair["column"] == column.id
    }
    part = text.partition(f"{made.title(column)}: {column.name}")[2].partition("</table>")[0]
    cells = r"pairs\.html#a=pragmatic&amp;b=([^\"]*).*?<td>(?:<b>)?\s*([+−][\d.]+)"
    shown = re.findall(cells, part, re.DOTALL)
    wanted = sorted((abs(pairs[frozenset(("pragmatic", other))]), other) for other in NAMES[:2])
    assert [unquote_plus(name) for name, _ in shown] == [name for _, name in wanted]
    for name, told in shown:
        value = pairs[frozenset(("pragmatic", unquote_plus(name)))]
        assert told == f"{100 * value:+.1f}".replace("-", "−")
    links = (
        (site / "models" / entry["folder"] / "index.html")
        .read_text(encoding="utf-8")
        .partition("</header>")[0]
    )
    assert 'href="rivals.html"' in links and 'href="../../index.html"' in links


def test_only_the_page_of_a_judge_whose_answers_changed_is_made_again(tmp_path: Path) -> None:
    first = grice.board(runs()[:2], tmp_path, pages=False)
    assert first.made[:2] == ("models/logical-b", "models/pragmatic") and not first.kept
    again = grice.board(runs()[:2], tmp_path, pages=False)
    assert not again.made and again.kept == len(first.made)
    changed = grice.board([run(always, "pragmatic"), runs()[1]], tmp_path, pages=False)
    assert [
        name for name in changed.made if name.startswith("models") and "rivals" not in name
    ] == ["models/pragmatic"]
    assert changed.pairs[0]["value"] != first.pairs[0]["value"]
    mine = tmp_path / "models" / "notes"
    mine.mkdir()
    alone = grice.board(runs()[:1], tmp_path, pages=False)
    assert alone.judges == ["pragmatic"] and not alone.pairs
    assert sorted(one.name for one in (tmp_path / "models").iterdir()) == ["notes", "pragmatic"], (
        "what it did not write stays"
    )


def test_workers_write_the_same_bytes(tmp_path: Path) -> None:
    boards = [grice.board(runs()[:2], tmp_path / str(n), pages=False, workers=n) for n in (1, 2)]
    one, two = (board.page.parent for board in boards if board.page)
    for path in one.rglob("*.*"):
        assert path.read_bytes() == (two / path.relative_to(one)).read_bytes(), path.name


def test_judges_that_answered_different_data_stand_on_one_board(tmp_path: Path) -> None:
    both = grice.judge(
        "quantifiers@7", ["baseline/overlap", "baseline/random"], limit=60, into=tmp_path / "runs"
    )
    more = grice.judge("conjunction_boolean@7", "baseline/overlap", limit=60, into=None)
    grice.pack(both, tmp_path / "two.zip")
    found = grice.board([tmp_path / "two.zip", more], tmp_path / "site", pages=False)
    lacking = [
        column.data for column in found.columns if column.id not in found.entries[1]["cells"]
    ]
    assert set(lacking) == {"conjunction_boolean@7"}
    assert "· conjunction_boolean@7" in (tmp_path / "site" / "index.html").read_text()


@pytest.mark.slow
def test_a_killed_build_leaves_whole_files_and_the_next_one_ends_it(tmp_path: Path) -> None:
    for one in runs():
        one.write(tmp_path / "runs")
    command = [
        sys.executable,
        "-m",
        "grice",
        "board",
        str(tmp_path / "runs"),
        "-o",
        str(tmp_path / "site"),
        "--no-pages",
    ]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while not list(tmp_path.glob("site/models/*/entry.json")) and process.poll() is None:
        time.sleep(0.02)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    for page in tmp_path.glob("site/**/[!.]*.html"):
        assert page.read_text().endswith("</html>\n")
    for entry in tmp_path.glob("site/models/*/entry.json"):
        json.loads(entry.read_text())
    done = subprocess.run([*command, "--json"], capture_output=True, check=True, text=True)
    assert len(json.loads(done.stdout)["models"]) == 3


@pytest.fixture(scope="module")
def tab(made: Board) -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as tools:
        browser = tools.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        context = browser.new_context(viewport={"width": 1280, "height": 800}, bypass_csp=True)
        context.set_default_timeout(1000 * HANG)
        page = context.new_page()
        troubles: list[str] = []
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.on(
            "console", lambda said: troubles.append(said.text) if said.type == "error" else None
        )
        page.on(
            "request",
            lambda asked: (
                troubles.append(asked.url) if not asked.url.startswith(("file:", "data:")) else None
            ),
        )
        yield page
        browser.close()
        assert not troubles, made.page


def order(tab: Any) -> list[str]:
    return list(
        tab.eval_on_selector_all(
            "#board tr[data-name]:not([hidden])", "rows => rows.map(r => r.dataset.name)"
        )
    )


class TestInTheBrowser:
    pytestmark = NEEDS_CHROMIUM

    def test_it_is_sorted_by_click_and_by_address_and_what_tells_nothing_comes_last(
        self, made: Board, tab: Any
    ) -> None:
        assert made.page
        pragmatic_column = next(one.id for one in made.questions if one.answer == "pragmatic")
        tab.goto(made.page.as_uri())
        assert order(tab) == ["pragmatic", "logical <b>", "always"], "by the first column"
        tab.click("button[data-sort='judge']")
        assert order(tab) == NAMES
        tab.click(f"button[data-sort='{pragmatic_column}']")
        assert order(tab) == ["pragmatic", "logical <b>", "always"]
        tab.click(f"button[data-sort='{pragmatic_column}']")
        assert order(tab) == ["logical <b>", "pragmatic", "always"]
        assert f"sort={pragmatic_column}" in tab.url and "dir=up" in tab.url
        tab.reload()
        assert order(tab) == ["logical <b>", "pragmatic", "always"]
        tab.go_back()
        assert order(tab) == ["pragmatic", "logical <b>", "always"]

    def test_a_judge_is_found_by_name_and_nothing_found_is_said(
        self, made: Board, tab: Any
    ) -> None:
        assert made.page
        tab.goto(made.page.as_uri())
        tab.fill("#find", "prag")
        assert order(tab) == ["pragmatic"] and tab.inner_text("#count") == "1 of 3 models"
        tab.fill("#find", "zzz")
        assert "No model" in tab.inner_text("#count")
        tab.goto(f"{made.page.as_uri()}#q=logical")
        assert order(tab) == ["logical <b>"]

    def test_the_numbers_in_the_cells_are_those_of_the_board(self, made: Board, tab: Any) -> None:
        assert made.page
        tab.goto(f"{made.page.as_uri()}#sort=judge")
        shown = tab.eval_on_selector_all(
            "#board tr[data-name]",
            "rows => rows.map(r => [...r.querySelectorAll('td > b')].map(b => b.textContent))",
        )
        for entry, texts in zip(made.entries, shown, strict=True):
            rows = {row["question"]["id"]: row for row in entry["questions"]}
            known = [rows[one.id] for one in made.questions if one.id in rows]
            assert len(known) >= 7
            assert texts == [
                f"{row['cell']['value']:.2f}"
                if row["question"]["unit"] == "r"
                else f"{100 * row['cell']['value']:.0f}"
                for row in known
            ]

    def test_models_without_a_verdict_in_the_sorted_column_are_left_out(
        self, made: Board, tab: Any
    ) -> None:
        assert made.page
        tab.goto(made.page.as_uri())
        tab.check("#decided")
        assert order(tab) == ["pragmatic", "logical <b>"] and "only=decided" in tab.url
        assert tab.inner_text("#count") == "2 of 3 models"
        tab.uncheck("#decided")
        assert len(order(tab)) == 3

    def test_a_pair_opens_with_all_its_differences_and_is_mirrored_the_other_way(
        self, made: Board, tab: Any
    ) -> None:
        assert made.page
        tab.goto((made.page.parent / "pairs.html").as_uri())
        tab.click("#matrix td[data-pair='0,1'] button")
        first = made.pairs[0]
        assert tab.inner_text("#pair h2") == f"{first['a']} minus {first['b']}"
        here = tab.inner_text("#pair tbody tr:first-child td:nth-child(3)")
        assert here.lstrip("+−±").startswith(f"{abs(100 * first['value']):.1f}")
        tab.reload()
        assert tab.inner_text("#pair h2") == f"{first['a']} minus {first['b']}"
        tab.click("#matrix td[data-pair='1,0'] button")
        there = tab.inner_text("#pair tbody tr:first-child td:nth-child(3)")
        assert here[0] != there[0] and here.split()[0][1:] == there.split()[0][1:]
        assert len(tab.query_selector_all("#pair tbody tr")) == sum(
            bool(one.reading) for one in made.columns
        )

    @pytest.mark.parametrize("width", [1280, 390])
    def test_every_page_is_accessible_and_no_wider_than_the_window(
        self, made: Board, tab: Any, width: int
    ) -> None:
        assert made.page
        chapter = next(iter(made.chapters))
        rivals = f"models/{made.entries[0]['folder']}/rivals.html"
        for name in ("index.html", "pairs.html", f"chapters/{chapter}.html", rivals):
            tab.set_viewport_size({"width": width, "height": 800})
            tab.goto((made.page.parent / name).as_uri())
            assert tab.evaluate("document.documentElement.scrollWidth") <= width
            for theme in ("light", "dark"):
                tab.evaluate(f"document.documentElement.dataset.theme = '{theme}'")
                assert not violations(tab), (name, theme)

    def test_the_theme_is_kept_from_page_to_page(self, made: Board, tab: Any) -> None:
        assert made.page
        tab.goto(made.page.as_uri())
        tab.evaluate("localStorage.removeItem('grice-theme')")
        tab.reload()
        tab.click("#theme")
        tab.goto((made.page.parent / "pairs.html").as_uri())
        assert tab.evaluate("document.documentElement.dataset.theme") == "dark"


def test_the_models_published_with_a_dataset_are_runs_like_any_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from grice.core.errors import InputError

    root = tmp_path / "imppres" / "predictions" / "presupposition"
    write_imppres(tmp_path)
    for name, answer in (("bert", 0), ("bow", 1)):
        put(root / f"cleft_existence_{name}.npy", npy(1900, answer))
    monkeypatch.setenv("GRICE_DATA", str(tmp_path))
    models = grice.judge("imppres/cleft_existence", ["recorded"], into=tmp_path / "runs")
    assert {run.judge for run in models} == {"BERT", "BOW"} and all(
        run.folder and run.settings for run in models
    )
    assert [
        run.judge for run in grice.judge("imppres/cleft_existence", ["recorded/BE*"], into=None)
    ] == ["BERT"]
    with pytest.raises(InputError, match=r"model recorded for imppres/cleft_existence .*BERT, BOW"):
        grice.judge("imppres/cleft_existence", "recorded/GPT", into=None)


def test_a_board_of_people_alone_on_another_scale_is_refused(tmp_path: Path) -> None:
    from grice.core.errors import InputError
    from grice.core.judgement import Judgement
    from grice.core.scale import UNIT

    other = Run.recorded(
        suite(), "numbers", [Judgement(one, 0.5) for one in suite().ids], scale=UNIT
    )
    with pytest.raises(InputError, match="nothing to put on a board"):
        grice.board(other, tmp_path)
