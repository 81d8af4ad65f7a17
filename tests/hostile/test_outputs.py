"""Every output with data, runs and replies that would run, command a terminal, or be a formula, if
anybody let them.
"""

from __future__ import annotations

import csv
import io
import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from grice.core.dataset import Dataset
from grice.core.judgement import Judgement
from grice.core.scale import NLI
from grice.storage.run import Run
from tests.collecting.chromium import NEEDS_CHROMIUM
from tests.hostile.strings import FORGED, HTML, RAN, TERMINAL, hostile_suite
from tests.judges.servers import Act, completion, serving
from tests.profiling.judges import gold

pytestmark = [pytest.mark.slow, pytest.mark.skipif(os.name != "posix", reason="terminals of POSIX")]
# What no output to a terminal or a pipe holds; rich has colours of its own, and none of these.
COMMANDS = ("\x1b[31mred", "\x1b]0;", "\x9b", "\x07", "\x7f", "\x08", "\u202e", "\u2066")
EVERY = HTML + TERMINAL + FORGED


def write_runs(data: Dataset, into: Path) -> None:
    for name, reading in (("one", "logical"), ("two", "pragmatic")):
        replies = [
            (
                Judgement(item.id, gold(item, reading), raw=EVERY)
                if number % 40
                else Judgement(item.id, fault=f"http: {EVERY}", raw=EVERY)
            )
            for number, item in enumerate(data.items())
        ]
        # A name with commands is refused when it is read; other names are as they are.
        made = Run.recorded(
            data, name + HTML, replies, settings={"model": EVERY, EVERY: "x"}
        ).write(into)
        assert made.folder is not None
        made.folder.rename(into / name)


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hostile")
    data = hostile_suite()
    items = [replace(item, tags={**item.tags, "more": EVERY}) for item in data.items()]
    made = Dataset.from_items("data" + HTML, NLI, items)
    made.write(folder / "items.jsonl")
    write_runs(made, folder / "runs")
    with (folder / "labels.csv").open("w", encoding="utf-8", newline="") as out:
        rows = [
            (str(i), f"p {i} {EVERY}", f"h {i} {EVERY}", ("yes" if i % 2 else "no") + HTML)
            for i in range(12)
        ]
        csv.writer(out).writerows([("id", "premise", "hypothesis", "label"), *rows])
    return folder


def shell(where: Path, command: str, *, terminal: bool = False) -> str:
    """All that a command prints, in a pipe or on a terminal."""
    given = {
        **os.environ,
        "GRICE_DATA": str(where),
        "TERM": "xterm-256color",
        "COLUMNS": "",
        "OPENAI_API_KEY": "x",
    }
    line = f"{sys.executable} -m grice {command}"
    asked = ["script", "-qec", line, "/dev/null"] if terminal else ["bash", "-c", line]
    done = subprocess.run(
        asked,
        cwd=where,
        env=given,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=120,
        check=False,
    )
    text = done.stdout.decode("utf-8", errors="surrogateescape")
    assert "Traceback" not in text, text[-2000:]
    return text


def is_quiet(text: str, *, terminal: bool = False) -> bool:
    """Whether it commands no terminal and, where nothing is wrapped, forges no line."""
    assert not [one for one in COMMANDS if one in text], text[:3000]
    return terminal or not re.search(r"(?m)^\s*forged:", text.replace("\r", "\n"))


TEXTS = [
    "show items.jsonl",
    "show runs",
    "show runs/one --faults",
    "show runs/two",
    "check items.jsonl --no-leaks",
    "check runs",
    "show labels.csv --label label",
    "check labels.csv --no-leaks",
    "table runs -m accuracy:logical",
    "table runs",
    "table runs -m accuracy:pragmatic --down more",
    "table runs -m share:neutral --across more",
    "table runs -m nonsense",
    "compare runs --reading logical --group-by more --items 4",
    "compare runs --reading nonsense",
    "gate runs/one runs/two -o gate.md -o gate.xml",
    "report runs -o printed --no-images",
    "pack runs -o sent.zip",
    "show-prompt items.jsonl --by openai/m",
    "power runs/one runs/two -r logical",
    "methods runs",
    "judge labels.csv --by baseline/random --into more",
]


@pytest.mark.parametrize("terminal", [False, True], ids=["pipe", "terminal"])
@pytest.mark.parametrize("command", TEXTS)
def test_nothing_is_printed_that_a_terminal_would_obey(
    here: Path, command: str, terminal: bool
) -> None:
    assert is_quiet(shell(here, command, terminal=terminal), terminal=terminal)


@pytest.mark.parametrize("terminal", [False, True], ids=["pipe", "terminal"])
@pytest.mark.parametrize("status", [200, 400, 503])
def test_what_a_server_says_is_printed_as_text(here: Path, status: int, terminal: bool) -> None:
    def script(_body: dict[str, Any], _number: int) -> Act:
        return (
            completion(EVERY)
            if status == 200
            else Act(json.dumps({"error": {"message": EVERY, "code": EVERY}}), status)
        )

    with serving(script) as server:
        into = f"asked-{status}-{terminal}"
        said = shell(
            here,
            f"judge labels.csv --by openai/m -M url={server.url} -M retries=0 --limit 3 --into"
            f" {into}",
            terminal=terminal,
        )
    assert is_quiet(said, terminal=terminal) and is_quiet(shell(here, f"show {into}/* --faults"))


def test_what_a_user_names_is_told_as_text(here: Path) -> None:
    for command in (
        "show {}",
        "table {}",
        "table runs --judge {}",
        "{}",
        "show --{}",
        "check {}",
        "judge {} --by {}",
    ):
        assert is_quiet(shell(here, command.format(*[shlex.quote(TERMINAL + FORGED)] * 2)))


FORMATS = [
    "table runs -m accuracy:logical --down more",
    "compare runs --reading logical --group-by more",
]


@pytest.mark.parametrize("command", FORMATS)
def test_tables_in_files_hold_no_formula_no_link_and_no_command(here: Path, command: str) -> None:
    cells = [
        cell for row in csv.reader(io.StringIO(shell(here, f"{command} -f csv"))) for cell in row
    ]
    assert len(cells) > 10 and not [c for c in cells if c.startswith(("=", "+", "@", "\t", "\r"))]
    assert any(c.startswith("'=cmd") for c in cells)
    marked = shell(here, f"{command} -f md")
    assert is_quiet(marked) and "](javascript:" not in marked and not re.search(r"<[a-z!/]", marked)
    latex = shell(here, f"{command} -f tex")
    assert is_quiet(latex) and r"\input" not in latex and "\\textbackslash{}input" in latex
    found = shell(here, f"{command} -f json")
    assert is_quiet(found) and EVERY in strings(json.loads(found))


def strings(value: Any) -> list[str]:
    """All strings of a JSON value."""
    if isinstance(value, dict):
        return strings([*value, *value.values()])
    return (
        [text for one in value for text in strings(one)]
        if isinstance(value, list)
        else [str(value)]
    )


class Dangers(HTMLParser):
    """What a page would run: handlers, foreign scripts, addresses that are scripts, pictures from
    the data.
    """

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.inside = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.inside = given.get("type") or "script" if tag == "script" else ""
        self.found += [f"{tag} {name}" for name in given if name.startswith("on")]
        self.found += [
            f"{tag} {v[:60]}" for v in given.values() if v and re.match(r"\s*javascript:", v, re.I)
        ]
        self.found += (
            [tag] if tag in ("img", "iframe", "object") and given.get("src") == "x" else []
        )

    def handle_data(self, data: str) -> None:
        if self.inside == "script" and data.strip().startswith("window.ran"):
            self.found.append("script")


def dangers(text: str) -> list[str]:
    parser = Dangers()
    parser.feed(text)
    return parser.found


@pytest.fixture(scope="module")
def pages(here: Path) -> list[Path]:
    for command in (
        "report runs -o page --images --chart page.html",
        "board runs -o board",
        "table runs -m accuracy:logical --down more --chart table.html",
        "compare runs --reading logical --group-by more --chart compare.html",
        "table runs -m accuracy:logical --down more --chart table.svg",
    ):
        shell(here, command)
    found = [one for kind in ("html", "svg") for one in sorted(here.rglob(f"*.{kind}"))]
    assert {"page.html", "table.html", "compare.html", "table.svg", "index.html"} <= {
        one.name for one in found
    }
    assert any(one.parent.name == "charts" for one in found) and any(
        one.is_relative_to(here / "board") for one in found
    )
    return found


def test_no_page_and_no_picture_holds_what_would_run(pages: list[Path]) -> None:
    for page in pages:
        assert not dangers(page.read_text(encoding="utf-8")), page


def test_tables_of_a_page_hold_no_formula_and_no_command(here: Path, pages: list[Path]) -> None:
    tables = sorted((here / "page" / "tables").iterdir())
    assert tables and pages
    for file in tables:
        text = file.read_text(encoding="utf-8")
        assert is_quiet(text) and not (file.suffix == ".md" and "](javascript:" in text), file
        if file.suffix == ".csv":
            assert not [
                c
                for row in csv.reader(io.StringIO(text))
                for c in row
                if c.startswith(("=", "+", "@"))
            ], file
        if file.suffix == ".tex":
            assert r"\input" not in text, file


@NEEDS_CHROMIUM[1]
def test_in_a_browser_nothing_of_it_runs(pages: list[Path], browser: Any) -> None:
    for page in pages:
        tab = browser.new_page()
        tab.goto(page.as_uri())
        if page.parent.name == "page":
            tab.goto(f"{page.as_uri()}#items")
            tab.wait_for_selector("#list article, #list > *")
        tab.wait_for_timeout(150)
        assert not tab.evaluate(RAN), page
        tab.close()


def test_pages_for_people_show_texts_as_texts(tmp_path: Path) -> None:
    pytest.importorskip("starlette")
    from grice.collecting.store import Store
    from grice.core.item import Item
    from tests.collecting.hand import Visitor, campaign

    data = Dataset.from_items(
        "hand",
        NLI,
        [Item(f"{HTML}{i}", f"{i} {EVERY}", f"{i} {EVERY}", group="g") for i in range(3)],
    )
    for instrument in ("scale", "labels", "probability"):
        (tmp_path / instrument).mkdir()
        store = Store(replace(campaign(tmp_path / instrument, instrument), title=HTML), data)
        visitor = Visitor(store).join()
        shown: list[str] = [visitor.page()]
        visitor.http.get("/admin", params={"key": visitor.keys.admin})
        shown.append(visitor.http.get("/admin").text)
        store.close()
        assert all("&lt;img" in text or "\\u003cimg" in text for text in shown)
        for text in shown:
            assert not dangers(text)


def test_a_table_in_a_notebook_shows_names_as_text(here: Path) -> None:
    import grice

    run = sorted((here / "runs").iterdir())[0]
    shown: list[Callable[[], str]] = [
        grice.table([run], "accuracy:logical", down="more")._repr_html_,
        Run.read(run)._repr_html_,
    ]
    for one in shown:
        assert not dangers(one()) and "<img" not in one()
