"""Numbers read off the page in Chromium are those that `grice table` prints of the same runs, of
all items and of chosen ones.
"""

from __future__ import annotations

import json
import random
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from typer.testing import CliRunner

from grice import table
from grice.cli import build
from grice.core.item import Item
from grice.core.measure import Score, ScoreKind
from grice.reporting.model import Profile, Query
from grice.storage.run import Run
from tests.collecting.chromium import NEEDS_CHROMIUM
from tests.profiling.judges import logical, pragmatic, run
from tests.reporting.conftest import reading

pytestmark = NEEDS_CHROMIUM
Where = dict[str, list[str]]
Cells = dict[tuple[str, str, str], str]
JUDGES = ("one", "two, “quoted” <b>")
EMPTY = "–"
IMPLICATURE = {"logical": "accuracy:logical", "pragmatic": "accuracy:pragmatic"}
SIDES = {"its presupposition": "positive", "its denial": "negated", "something else": "neutral"}
# A figure, the tag down its side, and for each of its series the measure and the tags that `grice
# table` is asked for.
FIGURES: dict[str, tuple[str, dict[str, tuple[str, Where]]]] = {
    "implicature-readings": (
        "phenomenon",
        {name: (m, {"role": ["target"]}) for name, m in IMPLICATURE.items()},
    ),
    "implicature-conditions": (
        "condition",
        {name: (m, {"role": ["target"]}) for name, m in IMPLICATURE.items()},
    ),
    "implicature-controls": (
        "phenomenon",
        {"": ("balanced_accuracy:logical", {"role": ["control"]})},
    ),
    "presupposition-controls": (
        "operator",
        {"": ("accuracy:label", {"role": ["control"], "trigger": ["present"]})},
    ),
    "presupposition-accommodation": (
        "phenomenon",
        {
            series: (
                "entailed",
                {"role": ["target"], "operator": ["unembedded"], "presupposition": [side]},
            )
            for series, side in SIDES.items()
        },
    ),
    "veridicality-signatures": (
        "signature",
        {
            side: ("accuracy:signature", {"environment": [side]})
            for side in ("positive", "negative")
        },
    ),
}
# The same choice of items, as tags: the filter of the page and --where of the table.
CHOICES: dict[str, Where] = {
    "all items": {},
    "a phenomenon": {"phenomenon": ["modals"]},
    "two phenomena": {"phenomenon": ["quantifiers", "aspectuals"]},
    "two tags": {"kind": ["implicature"], "condition": ["W/not S", "S/W"]},
    "an environment": {"environment": ["negative"]},
}
# No share of items: shown of all items only.
OF_ALL = "implicature-controls"


def wavering(item: Item, seed: int) -> str:
    """Now logical, now pragmatic, now neither, so that no number is 0 or 1 throughout."""
    draw = random.Random(f"{seed} {item.id}")
    return draw.choice(
        [logical(item), pragmatic(item), pragmatic(item), draw.choice(["entailment", "neutral"])]
    )


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs")
    for seed, name in enumerate(JUDGES):
        run(partial(wavering, seed=seed), name).write(folder)
    return folder


@pytest.fixture(scope="module")
def page(runs: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("report")
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("COLUMNS", "110")  # wide enough for a table
        printed = grice("report", str(runs), "-o", str(out), "--of", JUDGES[0], "--no-images")
    (out / "printed.txt").write_text(printed, encoding="utf-8")
    return out / "index.html"


def grice(*arguments: str) -> str:
    """What a command prints; nothing where no item is left to count."""
    done = CliRunner().invoke(build([arguments[0]]), arguments)
    assert done.exit_code == 0 or "no item" in str(done.exception), done.exception
    return done.stdout


def by_table(runs: Path, figure: str, chosen: Where) -> Cells:
    """What `grice table` prints, written as the page writes it: row, series and judge to value,
    interval, n.
    """
    down, series = FIGURES[figure]
    found: Cells = {}
    for name, (measure, where) in series.items():
        both = {tag: [*where.get(tag, []), *chosen.get(tag, [])] for tag in {**where, **chosen}}
        if any(tag in where and tag in chosen and where[tag] != chosen[tag] for tag in both):
            continue  # --where would keep both values of a tag, the page neither
        asked = [
            f"--where={tag}={value}"
            for tag, values in both.items()
            for value in dict.fromkeys(values)
        ]
        made = grice("table", str(runs), "-m", measure, "--down", down, "--json", *asked)
        for cell in json.loads(made)["cells"] if made else ():
            if cell["n"]:
                ends = "" if cell["low"] is None else f"{cell['low']:.2f}–{cell['high']:.2f} "
                paradigms = f", {cell['paradigms']:,} paradigms" if chosen else ""
                told = f"{cell['value']:.2f} {ends}n={cell['n']:,}{paradigms}"
                found[cell[down].replace("_", " "), name, cell["column"]] = told
    return found


def on_page(tab: Any, figure: str) -> Cells:
    """The cells of the table below a figure: row, series and judge to what stands there."""
    script = "e => [...e.querySelectorAll('tr')].map(r => [...r.cells].map(c => c.textContent))"
    (_, *columns), *rows = tab.eval_on_selector(f"#{figure} .numbers table", script)
    several = len(FIGURES[figure][1]) > 1
    named = [
        tuple(reversed(column.rsplit(", ", 1))) if several else ("", column) for column in columns
    ]
    return {
        (row, *name): text
        for row, *cells in rows
        for name, text in zip(named, cells, strict=True)
        if text != EMPTY
    }


READINGS = "tag.readings"


class Tables:
    """Cells of `grice table --json` by measure and tags, each table made once."""

    def __init__(self, runs: Path) -> None:
        self.runs = [Run.read(folder) for folder in sorted(runs.iterdir())]
        self.made: dict[tuple[str, str], dict[str, dict[str, Any]]] = {}

    def cell(self, measure: str, query: Query) -> dict[str, Any] | None:
        """The cell of a judge on the items that a link opens; None if no tags name them.

        Whether the readings of an item differ is a column of the page, and no tag.
        """
        named = all(name.startswith("tag.") and name != READINGS for name in query.where)
        if not query.href or not named:
            return None
        where = {name.removeprefix("tag."): value for name, value in query.where.items()}
        key = measure, json.dumps(where, sort_keys=True)
        if key not in self.made:
            made = table(self.runs, measure, where=where).to_json()
            self.made[key] = {cell["column"]: cell for cell in made["cells"]}
        return self.made[key][query.judge]


def measure_of(score: Score | None) -> str:
    """The measure of `grice table` that is the mean of a score; empty if there is none."""
    if score is None or score.kind is ScoreKind.DIFFERENCE:
        return ""
    if score.kind is ScoreKind.ANSWER:
        return f"entailed:{score.args[0]}"
    name = score.args[0].removeprefix("gold.")
    return f"accuracy:{name}" if score.kind is ScoreKind.RIGHT else "share:neither"


def plain(text: str) -> str:
    return " ".join(text.replace("\u2060", "").split())


def test_every_share_of_items_on_the_page_is_the_one_of_the_table(
    runs: Path, page: Path, browser: Any
) -> None:
    profile, tables, checked = Profile.read(page.parent), Tables(runs), 0
    numbers = {figure.id: figure.numbers for figure in profile.figures}
    script = """cells => cells.map(cell => [cell.closest("figure").id, Number(cell.dataset.number),
    cell.textContent])"""
    with reading(browser, page) as tab:
        walked = tab.eval_on_selector_all("td[data-number]", script)
    for figure, index, text in walked:
        number = numbers[figure][index]
        measure = measure_of(number.metric.score if number.metric else None)
        cell = tables.cell(measure, number.query) if measure else None
        if cell is None:
            continue
        assert number.estimate is not None
        has_ends = number.estimate.low is not None and cell["low"] is not None
        ends = f"{cell['low']:.2f}–{cell['high']:.2f} " if has_ends else ""
        told = f"{cell['value']:.2f} {ends}n={cell['n']:,}"
        assert plain(text) == told, (figure, number.row, number.series)
        checked += 1
    assert checked >= 80


def test_first_screen_terminal_and_leaderboard_say_the_same_as_the_table(
    runs: Path, page: Path, browser: Any, tmp_path: Path
) -> None:
    screen, tables, checked = Profile.read(page.parent).first_screen, Tables(runs), 0
    grice("board", str(runs), "-o", str(tmp_path), "--no-pages")
    printed = [plain(line) for line in (page.parent / "printed.txt").read_text().splitlines()]
    script = "found => found.map(one => one.textContent)"
    with reading(browser, page) as tab:
        findings = tab.eval_on_selector_all(".questions > .question .finding", script)
    with browser.new_context() as context:
        tab = context.new_page()
        tab.goto((tmp_path / "index.html").as_uri())
        rows = f"#board tr[data-name='{JUDGES[0]}'] td[title]"
        cells = tab.eval_on_selector_all(rows, "found => found.map(one => one.title)")
    board = [plain(cell).partition(".")[0] for cell in cells]
    for row, finding in zip(screen.rows, findings, strict=True):
        share = row.share
        assert share is not None and share.low is not None and share.high is not None
        value, ends = f"{100 * share.value:.0f}", f"{100 * share.low:.0f}–{100 * share.high:.0f}"
        if row.status == "verdict":
            assert f"{value}% ({ends}, n = {share.n})" in plain(finding)
        first_words = plain(row.question)[:18]
        line = next(line for line in printed if line.startswith(first_words))
        assert f" {value}% {ends} {share.n}" in line
        expected = row.model.part(row.expected)
        assert expected is not None
        if row.status == "verdict" and expected.estimate.low is not None:
            assert f"{100 * expected.estimate.value:.0f} (" in " ".join(board)
        answers = ("entailment", "neutral", "contradiction")
        name = {"right": "label"}.get(row.decides, row.decides)
        cell = tables.cell(f"{'entailed' if name in answers else 'accuracy'}:{name}", row.query)
        # The link of a question about two operators opens the items of all operators.
        if cell and cell["n"] == share.n:
            assert (cell["value"], cell["low"], cell["high"]) == pytest.approx(
                (share.value, share.low, share.high)
            )
            checked += 1
    assert checked >= 2


@pytest.mark.parametrize("choice", CHOICES)
def test_numbers_on_the_page_are_those_of_the_table(
    runs: Path, page: Path, browser: Any, choice: str
) -> None:
    chosen, checked = CHOICES[choice], 0
    query = urlencode({f"tag.{tag}": values for tag, values in chosen.items()}, doseq=True)
    with reading(browser, page, f"#items?{query}" if query else "") as tab:
        for figure, (_, series) in FIGURES.items():
            tab.evaluate(
                f"document.getElementById('{figure}').scrollIntoView({{behavior: 'instant', block:"
                " 'center'})"
            )
            if chosen:
                tab.wait_for_selector(
                    f"#{figure}[data-drawn=again]{'.dim' if figure == OF_ALL else ':not(.dim)'}"
                )
            if chosen and figure == OF_ALL:
                continue
            shown, wanted = on_page(tab, figure), by_table(runs, figure, chosen)
            # The page leaves out rows of other chapters and the series that no table has.
            shown = {key: text for key, text in shown.items() if key[1] in series}
            assert {key: wanted.get(key) for key in shown} == shown, figure
            rows = {row for row, _, _ in shown}
            assert not {key for key in wanted if key[0] in rows} - set(shown), figure
            checked += len(shown)
    assert checked >= {"all items": 80, "an environment": 12}.get(choice, 8)


def test_the_drawing_and_the_file_taken_say_what_the_table_says(
    runs: Path, page: Path, browser: Any
) -> None:
    figure, chosen = "implicature-readings", CHOICES["a phenomenon"]
    with reading(browser, page, f"#{figure}?tag.phenomenon=modals", accept_downloads=True) as tab:
        tab.wait_for_selector(f"#{figure}[data-drawn=again]")
        titles = tab.eval_on_selector_all(
            f"#{figure} .drawing .to title", "found => found.map(t => t.textContent)"
        )
        tab.click(f"#{figure} .take > summary")
        with tab.expect_download() as waiting:
            tab.click(f"#{figure} .take button[value=csv]")
        rows = [
            line.split(",")
            for line in Path(waiting.value.path()).read_text(encoding="utf-8").splitlines()
        ]
    wanted = {key: text for key, text in by_table(runs, figure, chosen).items() if key[2] == "one"}
    assert len(wanted) == 2
    for (row, series, _), text in wanted.items():
        value, ends, n, paradigms, _ = text.split()
        low, high = ends.split("–")
        title = (
            f"{row}, {series}: {value} ({low} to {high}), {n} {paradigms} paradigms, of the items"
            " chosen"
        )
        assert title in titles
        told = next(cells for cells in rows if cells[:3] == [row, series, "one"])
        assert [f"{float(cell):.2f}" for cell in told[3:6]] == [
            value,
            low,
            high,
        ] and f"n={told[6]}," == n
