"""A board says of a judge what its page says: the same numbers, n and verdicts."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from pathlib import Path

import pytest
from benchmarks.claims import noisy

import grice
from grice.core.estimate import Estimate
from grice.core.item import Item
from grice.profiling.build import build
from grice.reporting.board import Board
from grice.storage.run import Run
from tests.profiling.judges import always, failing_controls, logical, pragmatic, run, suite


def half(item: Item) -> str:
    """Pragmatic, with wrong controls in one set, which the page leaves out."""
    return failing_controls(item) if item.tags["phenomenon"] == "modals" else pragmatic(item)


JUDGES: dict[str, Callable[[Item], str]] = {
    "always": always,
    "logical": logical,
    "pragmatic": pragmatic,
    "failing controls": failing_controls,
    "half": half,
    "mixed": noisy("mixed 70/30", 0.2, 1),
    "noise": noisy("logical", 1.0, 2),
    "not projecting": noisy("not projecting", 0.1, 3),
}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("site")


@pytest.fixture(scope="module")
def runs() -> list[Run]:
    return [run(answers, name, sure=0.8) for name, answers in JUDGES.items()]


@pytest.fixture(scope="module")
def board(runs: list[Run], site: Path) -> Board:
    return grice.board(runs, site, pages=False)


def test_each_cell_is_a_number_of_a_claim_of_the_page_with_its_verdict(
    board: Board, runs: list[Run]
) -> None:
    profiles = {each.judge: build([(suite(), [each])])[0] for each in runs}
    cells = 0
    for entry in board.entries:
        numbers = {
            (claim.section, number.measure): (claim, number)
            for claim in profiles[entry["judge"]].claims
            for number in claim.numbers
        }
        assert len(numbers) == len(entry["cells"])
        for column in board.columns:
            cell = entry["cells"].get(column.id)
            if cell is None:
                continue
            claim, number = numbers[column.chapter, column.measure]
            cell_estimate = Estimate(*(cell[key] for key in ("value", "n", "low", "high")))
            assert cell_estimate == number.estimate, (entry["judge"], column.id)
            assert cell["paradigms"] == number.estimate.paradigms
            assert (cell["blind"], column.where) == (number.blind, number.where)
            assert cell["verdicts"] == ([claim.verdict] if claim.supported else [])
            assert bool(cell["reason"]) != claim.supported
            cells += 1
    assert cells > 60


def test_shares_of_one_question_are_at_most_all_answers(board: Board) -> None:
    shares = [column.id for column in board.columns if column.measure.startswith("share:")]
    assert len(shares) == 3
    for entry in board.entries:
        assert sum(entry["cells"][column]["value"] for column in shares) == pytest.approx(1.0)
        assert len({entry["cells"][column]["n"] for column in shares}) == 1


def test_where_a_set_is_left_out_of_the_page_it_is_left_out_of_the_board(board: Board) -> None:
    column = next(column.id for column in board.columns if column.measure == "share:logical")
    sizes = {entry["judge"]: entry["cells"][column]["n"] for entry in board.entries}
    assert 0 < sizes["half"] < sizes["pragmatic"] == sizes["logical"]


def test_a_verdict_has_the_same_word_on_the_board_and_on_the_page(board: Board, site: Path) -> None:
    index = (site / "index.html").read_text(encoding="utf-8")
    cells = [cell for entry in board.entries for cell in entry["cells"].values()]
    verdicts = {verdict for cell in cells for verdict in cell["verdicts"]}
    assert {"logical", "pragmatic", "infers_trigger"} <= verdicts
    rows = [row["cell"] for entry in board.entries for row in entry["questions"]]
    assert {row["status"] for row in rows} >= {"verdict", "diagnosis"}
    for chip in {row["chip"] for row in rows if row["reason"]}:
        assert f">{escape(chip)}</span>" in index


def test_a_board_of_two_datasets_takes_the_page_of_both(tmp_path: Path) -> None:
    data = [grice.load(f"{name}@3", groups=14) for name in ("quantifiers", "conjunction_boolean")]
    judge = grice.load_judge("baseline/overlap")
    pairs = [(part, [grice.evaluate(part, judge)]) for part in data]
    board = grice.board([run for _, [run] in pairs], tmp_path, pages=False)
    page = build(pairs)[0]
    numbers = {number.measure: number for claim in page.claims for number in claim.numbers}
    for column in board.columns:
        cell = board.entries[0]["cells"][column.id]
        assert cell["value"] == numbers[column.measure].estimate.value
