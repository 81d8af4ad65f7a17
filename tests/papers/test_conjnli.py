"""ConjNLI's tables: counts from the files, judges by name beside printed models, test left empty."""

from __future__ import annotations

from pathlib import Path

import pytest

from grice.core.dataset import Dataset
from grice.core.item import Item
from grice.core.scale import NLI
from grice.papers.bench import LocalBench
from grice.papers.cells import UNTRAINED, truncates_to
from grice.papers.conjnli import WITHHELD, conjnli
from grice.papers.conjnli.boolean import BY_RULE, draw_validated
from grice.tables.exhibit import agreement as counted
from grice.tables.paper import Cell
from tests.hand import answers
from tests.papers.bench import HandBench, agreement, find, holding

TAGS: dict[str, tuple[tuple[str, ...], str]] = {
    "entailment": (("and",), "no"),
    "neutral": (("and", "or"), "yes"),
    "contradiction": (("but",), "no"),
}


def pairs(name: str, *, labelled: bool = True) -> Dataset:
    return Dataset.from_items(
        name,
        NLI,
        [
            Item(
                f"{name}/{i}",
                f"Cats and {i} dogs sleep.",
                "Cats sleep.",
                {"label": label} if labelled else {},
                {
                    "conjunction": words,
                    "multiple": several,
                    "quantifier": "no",
                    "negation": several,
                },
            )
            for i, (label, (words, several)) in enumerate(TAGS.items())
        ],
    )


def cells(bench: HandBench | LocalBench, exhibit: str) -> list[Cell]:
    return conjnli.exhibit(exhibit).cells(bench)


def with_judges(**said: tuple[str, ...]) -> HandBench:
    dev, test = pairs("conjnli/dev"), pairs("conjnli/test", labelled=False)
    runs = {
        data.name: [answers(data, given, name) for name, given in said.items()]
        for data in (dev, test)
    }
    return HandBench(dev, test, runs=runs)


RIGHT, HALF = ("entailment", "neutral", "contradiction"), ("entailment", "neutral", "neutral")


def test_a_judge_named_like_a_printed_model_meets_its_number() -> None:
    found = cells(with_judges(RoBERTa=RIGHT, mine=HALF), "Table 7")
    assert (find(found, "RoBERTa", "CD").published, find(found, "RoBERTa", "CD").ours) == (
        64.68,
        100.0,
    )
    assert find(found, "RoBERTa", "CD").agrees is False
    mine = find(found, "mine", "CD")
    assert (mine.published, round(mine.ours or 0, 3), mine.n, mine.agrees) == (
        None,
        66.667,
        3,
        None,
    )


def test_a_printed_model_without_a_run_says_how_to_bring_one() -> None:
    cell = find(cells(with_judges(mine=RIGHT), "Table 7"), "IAFT", "CD")
    assert (cell.ours, cell.published) == (None, 69.18)
    assert cell.reason == UNTRAINED


def test_scores_on_test_are_empty_because_its_labels_are_withheld() -> None:
    found = cells(with_judges(mine=RIGHT), "Table 7")
    assert all(find(found, row, "CT").reason == WITHHELD for row in ("RoBERTa", "mine"))


def test_sets_that_are_absent_say_so_and_raters_of_another_set_do_not_become_rows() -> None:
    bench = with_judges(mine=RIGHT)
    snli = pairs("snli/dev")
    bench._sets[snli.name] = snli
    bench._runs = {
        **bench._runs,
        "snli/dev": [answers(snli, RIGHT, "annotator 1"), answers(snli, HALF, "mine")],
    }
    found = cells(bench, "Table 6")
    assert find(found, "mine", "SD").n == 3
    assert not [c for c in found if c.row == "annotator 1"]
    assert (
        "mnli/dev_matched is not in the data folder" in find(found, "BERT-M", "MD-matched").reason
    )


def test_accuracy_by_conjunction_counts_a_pair_under_each_of_its_conjunctions() -> None:
    found = cells(with_judges(mine=HALF), "Table 9")
    got = {c.column: (c.ours, c.n) for c in found if c.row == "mine"}
    assert got == {
        "And": (100.0, 2),
        "Or": (100.0, 1),
        "But": (0.0, 1),
        "Multiple": (100.0, 1),
        "All": (pytest.approx(200 / 3), 3),
    }


def test_a_point_of_the_curve_is_the_judge_of_that_name() -> None:
    bench = with_judges(**{"IAFT-6k": HALF})
    found = cells(bench, "Figure 3")
    assert find(found, "IAFT-6k", "CD").n == 3
    assert find(found, "IAFT-15k", "CD").published == 69.18
    assert find(found, "IAFT-15k", "CD").ours is None


def test_seeds_of_one_model_give_its_spread_in_points() -> None:
    found = cells(with_judges(**{"mine#1": RIGHT, "mine#2": HALF}), "Section 6.5")
    assert find(found, "mine", "mean").ours == pytest.approx(250 / 3)
    # Two accuracies, 1 and 2/3: their deviation with n − 1 is a third over √2.
    assert find(found, "mine", "total-sd").ours == pytest.approx(100 / 3 / 2**0.5)
    assert "--by 'RoBERTa-M#1=JUDGE'" in find(found, "RoBERTa-M", "mean").reason


def test_cut_digits_are_told_from_rounded_ones() -> None:
    cut = truncates_to(2)
    assert cut(100 * 151 / 229, 65.93)
    assert not cut(100 * 151 / 229, 65.94)
    assert cut(80.0, 80.00)


@pytest.mark.published
def test_the_released_files_give_tables_2_and_3(data_folder: Path) -> None:
    assert data_folder.is_dir()
    bench = LocalBench()
    sizes = cells(bench, "Table 2")
    assert agreement(sizes) == (6, 6)
    assert {c.column for c in sizes if c.row == "Conj Dev" and c.agrees} == {
        "Ent",
        "Neu",
        "Contra",
        "Total",
    }
    assert find(sizes, "Conj Test", "Ent").reason == WITHHELD
    assert round(find(sizes, "Conj Dev", "majority").ours or 0, 4) == 0.4510
    assert agreement(cells(bench, "Table 3"), "") == (18, 18)


@pytest.mark.published
def test_table_9_is_whole_numbers_of_the_test_pairs_and_two_dev_scores_are_not(
    data_folder: Path,
) -> None:
    assert data_folder.is_dir()
    bench = LocalBench()
    found = cells(bench, "Table 9")
    assert holding(found, "as a share of n") == (15, 15)
    assert [
        find(found, "RoBERTa", c, "as a share of n").n for c in ("And", "Or", "But", "Multiple")
    ] == [537, 471, 135, 229]
    wrong = [c.row for c in cells(bench, "Table 8") if c.holds is False]
    assert wrong == ["PA", "PA-IAFT"]


@pytest.mark.published
def test_the_printed_examples_stand_in_the_released_files(data_folder: Path) -> None:
    assert data_folder.is_dir()
    bench = LocalBench()
    for exhibit in ("Table 1", "Table 5", "Table 10"):
        found = cells(bench, exhibit)
        assert all(c.agrees or "which has no labels" in c.reason for c in found)
        assert agreement(found)[0] >= 1
    table_4 = cells(bench, "Table 4")
    assert all((c.ours or 0) >= 1 for c in table_4 if c.column == "texts")
    # "or more abstractly a sequential collection" is a noun phrase to the parser.
    assert [c.row for c in table_4 if c.agrees is False] == ["NP + AdvP"]
    n_pairs = {c.row: c.n for c in table_4 if c.column == "pairs"}
    assert n_pairs["NP + NP"] > n_pairs["VP + VP"] > n_pairs["Clause + Clause"] > 30


@pytest.mark.published
def test_pairs_are_boolean_by_the_rules_and_validated_ones_are_in_equal_parts(
    data_folder: Path,
) -> None:
    assert data_folder.is_dir()
    bench = LocalBench()
    found = cells(bench, "Section 6.7")
    assert find(found, "share of dev", "boolean", BY_RULE).n == 584
    assert 39 < (find(found, "share of dev", "non-boolean", BY_RULE).ours or 0) < 40
    drawn = draw_validated(bench).frame["tag.conjunction"].list.join(" ").to_list()
    assert [drawn.count(word) for word in ("and", "or", "but")] == [34, 33, 33]


def test_pairs_that_iaft_corrects_are_counted_as_boolean_or_not() -> None:
    operations = ("removed", "added", "replaced", "removed")
    golds = ("entailment", "neutral", "neutral", "contradiction")
    items = [
        Item(f"{n}", "Cats and dogs sleep.", "Cats sleep.", {"label": gold}, {"operation": name})
        for n, (name, gold) in enumerate(zip(operations, golds, strict=True))
    ]
    dev = Dataset.from_items("conjnli/dev", NLI, items)
    said = {"RoBERTa": ("neutral", "neutral", "entailment", "neutral"), "IAFT": golds}
    bench = HandBench(dev, runs={dev.name: [answers(dev, a, name) for name, a in said.items()]})
    found = cells(bench, "Section 6.2 corrected")
    assert {(c.column, round(c.ours or 0), c.n) for c in found} == {
        ("boolean", 33, 3),
        ("non-boolean", 67, 3),
    }
    by_kind = cells(bench, "Section 6.7")
    assert find(by_kind, "RoBERTa", "boolean", BY_RULE).ours == 50.0
    assert find(by_kind, "RoBERTa", "non-boolean", BY_RULE).ours == 0.0


@pytest.mark.parametrize("tagged", [True, False])
def test_categories_are_those_of_mined_pairs_or_the_parsers(tagged: bool) -> None:
    texts = {"N + Name": "Cats and Emma sleep.", "VP + VP": "Cats sleep and dream."}
    items = [
        Item(
            text, text, "Cats sleep.", {"label": "entailment"}, {"category": name} if tagged else {}
        )
        for name, text in texts.items()
    ]
    dev = Dataset.from_items("conjnli/dev", NLI, items)
    said = answers(dev, ("entailment", "neutral"), "mine")
    found = cells(HandBench(dev, runs={dev.name: [said]}), "Table 4")
    right = {c.row: c.ours for c in found if c.column == "accuracy"}
    assert right == {"NP + NP": 100.0, "VP + VP": 0.0}


@pytest.mark.published
def test_what_was_fitted_to_table_3_is_marked_and_not_counted(
    data_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRICE_DATA", str(data_folder))
    found = cells(LocalBench(), "Table 3")
    assert {c.column for c in found if c.reference == "fitted"} == {"quant", "neg"}
    assert counted([c for c in found if not c.reading]) == (12, 12)
    assert counted(found, "fitted") == (6, 6)
    ordinary = {(c.row, c.column): c.ours for c in found if c.reading == "ordinary word list"}
    assert ordinary["Conj Dev", "quant"] == 83 and ordinary["Conj Test", "quant"] == 101
