"""Papers about what people infer: every printed number that the files can answer comes out."""

from __future__ import annotations

from pathlib import Path

import pytest

from grice.core.shelf import PAPERS
from grice.judges.providers.baseline import Random
from grice.papers.bench import LocalBench
from grice.papers.nope import nope
from tests.datasets.tiny import write_all
from tests.papers.bench import agreement, find

# Printed cells that agree, and those that do not, where a paper's own numbers contradict each
# other.
PRINTED = {
    "expectations": (6, []),
    "some_corpus": (4, []),
    "harnessing": (2, ["raters"]),
    "factive_predicates": (85, ["Spearman"]),
    "prior_beliefs": (12, []),
    "family_of_sentences": (8, []),
    "nope": (68, []),
    "commitmentbank": (21, []),
    "proviso": (0, []),
}


@pytest.fixture
def tiny(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> LocalBench:
    monkeypatch.setenv("GRICE_DATA", str(write_all(tmp_path)))
    return LocalBench({"mine": Random()})


def test_there_are_papers_enough() -> None:
    assert len(PAPERS.names()) >= 14 and set(PRINTED) <= set(PAPERS.names())


def test_a_label_change_goes_from_the_plain_premise_to_the_negated_one(tiny: LocalBench) -> None:
    cells = nope.exhibit("Label changes").cells(tiny)
    assert [find(cells, "clefts", column).ours for column in ("pairs", "same", "E-NC", "NC-E")] == [
        1,
        0,
        100,
        0,
    ]
    assert find(nope.exhibit("Corpus").cells(tiny), "main and adv", "unanimous").ours == 0


def test_people_are_no_judges_of_a_table_and_models_are(tiny: LocalBench) -> None:
    judges = {cell.judge for cell in nope.exhibit("Models").cells(tiny)}
    assert {"mine", "RoBERTa-large (all)", "BOW (mnli)"} <= judges
    assert not any(judge.startswith(("rating", "annotator")) for judge in judges)


def test_recorded_ratings_that_are_missing_are_counted(tiny: LocalBench) -> None:
    cells = PAPERS.find("proviso").exhibit("With context").cells(tiny)
    assert (find(cells, "GPT-5", "mean").ours, find(cells, "GPT-5", "mean").n) == (4.5, 2)
    assert (find(cells, "GPT-5", "not rated").ours, find(cells, "mine", "not rated").ours) == (1, 0)


@pytest.mark.published
@pytest.mark.parametrize("name", PRINTED)
def test_the_printed_numbers_come_out(data_folder: Path, name: str) -> None:
    assert data_folder.is_dir()
    bench = LocalBench()
    cells = [cell for exhibit in PAPERS.find(name).exhibits for cell in exhibit.cells(bench)]
    agreed, slips = PRINTED[name]
    assert [cell.column for cell in cells if cell.agrees is False] == slips
    assert agreement(cells) == (agreed, agreed + len(slips))
