"""What every paper keeps: exhibits with names and titles, reasons where cells are empty, tags that exist."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from grice.core.paper import Bench, Cell, Exhibit, Paper
from grice.core.shelf import PAPERS
from grice.judges.providers.baseline import Random
from grice.papers.bench import LocalBench

NAMES = PAPERS.names()


@pytest.fixture
def nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> LocalBench:
    """A bench whose data folder is empty."""
    monkeypatch.setenv("GRICE_DATA", str(tmp_path))
    return LocalBench()


def paper(name: str) -> Paper:
    found = PAPERS.find(name)
    assert isinstance(found, Paper)
    return found


def all_cells(name: str, bench: Bench) -> list[tuple[Exhibit, Cell]]:
    return [(exhibit, cell) for exhibit in paper(name).exhibits for cell in exhibit.cells(bench)]


def test_there_are_papers_on_the_shelf() -> None:
    assert {"conjnli", "pragmeval", "unli"} <= set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_a_paper_says_what_it_is_and_every_exhibit_has_its_own_id_and_a_title(name: str) -> None:
    found = paper(name)
    assert found.name == name
    assert found.title
    assert found.citation
    ids = [exhibit.id for exhibit in found.exhibits]
    assert len(set(ids)) == len(ids) > 0
    assert all(exhibit.id.strip() and exhibit.title.strip() for exhibit in found.exhibits)
    assert all(found.exhibit(id.lower().replace(" ", "")).id == id for id in ids)


@pytest.mark.parametrize("name", NAMES)
def test_without_data_a_cell_is_empty_with_a_reason_or_made_of_printed_numbers(
    name: str, nowhere: LocalBench
) -> None:
    for exhibit, cell in all_cells(name, nowhere):
        place = f"{name}, {exhibit.id}, {cell.row}, {cell.column}"
        assert (cell.ours is None) == bool(cell.reason), place
        assert cell.low is None, f"{place}: an interval without data"


@pytest.mark.parametrize("name", NAMES)
def test_cells_are_numbers_or_nothing_and_can_be_written_as_json(name: str, nowhere: LocalBench) -> None:
    for exhibit, cell in all_cells(name, nowhere):
        for number in (cell.published, cell.ours):
            assert number is None or math.isfinite(number)
        json.dumps(cell.to_json(exhibit.id), allow_nan=False)


@pytest.mark.parametrize("name", NAMES)
def test_no_two_cells_of_an_exhibit_have_the_same_names(name: str, nowhere: LocalBench) -> None:
    for exhibit in paper(name).exhibits:
        keys = [(c.row, c.column, c.judge, c.reading) for c in exhibit.cells(nowhere)]
        twice = [key for key in keys if keys.count(key) > 1]
        assert not twice, f"{name}, {exhibit.id}: {twice[0]}"


@pytest.mark.published
@pytest.mark.parametrize("name", NAMES)
def test_with_the_published_files_and_a_judge_the_tags_and_readings_named_exist(
    name: str, data_folder: Path
) -> None:
    assert data_folder.is_dir()
    seen = 0
    for exhibit, cell in all_cells(name, LocalBench({"a judge": Random()})):
        place = f"{name}, {exhibit.id}, {cell.row}, {cell.column}: {cell.reason}"
        assert "no tag is called" not in cell.reason, place
        assert "no reading is called" not in cell.reason, place
        assert (cell.ours is None) == bool(cell.reason), place
        seen += cell.judge == "a judge" and cell.ours is not None
    # UNLI's own pairs are in no code repository, so a judge may have nothing to answer there.
    assert seen or name == "unli"
