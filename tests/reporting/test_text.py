"""Tables on a terminal: no word cut, numbers whole where there is room, columns in as many grids as it takes."""

from __future__ import annotations

import io
from collections.abc import Callable
from contextlib import redirect_stdout

import pytest

from grice.core.comparison import Comparison, PairedDifference
from grice.core.estimate import Estimate
from grice.core.exhibit import ReproducedExhibit
from grice.core.paper import Cell, Exhibit
from grice.reporting.exhibit import print_exhibit
from grice.reporting.summary import _wrapped
from grice.reporting.text import draw, print_comparison

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
    body = [["a_name", "words " * 20, "some", "1,234,567"], ["another_name", "few", "more of it", "2"]]
    shown = seen(lambda: draw("A table", ["name", "what", "kind", "number of items"], body, left=3))
    assert all(word in shown for word in ("another_name", "more of it", "1,234,567"))
    assert "words words words words" in shown, "the long text has the most room"
    short = seen(lambda: draw("A table", ["name", "number of items"], [["a", "1"]]))
    assert "name   number of items" in short, "nothing wraps where there is room"


def test_numbers_wrap_at_their_n_where_two_columns_of_them_are_too_wide(seen: Seen) -> None:
    cell = "0.311 [0.281, 0.351] n=106"
    shown = seen(
        lambda: draw("A table", ["role", "kind", "a", "b"], [["control", "presupposition", cell, cell]], left=2)
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
    row = PairedDifference("control", "one", "two", Estimate(-0.13, 1500, -0.16, -0.1), 2, 41, 0.0001, 0.0002, 150)
    found = Comparison("hand", "logical", "one", "two", "role", {"one": None, "two": None}, (row,))
    shown = seen(lambda: print_comparison(found))
    assert "−0.160…−0.100" in shown and "1,500" in shown


def test_a_wide_exhibit_becomes_several_grids(seen: Seen) -> None:
    columns = [f"model-number-{n}" for n in range(9)]
    cells = [Cell("a row", name, ours=0.5, low=0.4, high=0.6, n=100, published=0.5) for name in columns]
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
