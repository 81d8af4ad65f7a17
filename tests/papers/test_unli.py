"""UNLI's tables on a hand-made u-SNLI in its published layout, its slider, and SNLI's counts."""

from __future__ import annotations

import csv
import io
import zipfile
from pathlib import Path

import pytest

from grice.core.scale import UNIT
from grice.judges.providers.baseline import Overlap
from grice.papers.bench import LocalBench
from grice.papers.unli import unli
from grice.tables.paper import Cell
from tests.hand import answers
from tests.papers.bench import HandBench, agreement, find, holding

# id, premise, hypothesis, class (0 contradiction, 1 neutral, 2 entailment), probability
ROWS = (
    ("1", "A race car sits in the pits.", "The car is going fast.", "0", "2.88e-7"),
    ("2", "A race car sits in the pits.", "The car is red.", "1", "0.3"),
    ("3", "Two girls riding an amusement park ride.", "The two girls are screaming.", "1", "0.909"),
    ("4", "Two girls riding an amusement park ride.", "There are girls.", "2", "1.0"),
)


@pytest.fixture
def released(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> LocalBench:
    """A bench whose data folder holds a u-SNLI archive with a dev and a train part."""
    out = io.StringIO()
    csv.writer(out).writerows([("id", "pre", "hyp", "nli", "unli"), *ROWS])
    (tmp_path / "unli").mkdir()
    with zipfile.ZipFile(tmp_path / "unli/u-snli.zip", "w") as archive:
        for part in ("dev", "train"):
            archive.writestr(f"u-snli/{part}.csv", out.getvalue())
    monkeypatch.setenv("GRICE_DATA", str(tmp_path))
    return LocalBench({"mine": Overlap()})


def cells(exhibit: str, bench: HandBench | LocalBench) -> list[Cell]:
    return unli.exhibit(exhibit).cells(bench)


def test_the_slider_gives_all_its_check_values() -> None:
    found = cells("Figure 5", HandBench())
    assert holding(found, "the released page") == (7, 7)
    top = find(found, "10000", "probability", "σ(β(x − 5000)) as stated, β = 0.0002")
    assert round(top.checked or 0, 4) == 0.7311


def test_the_printed_counts_add_up_but_for_the_share() -> None:
    found = cells("Section 2", HandBench())
    assert [c.row for c in found if c.holds is False] == ["share of SNLI"]
    assert round(find(found, "share of SNLI", "per cent").checked or 0, 1) == 10.8


def test_counts_come_from_the_archive_and_an_absent_split_is_empty(released: LocalBench) -> None:
    found = cells("Table 6", released)
    got = {c.row: c.ours for c in found if c.column == "u-SNLI" and c.row.startswith("dev")}
    assert got == {
        "dev premises": 2,
        "dev entailment": 1,
        "dev neutral": 2,
        "dev contradiction": 1,
        "dev total": 4,
    }
    assert find(found, "dev total", "u-SNLI").agrees is False
    assert find(found, "dev total", "SNLI").reason


def test_a_judge_gets_correlations_and_error_beside_the_printed_models(
    released: LocalBench,
) -> None:
    found = cells("Table 4", released)
    mine = find(found, "mine", "MSE-dev")
    assert mine.n == 4
    assert mine.ours is not None
    assert find(found, "mine", "r-dev").low is not None
    human = find(found, "Human", "ρ-dev")
    assert (human.published, human.ours) == (0.7273, None)
    assert "--by 'Human=JUDGE'" in human.reason
    assert "unli/test" in find(found, "Full-model", "r-test").reason


def test_the_error_is_the_mean_of_squared_differences(released: LocalBench) -> None:
    data = released.data("unli/dev")
    said = answers(data, (0.0, 0.5, 0.909, 1.0), "Full-model")
    cell = find(
        cells("Table 4", HandBench(data, runs={data.name: [said]})), "Full-model", "MSE-dev"
    )
    assert cell.ours == pytest.approx(0.01, abs=1e-6)
    assert cell.agrees is False
    assert data.scale == UNIT


def test_an_example_shows_its_probability_and_what_each_judge_says(released: LocalBench) -> None:
    found = cells("Table 3", released)
    row = "7: The car is going fast."
    assert (find(found, row, "u-SNLI").published, find(found, row, "u-SNLI").agrees) == (
        2.88e-7,
        True,
    )
    assert find(found, "5: …are screaming.", "u-SNLI").agrees
    assert find(found, row, "Full-model").published == 0.724
    assert find(found, row, "mine").n == 1
    assert "snli" in find(found, row, "is contradiction").reason


def test_surrogates_are_the_mean_by_label(released: LocalBench) -> None:
    cell = find(cells("Footnote 13", released), "neutral", "mean")
    assert cell.ours == pytest.approx(0.6045)
    assert (cell.n, cell.published) == (2, 0.4250)


def test_quantiles_are_taken_label_by_label(released: LocalBench) -> None:
    found = cells("Figure 1", released)
    assert find(found, "neutral", "median").ours == pytest.approx(0.6045)
    assert find(found, "entailment", "98%").ours == 1.0


def test_the_shares_of_each_gold_tenth_sum_to_one(released: LocalBench) -> None:
    found = cells("Figure 2", released)
    rows = {c.row for c in found}
    assert rows == {"gold 0.0", "gold 0.3", "gold 0.9"}
    for row in rows:
        assert sum(c.ours or 0 for c in found if c.row == row) == pytest.approx(1)
    assert {c.n for c in found if c.row == "gold 0.9"} == {2}


@pytest.mark.published
def test_snli_has_the_printed_counts_in_the_splits_present(data_folder: Path) -> None:
    found = cells("Table 6", LocalBench())
    here = [s for s in ("dev", "test") if (data_folder / f"snli/snli_1.0_{s}.jsonl.gz").is_file()]
    counted = [c for c in found if c.column == "SNLI" and c.row.split()[0] in here]
    assert agreement(counted) == (5 * len(here), 5 * len(here))
    assert here
    assert all(c.reason for c in found if c.ours is None)


@pytest.mark.published
def test_the_printed_examples_have_their_labels_in_snli(data_folder: Path) -> None:
    assert data_folder.is_dir()
    bench = LocalBench()
    assert agreement(cells("Table 3", bench)) == (8, 8)
    assert agreement(cells("Table 1", bench)) == (3, 3)


def test_the_row_of_people_is_not_to_be_trained(released: LocalBench) -> None:
    dev = [c for c in cells("Table 4", released) if c.row == "Human" and c.column.endswith("-dev")]
    assert dev and all("train" not in c.reason and "--by 'Human=JUDGE'" in c.reason for c in dev)
