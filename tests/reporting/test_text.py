"""Tables on a terminal: no word cut, numbers whole where there is room, columns in as many grids as
it takes.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from contextlib import redirect_stdout
from pathlib import Path

import pytest
from typer.testing import CliRunner

import grice
from grice.cli import build
from grice.core.estimate import Estimate
from grice.reporting.exhibit import print_exhibit
from grice.reporting.summary import _wrapped
from grice.reporting.text import draw, print_comparison
from grice.tables.comparison import Comparison, PairedDifference
from grice.tables.exhibit import ReproducedExhibit
from grice.tables.paper import Cell, Exhibit

Seen = Callable[[Callable[[], None]], str]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> Seen:
    """What a call prints on a terminal of eighty columns."""
    monkeypatch.setenv("TERM", "dumb")
    monkeypatch.setenv("COLUMNS", "80")

    def look(call: Callable[[], None]) -> str:
        with redirect_stdout(Terminal()) as terminal:
            call()
        return terminal.getvalue()

    return look


def test_the_room_goes_to_the_column_that_wraps_most(seen: Seen) -> None:
    body = [
        ["a_name", "words " * 20, "some", "1,234,567"],
        ["another_name", "few", "more of it", "2"],
    ]
    shown = seen(lambda: draw("A table", ["name", "what", "kind", "number of items"], body, left=3))
    assert all(word in shown for word in ("another_name", "more of it", "1,234,567"))
    assert "words words words words" in shown, "the long text has the most room"
    short = seen(lambda: draw("A table", ["name", "number of items"], [["a", "1"]]))
    assert "name   number of items" in short, "nothing wraps where there is room"


def test_numbers_wrap_at_their_n_where_two_columns_of_them_are_too_wide(seen: Seen) -> None:
    cell = "0.311 [0.281, 0.351] n=106"
    shown = seen(
        lambda: draw(
            "A table",
            ["role", "kind", "a", "b"],
            [["control", "presupposition", cell, cell]],
            left=2,
        )
    )
    assert shown.count("0.311 [0.281, 0.351]") == 2 and "presupposition" in shown
    assert max(map(len, shown.splitlines())) <= 80


def test_no_word_and_no_line_is_longer_than_the_terminal(seen: Seen) -> None:
    head = ["name", "what it is", "difference", "only second right"]
    body = [["sometimes_always", "words " * 30, "−0.160…−0.100", "1,234"]] * 3
    shown = seen(lambda: draw("A table", head, body, left=2, notes=["a note " * 20]))
    assert max(map(len, shown.splitlines())) <= 80
    assert all(word in shown for word in ("difference", "−0.160…−0.100", "sometimes_always"))


def test_a_comparison_fits_eighty_columns_with_whole_intervals(seen: Seen) -> None:
    row = PairedDifference(
        "control", "one", "two", Estimate(-0.13, 1500, -0.16, -0.1), 2, 41, 0.0001, 0.0002, 150
    )
    found = Comparison("hand", "logical", "one", "two", "role", {"one": None, "two": None}, (row,))
    shown = seen(lambda: print_comparison(found))
    assert "−0.160…−0.100" in shown and "1,500" in shown


def test_a_wide_exhibit_becomes_several_grids(seen: Seen) -> None:
    columns = [f"model-number-{n}" for n in range(9)]
    cells = [
        Cell("a row", name, ours=0.5, low=0.4, high=0.6, n=100, published=0.5) for name in columns
    ]
    result = ReproducedExhibit(Exhibit("Table 1", "Wide", lambda _bench: cells), cells)
    shown = seen(lambda: print_exhibit(result))
    assert max(map(len, shown.splitlines())) <= 80
    assert all(name in shown for name in columns)
    assert shown.count("a row") == 3


def test_a_number_is_not_parted_from_its_n(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    lines = _wrapped("  ", "It is right in 12% (3–4, n = 1,000) of all that it was asked, n = 12.")
    assert max(map(len, lines)) <= 40
    assert not any(line.endswith(("n", "n =")) for line in lines)


WIDTHS = (60, 80, 120)
VERBS = {
    "table": [
        "table",
        "runs",
        "-m",
        "accuracy:logical",
        "--down",
        "phenomenon",
        "--down",
        "condition",
    ],
    "compare": [
        "compare",
        "runs",
        "--judge",
        "baseline/overlap",
        "--judge",
        "baseline/random",
        "--reading",
        "logical",
        "--items",
        "2",
    ],
    "list": ["list", "judges"],
    "datasets": ["list", "datasets"],
    "check": ["check", "quantifiers@7", "--no-leaks"],
    "check of a run": ["check", "runs"],
    "power": ["power", "--groups", "20"],
    "show": ["show", "quantifiers"],
    "profile": [
        "profile",
        "baseline/overlap",
        "--data",
        "quantifiers@7",
        "--limit",
        "60",
        "--no-images",
        "-o",
        "page",
    ],
}


def words(text: str) -> set[str]:
    """The words of an output, without the marks that a layout puts around them."""
    return {word.strip(":,·─│") for word in text.split()} - {""}


@pytest.mark.parametrize("verb", VERBS)
def test_no_verb_breaks_a_word_at_any_width_and_columns_counts_in_a_pipe(
    verb: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    grice.judge("quantifiers@7", ["baseline/overlap", "baseline/random"], limit=28)

    def printed(width: int | None) -> str:
        done = CliRunner().invoke(
            build([VERBS[verb][0]]), VERBS[verb], env={"COLUMNS": str(width) if width else None}
        )
        assert isinstance(done.exception, SystemExit | None), done.exception
        return done.stdout

    whole = words(printed(None))
    for width in WIDTHS:
        shown = printed(width)
        assert whole - words(shown) <= {"–"}, width
        for line in shown.splitlines():
            assert len(line.rstrip()) <= width or len(line.split()) == 1, (width, line)


@pytest.mark.parametrize("width", WIDTHS)
def test_a_table_that_has_no_room_for_its_words_becomes_blocks(
    seen: Seen, monkeypatch: pytest.MonkeyPatch, width: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    head = ["a_rather_long_name_of_a_row", *(f"provider/a-model-with-a-name-{n}" for n in range(5))]
    shown = seen(lambda: draw("A table", head, [["row_one", *["0.311 [0.281, 0.351] n=106"] * 5]]))
    assert "provider/a-model-with-a-name-4: 0.311 [0.281, 0.351] n=106" in shown
    assert "─" not in shown and max(map(len, shown.splitlines())) <= width
