"""Exhibits over several seeds, and the bench that holds answers of trained models beside other
judges.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.datasets.tiny import write_conjnli
from tests.hand import Says
from typer.testing import CliRunner

from grice.cli import build
from grice.core.errors import InputError
from grice.core.estimate import Estimate
from grice.papers.bench import LocalBench, bench
from grice.storage.evaluation import evaluate
from grice.tables.exhibit import ReproducedExhibit, agreement
from grice.tables.paper import Cell, Exhibit
from grice.verbs.reproduce import mean_over_seeds, reproduce

EXHIBIT = Exhibit("Table 1", "a table", lambda _: ())


def seed(*cells: Cell) -> ReproducedExhibit:
    return ReproducedExhibit(EXHIBIT, list(cells), ("a note",))


def test_cells_of_trained_judges_become_means_and_others_stay() -> None:
    printed = Cell("largest class", "CD", published=45.0, ours=45.1, agrees=False)
    one = Cell("IAFT", "CD", "IAFT", 69.18, 60.0, 623, 56.0, 64.0, False)
    two = Cell("IAFT", "CD", "IAFT", 69.18, 70.0, 623, 66.0, 75.0, True)
    other = Cell("mine", "CD", "mine", ours=50.0, low=49.0, high=51.0, reading="dev")
    done = mean_over_seeds([seed(printed, one, other), seed(printed, two, other)], {"IAFT"})
    assert done.cells[0] is printed and done.cells[2] is other and done.notes == ("a note",)
    mean = done.cells[1]
    assert (mean.ours, mean.low, mean.high, mean.n, mean.published) == (
        65.0,
        61.0,
        69.5,
        623,
        69.18,
    )
    # Neither seed's agreement is the mean's.
    assert mean.agrees is None and mean.reading == "mean of 2 seeds, sd 7.1"


def test_a_mean_keeps_the_reading_and_needs_every_seed() -> None:
    cells = [Cell("a", "b", "a", ours=value, reading="as stated") for value in (1.0, 2.0)]
    (mean,) = mean_over_seeds([seed(cell) for cell in cells], {"a"}).cells
    assert mean.reading == "as stated; mean of 2 seeds, sd 0.71" and mean.low is None
    empty = Cell("a", "b", "a", reason="no rows: n = 0")
    assert mean_over_seeds([seed(empty), seed(cells[0])], {"a"}).cells == [empty]


def test_a_further_reading_that_not_every_seed_has_is_left_out() -> None:
    cells = [Cell("a", "b", "a", ours=value) for value in (1.0, 2.0)]
    more = Cell("a", "b", "a", ours=3.0, reading="per pair")
    for seeds in ([seed(more, cells[0]), seed(cells[1])], [seed(cells[0]), seed(more, cells[1])]):
        (mean,) = mean_over_seeds(seeds, {"a"}).cells
        assert mean.ours == 1.5


def test_one_seed_is_given_as_it_is() -> None:
    only = seed(Cell("a", "b", "a", ours=1.0, agrees=True))
    assert mean_over_seeds([only], {"a"}) is only


@pytest.fixture
def answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Recorded answers to conjnli/dev alone, where the whole of ConjNLI is in the data folder."""
    monkeypatch.setenv("GRICE_DATA", str(tmp_path / "data"))
    write_conjnli(tmp_path / "data")
    rows = [{"id": f"conjnli/dev/{n}", "answer": "neutral", "set": "conjnli/dev"} for n in range(3)]
    path = tmp_path / "answers.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_recorded_answers_are_read_in_silence(
    answers: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = bench({"mine": f"preds/{answers}", "always": "baseline/majority"}, {})
    assert [run.judge for run in place.runs("conjnli/dev")] == ["mine", "always"]
    told = capsys.readouterr().err
    assert "always on conjnli/dev: 3 of 3 items" in told and "mine on" not in told


def test_a_set_that_a_trained_model_was_not_asked_is_no_news(answers: Path) -> None:
    place = LocalBench().with_trained({"IAFT": f"preds/{answers}"})
    assert [run.judge for run in place.runs("conjnli/dev")] == ["IAFT"]
    assert place.runs("conjnli/test") == [] and not place.skipped
    named = bench({"IAFT": f"preds/{answers}"}, {})
    assert named.runs("conjnli/test") == [] and ("conjnli/test", "IAFT") in named.skipped


def test_a_set_that_a_trained_model_answered_in_part_is_told(answers: Path) -> None:
    answers.write_text(answers.read_text(encoding="utf-8").splitlines()[0] + "\n", encoding="utf-8")
    place = LocalBench().with_trained({"IAFT": f"preds/{answers}"})
    assert place.runs("conjnli/dev") == []
    assert "2 of 3 missing" in place.skipped["conjnli/dev", "IAFT"]


def test_other_judges_are_asked_once_for_all_seeds_and_come_before_trained_ones(
    answers: Path,
) -> None:
    says = Says("neutral")
    first = LocalBench({"says": says, "IAFT": Says("entailment")})
    seeds = [
        first.with_trained({"IAFT": f"preds/{answers}", "AFT": f"preds/{answers}"})
        for _ in range(2)
    ]
    for place in seeds:
        assert [run.judge for run in place.runs("conjnli/dev")] == ["AFT", "says", "IAFT"]
        assert place.data("conjnli/dev") is first.data("conjnli/dev")
    assert len(says.asked) == 3
    data = first.data("conjnli/dev")
    own = evaluate(data, Says("entailment")).frame["answer"].to_list()
    assert seeds[1].runs("conjnli/dev")[2].frame["answer"].to_list() == own


def test_a_seed_that_is_no_number_is_refused_before_training(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="-M seed is a whole number"):
        reproduce("conjnli", settings={"seed": "one"}, train=tmp_path)


def test_the_command_line_hands_over_how_to_train(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: dict[str, Any] = {}

    def run(paper: str, *_: Any, **more: Any) -> list[ReproducedExhibit]:
        given.update(more, paper=paper)
        return []

    monkeypatch.setattr("grice.verbs.reproduce.reproduce", run)
    words = (
        f"reproduce conjnli --train {tmp_path} --row IAFT --row AFT --seeds 3 --workers 2 --slim -M"
        " iaft.learning_rate=1 --json"
    )
    done = CliRunner().invoke(build(), words.split())
    assert done.exit_code == 0, done.output
    assert given["train"] == tmp_path and given["rows"] == ["IAFT", "AFT"]
    assert (given["seeds"], given["workers"], given["slim"]) == (3, 2, True)
    assert given["settings"] == {"iaft.learning_rate": "1"}


@pytest.mark.parametrize(
    "words", [["--row", "IAFT"], ["--seeds", "2"], ["--workers", "2"], ["--slim"]]
)
def test_how_to_train_needs_a_folder_to_train_into(words: list[str]) -> None:
    done = CliRunner().invoke(build(), ["reproduce", "conjnli", *words])
    assert isinstance(done.exception, InputError) and "--train" in str(done.exception)


def test_a_check_of_the_print_is_no_result_of_ours(answers: Path) -> None:
    done = CliRunner().invoke(
        build(),
        ["reproduce", "conjnli", "-e", "Table 6", "--by", f"mine=preds/{answers}", "--json"],
    )
    assert done.exit_code == 0, done.output
    cells = json.loads(done.stdout)
    printed = [cell for cell in cells if cell["reading"] == "as a share of n"]
    assert printed and {cell["kind"] for cell in printed} == {"print"}
    assert all(cell["ours"] is None and cell["agrees"] is None for cell in printed)
    assert all(cell["checked"] is not None and cell["holds"] is not None for cell in printed)
    assert {cell["kind"] for cell in cells if cell["judge"] == "mine"} == {"yours"}


def test_agreement_separates_recomputed_trained_and_own_numbers() -> None:
    cells = [
        Cell.make("a", "n", 3, 3.0),
        Cell.make("b", "n", 0.5, 0.5, judge="BERT"),
        Cell.make("c", "n", None, 0.5, judge="BOW"),
        Cell.make("IAFT", "n", Estimate(64.0, 9, 60.0, 69.0), 68.0, judge="IAFT", kind="trained"),
        Cell.make("AFT", "n", Estimate(64.0, 9, 60.0, 66.0), 68.0, judge="AFT", kind="trained"),
        Cell.make("mine", "n", Estimate(64.0, 9, 60.0, 66.0), judge="mine", kind="yours"),
        Cell.check("d", "n", 64.687, 64.68),
        Cell.check("e", "n", 7, 7),
    ]
    assert agreement(cells) == (2, 2)
    assert agreement(cells, kinds=["trained"]) == (1, 2)
    assert agreement(cells, kinds=["yours"]) == (0, 0)
    texts = {row[0]: "".join(row[2:]) for row in ReproducedExhibit(EXHIBIT, cells).grid().body}
    assert texts["c"].startswith("0.5 ") and " / " not in texts["c"]
    signs = {row: "".join(c for c in text if c in "✓≈≠°*") for row, text in texts.items()}
    assert signs == {
        "a": "✓",
        "b": "✓",
        "c": "",
        "IAFT": "≈°",
        "AFT": "≠°",
        "mine": "*",
        "d": "≠",
        "e": "✓",
    }


def test_a_table_has_the_rows_and_columns_of_the_paper() -> None:
    cells = [
        Cell.make(model, column, 0.5, 0.5, judge=model)
        for model in ("BERT", "BOW")
        for column in ("dev", "test")
    ]
    grid = ReproducedExhibit(EXHIBIT, cells).grid()
    assert list(grid.head) == ["", "dev", "test"]
    assert [row[0] for row in grid.body] == ["BERT", "BOW"]


def test_a_summary_names_what_agrees_and_what_differs(answers: Path) -> None:
    done = CliRunner().invoke(build(), ["reproduce", "conjnli", "--by", f"mine=preds/{answers}"])
    lines = done.stdout.rstrip().splitlines()
    assert done.exit_code == 0 and len(lines) <= 15
    assert max(map(len, lines)) <= 80
    assert any(line.startswith("your model") and "mine" in line for line in lines)


def test_a_chart_draws_one_exhibit(answers: Path, tmp_path: Path) -> None:
    path = tmp_path / "chart.svg"
    words = ["reproduce", "conjnli", "--by", f"IAFT-6k=preds/{answers}", "--chart", str(path)]
    refused = CliRunner().invoke(build(), words)
    assert isinstance(refused.exception, InputError) and not path.exists()
    done = CliRunner().invoke(build(), [*words, "-e", "Figure 3"])
    assert done.exit_code == 0 and path.read_text(encoding="utf-8").startswith("<svg")


@pytest.mark.parametrize("paper", ["conjnli", "imppres", "pragmeval", "unli", "veridicality"])
def test_what_can_be_computed_without_any_data_only_checks_the_print(
    paper: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRICE_DATA", str(tmp_path))
    cells = [cell for one in reproduce(paper) for cell in one.cells]
    assert {cell.kind for cell in cells} <= {"data", "model", "print", "trained"}
    assert not [cell for cell in cells if cell.ours is not None and cell.kind != "trained"]


def test_only_printed_numbers_count_and_one_in_two_cells_counts_once() -> None:
    cells = [
        Cell.make("a", "n", 3, 3.0),
        Cell.make("a in three kinds", "n", 4, 3.0, printed_row="a"),
        Cell.make("b", "n", 4, 4.0, reference="fitted"),
    ]
    assert [agreement(cells, kind) for kind in ("printed", "fitted")] == [(1, 1)] * 2
    shown = str(ReproducedExhibit(EXHIBIT, cells)).splitlines()
    assert "1 of 1 printed cells agree" in shown
    assert cells[2].to_json("Table 1")["reference"] == "fitted"
