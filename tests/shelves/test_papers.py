"""What every paper keeps: exhibits with names and titles, reasons where cells are empty, tags that
exist.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from grice.cli import build
from grice.core.errors import InputError
from grice.core.shelf import PAPERS, Shelf
from grice.judges.providers.baseline import Random
from grice.learners.training.arguments import recipe
from grice.papers.bench import LocalBench
from grice.tables.exhibit import Layout
from grice.tables.paper import Bench, Cell, Exhibit, Paper
from grice.verbs.reproduce import reproduce
from tests.datasets.tiny import write_snli

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
        assert cell.empty == bool(cell.reason), place
        assert cell.low is None, f"{place}: an interval without data"


@pytest.mark.parametrize("name", NAMES)
def test_cells_are_numbers_or_nothing_and_can_be_written_as_json(
    name: str, nowhere: LocalBench
) -> None:
    for exhibit, cell in all_cells(name, nowhere):
        for number in (cell.published, cell.ours, cell.checked):
            assert number is None or math.isfinite(number)
        json.dumps(cell.to_json(exhibit.id), allow_nan=False)


@pytest.mark.parametrize("name", NAMES)
def test_no_two_cells_of_an_exhibit_have_the_same_names(name: str, nowhere: LocalBench) -> None:
    for exhibit in paper(name).exhibits:
        keys = [(c.row, c.column, c.judge, c.reading) for c in exhibit.cells(nowhere)]
        twice = [key for key in keys if keys.count(key) > 1]
        assert not twice, f"{name}, {exhibit.id}: {twice[0]}"
        assert len(Layout(exhibit.cells(nowhere), 2).cells) == len(keys), exhibit.id


@pytest.mark.published
@pytest.mark.parametrize("name", NAMES)
def test_with_the_published_files_and_a_judge_the_tags_and_readings_named_exist(
    name: str, data_folder: Path
) -> None:
    assert data_folder.is_dir()
    seen = 0
    for exhibit, cell in all_cells(name, LocalBench({"a judge": Random()}, targets=1)):
        place = f"{name}, {exhibit.id}, {cell.row}, {cell.column}: {cell.reason}"
        assert "no tag is called" not in cell.reason, place
        assert "no reading is called" not in cell.reason, place
        assert cell.empty == bool(cell.reason), place
        seen += cell.judge == "a judge" and cell.ours is not None
    # UNLI's own pairs are in no code repository, so a judge may have nothing to answer there.
    assert seen or name == "unli"


OWN = """
from grice.tables.paper import Cell, DerivedDataset, Exhibit, Paper
from grice.learners.training.spec import TrainingSpec
from grice.papers.cells import answers
from grice.papers.experiment import ModelExperiment, TrainingJob, TrainingPlan
{imports}

FIRST = DerivedDataset("first", lambda bench: bench.data("snli/dev").head(1))

def counts(bench):
    yield Cell.make("all", "pairs", len(bench.data("snli/dev")), PRINTED)
    for name in ("snli/dev", FIRST):
        for judge, frame in answers(bench, name)[0].items():
            yield Cell.make(judge, str(name), frame.height, judge=judge)

def plan(given):
    spec = TrainingSpec(["snli/dev"], ask=["snli/dev"])
    job = TrainingJob(given.path_of("Bag"), "bow", spec, given.for_kinds("bag", recipe="{path}"), keep=not given.slim)
    return TrainingPlan([job], {{"Bag": [job.path]}})

mine = Paper("mine", "A paper of one's own", "Me (2026)", (Exhibit("Table 1", "Pairs", counts),),
             experiment=ModelExperiment("mine", plan, ("bag",), "Trained here: nothing stood in."), recipe={{"epochs": 1}})
"""


@pytest.fixture(params=["./mine.py", "./mine"])
def own(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[str]:
    """A paper outside the package: one file, or a folder of two."""
    path = str(request.param)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GRICE_DATA", str(tmp_path / "data"))
    write_snli(tmp_path / "data")
    if path.endswith(".py"):
        Path("mine.py").write_text(OWN.format(imports="PRINTED = 9.0", path=path), encoding="utf-8")
    else:
        Path("mine").mkdir()
        Path("mine/printed.py").write_text("PRINTED = 9.0", encoding="utf-8")
        code = OWN.format(imports="from mine.printed import PRINTED", path=path)
        Path("mine/__init__.py").write_text(code, encoding="utf-8")
    yield path
    for name in [name for name in sys.modules if name.partition(".")[0] == "mine"]:
        del sys.modules[name]


def reproduced(*words: str) -> list[dict[str, Any]]:
    done = CliRunner().invoke(build(), ["reproduce", *words, "--json"])
    assert done.exit_code == 0, done.output or done.exception
    rows: list[dict[str, Any]] = json.loads(done.stdout)
    return rows


def test_a_paper_of_ones_own_is_reproduced_as_those_of_the_package(own: str) -> None:
    rows = reproduced(own, "--by", "always=baseline/majority")
    size = rows[0]["ours"]
    assert rows[0]["published"] == 9.0 and size > 1
    assert {
        (row["row"], row["column"]): row["ours"] for row in rows if row["judge"] == "always"
    } == {("always", "snli/dev"): size, ("always", "first"): 1}


@pytest.mark.slow
def test_the_models_of_a_paper_of_ones_own_are_trained_by_its_recipe(own: str) -> None:
    rows = reproduced(own, "--train", "x", "--seeds", "2", "--slim")
    readings = {row["column"]: row["reading"] for row in rows if row["judge"] == "Bag"}
    assert readings == dict.fromkeys(("snli/dev", "first"), "mean of 2 seeds, sd 0")
    assert {path.parent.as_posix() for path in Path("x").rglob("done.json")} == {
        "x/Bag/seed-0",
        "x/Bag/seed-1",
    }
    log = json.loads(Path("x/Bag/seed-0/done.json").read_text(encoding="utf-8"))
    assert log["request"]["settings"]["recipe"] == own and recipe(own).epochs == 1
    with pytest.raises(
        InputError, match=r"no kind of training of mine is called 'bog'\. Did you mean 'bag'"
    ):
        reproduce(own, settings={"bog.epochs": "1"}, train=Path("x"))


def test_a_paper_without_models_to_train_says_so(own: str, monkeypatch: pytest.MonkeyPatch) -> None:
    bare = replace(paper(own), experiment=None, recipe={})
    monkeypatch.setattr(Shelf, "find", lambda *_: bare)
    with pytest.raises(InputError, match="has no models to train; leave out --train"):
        reproduce(own, train=Path("x"))
    with pytest.raises(InputError, match="has no recipe; name another"):
        recipe(own)
