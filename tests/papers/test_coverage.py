"""What each of the five papers has, and how it is had here."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from grice.core.errors import MissingData
from grice.core.shelf import PAPERS
from grice.papers.bench import LocalBench
from grice.tables.paper import STATUS_TEXT, Cell, Paper
from grice.verbs.reproduce import reproduce

FIVE = ("imppres", "veridicality", "conjnli", "pragmeval", "unli")
# How many numbered tables and figures each paper prints.
PRINTED = {
    "imppres": (5, 13),
    "veridicality": (8, 2),
    "conjnli": (11, 3),
    "pragmeval": (5, 0),
    "unli": (6, 5),
}


def paper(name: str) -> Paper:
    loaded = PAPERS.find(name)
    assert isinstance(loaded, Paper)
    return loaded


@pytest.fixture(scope="module")
def cells(data_folder: Path) -> dict[tuple[str, str], list[Cell]]:
    """Every exhibit's cells on the published files, without a judge."""
    assert data_folder.is_dir()
    return {
        (name, reproduced.exhibit.id): reproduced.cells
        for name in FIVE
        for reproduced in reproduce(name)
    }


@pytest.mark.parametrize("name", FIVE)
def test_every_table_figure_and_exhibit_of_a_paper_is_listed(name: str) -> None:
    listed = [item.item for item in paper(name).coverage]
    tables, figures = PRINTED[name]
    numbered = [f"Table {n}" for n in range(1, tables + 1)]
    numbered += [f"Figure {n}" for n in range(1, figures + 1)]
    assert not set(numbered) - set(listed)
    exhibits = [item.exhibit for item in paper(name).coverage if item.exhibit]
    assert sorted(exhibits) == sorted(exhibit.id for exhibit in paper(name).exhibits)
    assert len(set(listed)) == len(listed)


@pytest.mark.parametrize("name", FIVE)
def test_what_cannot_be_had_has_a_reason(name: str) -> None:
    for item in paper(name).coverage:
        assert item.status in STATUS_TEXT and re.fullmatch(r"[0-9A-D](\.\d)?", item.section)
        if item.status in ("unavailable", "trained", "model", "seeds", "fetch"):
            assert item.why, item.item
        assert item.exhibit or item.status == "unavailable", item.item


@pytest.mark.published
@pytest.mark.parametrize("name", FIVE)
def test_a_status_is_what_the_cells_say(
    name: str, cells: dict[tuple[str, str], list[Cell]]
) -> None:
    for item in paper(name).coverage:
        if not item.exhibit:
            continue
        own = cells[name, item.exhibit]
        n_trained = sum(cell.kind == "trained" for cell in own)
        n_computed = sum(cell.ours is not None for cell in own) - n_trained
        n_checked = sum(cell.checked is not None for cell in own)
        match item.status:
            case "recomputed":
                assert n_computed, item.item
            case "print":
                assert n_checked, item.item
            case "illustration":
                assert not any(cell.published is not None for cell in own), item.item
            case "trained":
                assert n_trained, item.item
            case "unavailable" | "model" | "seeds":
                assert own and not n_computed and not n_trained, item.item


@pytest.mark.published
@pytest.mark.parametrize("name", FIVE)
def test_a_set_to_fetch_is_not_at_hand_or_its_cells_are_computed(
    name: str, cells: dict[tuple[str, str], list[Cell]]
) -> None:
    for item in (item for item in paper(name).coverage if item.status == "fetch"):
        try:
            LocalBench().data(item.why)
        except MissingData:
            own = cells[name, item.exhibit]
            assert all(cell.ours is None and cell.reason for cell in own), item.item
