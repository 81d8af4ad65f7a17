"""PragmEval's tables: averages from printed columns, its measure by task, supports and sizes from
the files.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from grice.core.dataset import Dataset
from grice.core.item import Item
from grice.core.scale import Scale
from grice.papers.bench import LocalBench
from grice.papers.pragmeval import TASKS, pragmeval, printed
from grice.tables.paper import Cell
from tests.hand import answers
from tests.papers.bench import HandBench, agreement, find, holding

EMPTY = HandBench()


def cells(exhibit: str, bench: HandBench | LocalBench = EMPTY) -> list[Cell]:
    return pragmeval.exhibit(exhibit).cells(bench)


def task(name: str, *golds: str) -> Dataset:
    """A task with four labels, of which the dev split holds only some."""
    scale = Scale(labels=("a", "b", "c", "d"))
    return Dataset.from_items(
        f"pragmeval/{name}/dev",
        scale,
        [Item(f"{name}/{i}", f"text {i}", gold={"label": gold}) for i, gold in enumerate(golds)],
    )


def on(*sets: Dataset, **said: tuple[str, ...]) -> HandBench:
    return HandBench(
        *sets,
        runs={d.name: [answers(d, given, name) for name, given in said.items()] for d in sets},
    )


def test_the_printed_averages_follow_from_the_printed_columns() -> None:
    found = cells("Table 3")
    assert holding(found, "") == (14, 14) and agreement(found) == (0, 0)
    assert holding(found, "without Emergent, as reproduced") == (7, 7)
    assert holding(found, "all pair tasks, as stated") == (0, 7)


def test_the_means_of_table_4_are_the_columns_of_table_2() -> None:
    assert holding(cells("Table 4"), "mean of this table, beside Table 2") == (22, 22)


def test_the_human_estimates_follow_from_their_formulae() -> None:
    found = cells("Section 4.2")
    assert find(
        found, "Human estimate", "GUM", "labelling × attached share"
    ).checked == pytest.approx(69.264)
    assert find(found, "Human estimate", "GUM", "labelling × attached share").holds
    assert find(found, "Human estimate", "EmoBank", "mean of Table 4").holds
    assert "quoted" in find(found, "Human estimate", "PDTB").reason


def test_agreement_by_chance_comes_from_the_class_shares() -> None:
    data = task("Verifiability", "a", "a", "b", "b")
    found = cells("Section 4.2", HandBench(data))
    assert find(
        found, "Human estimate", "Verifiability", "κ + (1 − κ)Σp², dev"
    ).ours == pytest.approx(86.5)
    assert find(found, "Human estimate", "Verifiability", "κ + (1 − κ)Σp², all").reason


def test_speech_acts_are_scored_by_macro_f1_over_all_labels_and_the_rest_by_accuracy() -> None:
    bench = on(task("MRDA", "a", "a", "b"), task("GUM", "a", "a", "b"), mine=("a", "a", "a"))
    found = cells("Table 2", bench)
    assert find(found, "mine", "GUM").ours == pytest.approx(200 / 3)
    # F1 of a is 0.8; b, c and d have none; the mean is over all four labels.
    assert find(found, "mine", "MRDA").ours == pytest.approx(20.0)
    largest = find(found, "largest class", "MRDA", "largest class of dev")
    assert largest.ours == pytest.approx(20.0)


def test_a_corpus_of_several_tasks_needs_all_of_them() -> None:
    sets = [task(name, "a", "b") for name in printed.COLUMNS["Squinky"]]
    whole = cells("Table 2", on(*sets, mine=("a", "a")))
    assert (find(whole, "mine", "Squinky").ours, find(whole, "mine", "Squinky").n) == (50.0, 6)
    part = find(cells("Table 2", on(*sets[:2], mine=("a", "a"))), "mine", "Squinky")
    assert part.ours is None
    assert "is not in the data folder" in part.reason


def test_every_judge_gets_the_averages_when_all_tasks_are_there() -> None:
    found = cells("Table 3", on(*(task(name, "a", "b") for name in TASKS), mine=("a", "a")))
    # Nine columns by accuracy at 50, two by F1 of ⅔ over four labels.
    assert find(found, "mine", "PragmEval-AVG").ours == pytest.approx((9 * 50 + 2 * 100 / 6) / 11)
    assert find(
        found, "mine", "Pairs-AVG", "without Emergent, as reproduced"
    ).ours == pytest.approx(50)


def test_one_class_has_its_own_f1_and_support() -> None:
    data = task("GUM", "a", "b", "b")
    scale = Scale(labels=("elaboration", "no_relation"))
    items = [
        Item(
            i.id,
            i.premise,
            gold={"label": "elaboration" if i.gold["label"] == "b" else "no_relation"},
        )
        for i in data.items()
    ]
    gum = Dataset.from_items(data.name, scale, items)
    found = cells("Table 5", on(gum, BERT=("elaboration", "elaboration", "no_relation")))
    cell = find(found, "GUM.elaboration", "BERT")
    assert (cell.ours, cell.published, cell.judge) == (50.0, 41.5, "BERT")
    assert find(found, "GUM.elaboration", "Support", "of dev").ours == 2
    assert find(found, "GUM.elaboration", "Support", "of test").reason


def test_the_columns_are_the_papers_eleven_and_the_pairs_are_not_single_texts() -> None:
    assert len(printed.COLUMNS) == 11
    assert {column for _, column in printed.TABLE2} == set(printed.COLUMNS)
    assert printed.PAIRS == ("PDTB", "STAC", "GUM", "Emergent", "Persuasion", "Sarcasm")


@pytest.mark.published
def test_twelve_of_fifteen_supports_are_those_of_dev(data_folder: Path) -> None:
    assert data_folder.is_dir()
    found = cells("Table 5", LocalBench())
    assert agreement(found, "of dev") == (12, 15)
    assert {
        c.row.partition(".")[0] for c in found if c.agrees is False and c.reading == "of dev"
    } == {"STAC"}


@pytest.mark.published
def test_three_baselines_are_the_largest_class_of_dev(data_folder: Path) -> None:
    assert data_folder.is_dir()
    found = cells("Table 2", LocalBench())
    assert agreement(found, "largest class of dev") == (6, 6)
    assert find(found, "CBoW", "MRDA", "largest class of dev").ours == pytest.approx(
        0.716, abs=5e-4
    )
    assert find(found, "CBoW", "Verifiability", "largest class of dev").ours == pytest.approx(
        73.97, abs=5e-3
    )


@pytest.mark.published
def test_the_verifiability_estimate_comes_out_of_the_training_split(data_folder: Path) -> None:
    assert data_folder.is_dir()
    found = cells("Section 4.2", LocalBench())
    train = find(found, "Human estimate", "Verifiability", "κ + (1 − κ)Σp², train")
    assert (round(train.ours or 0, 1), train.agrees) == (87.4, True)
    assert (
        round(find(found, "Human estimate", "Verifiability", "κ + (1 − κ)Σp², dev").ours or 0, 1)
        == 88.7
    )
    assert round(find(found, "GUM no relation", "train").ours or 0, 1) == 18.0
    assert round(find(found, "STAC no relation", "train").ours or 0, 1) == 20.3


@pytest.mark.published
def test_the_printed_examples_stand_in_their_tasks(data_folder: Path) -> None:
    assert data_folder.is_dir()
    found = cells("Table 1", LocalBench())
    assert [c.row for c in found if c.agrees is False] == ["Squinky implicature: boo ya."]
    assert agreement(found)[0] >= 10


def test_a_model_without_answers_to_a_task_says_which_and_not_that_it_is_to_be_trained() -> None:
    sets = [task(name, "a", "b") for name in TASKS]
    bench = on(*sets[:-1], **{"PragmEval tasks together": ("a", "b")})
    bench = HandBench(*sets, runs={data.name: bench.runs(data.name) for data in sets[:-1]})
    empty = [
        c
        for c in cells("Table 2", bench)
        if c.judge == "PragmEval tasks together" and c.ours is None
    ]
    assert empty and all(f"has not answered pragmeval/{TASKS[-1]}/dev" in c.reason for c in empty)


def test_glue_has_a_reason_of_its_own_for_the_diagnostics() -> None:
    reasons = {c.column: c.reason for c in cells("Table 3") if c.column.startswith("GLUE")}
    assert (
        "glue_diagnostics" in reasons["GLUE-diagnostics"]
        and reasons["GLUE-AVG"] != reasons["GLUE-diagnostics"]
    )
