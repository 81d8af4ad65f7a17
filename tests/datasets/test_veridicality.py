"""Verb veridicality: two items a sentence, four readings, and ranks where raters are lost."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from grice.core.errors import InputError
from grice.datasets.veridicality import reproduced_label, stated_label, veridicality
from grice.storage.run import join
from tests.datasets.formats import put


def test_a_sentence_gives_a_positive_and_a_negative_item_side_by_side(tiny: Path) -> None:
    data = veridicality.load("", tiny)
    assert data.ids[:3] == [
        "veridicality/positive/0",
        "veridicality/negative/0",
        "veridicality/positive/1",
    ]
    assert data.frame["group"][0] == data.frame["group"][1]
    assert data.frame["tag.construction"].to_list() == [
        "know that",
        "know that",
        "fail to",
        "fail to",
    ]


def test_edge_spaces_are_cut(tiny: Path) -> None:
    assert veridicality.load("positive", tiny).frame["premise"][0] == "Ann knows that it rains."


def test_the_signature_predicts_by_environment(tiny: Path) -> None:
    data = veridicality.load("", tiny)
    assert data.frame["gold.signature"].to_list() == [
        "entailment",
        "entailment",
        "contradiction",
        "entailment",
    ]


def test_the_mean_rating_of_two_raters_counts_too(tiny: Path) -> None:
    means = veridicality.load("", tiny).frame["gold.human"].to_list()
    assert means == pytest.approx([5 / 3, 2 / 3, -2, 4 / 3])


@pytest.mark.parametrize(
    ("mean", "footnote", "table"),
    [
        (-1.0, "contradiction", "contradiction"),
        (-2 / 3, "neutral", "contradiction"),
        (-(1 / 3 + 1 / 3), "neutral", "contradiction"),
        (0.0, "neutral", "neutral"),
        ((1 + 1 + 0) / 3, "entailment", "neutral"),
        ((2 + 1 + 1) / 3, "entailment", "neutral"),
        (5 / 3, "entailment", "entailment"),
    ],
)
def test_thirds_fall_into_the_right_bin(mean: float, footnote: str, table: str) -> None:
    assert (stated_label(mean), reproduced_label(mean)) == (footnote, table)


def test_bert_is_read_by_name_not_by_the_order_of_columns(tiny: Path) -> None:
    data = veridicality.load("", tiny)
    bert = veridicality.runs(data, tiny)[0]
    row = bert.frame.filter(pl.col("id") == "veridicality/negative/0").row(0, named=True)
    assert (row["answer"], row["p.neutral"], row["p.contradiction"]) == ("neutral", 0.7, 0.2)


def test_ranks_are_recorded_and_a_missing_third_stays_open(tiny: Path) -> None:
    data = veridicality.load("", tiny)
    ranks = {run.judge: run for run in veridicality.runs(data, tiny)[1:]}
    assert list(ranks) == ["rank 1", "rank 2", "rank 3"]
    assert (ranks["rank 3"].answered, ranks["rank 3"].open) == (3, 1)
    assert join(data, ranks["rank 1"])["value"].to_list() == [1.0, 0.0, -2.0, 1.0]


def test_a_broken_rating_names_its_line(tmp_path: Path, tiny: Path) -> None:
    text = (
        (tiny / "veridicality/verb_veridicality_evaluation.tsv")
        .read_text()
        .replace("-2.0,-2.0", "-2.0,?")
    )
    put(tmp_path / "veridicality/verb_veridicality_evaluation.tsv", text)
    with pytest.raises(InputError, match=r"evaluation.tsv:3: '\?' is not a number on -2 … 2"):
        veridicality.load("", tmp_path)


@pytest.mark.published
def test_the_papers_examples_have_their_means(data_folder: Path) -> None:
    frame = veridicality.load("", data_folder).frame
    assert frame["tag.construction"].n_unique() == 137
    assert frame["tag.verb"].n_unique() == 124
    # Section 4.3: "fail to" with means -2.0 and 1.67 is one of the examples.
    fail = frame.filter(pl.col("tag.construction") == "fail to").pivot(
        "tag.environment", index="tag.sentence", values="gold.human"
    )
    assert any(p == -2.0 and abs(n - 5 / 3) < 1e-9 for _, p, n in fail.iter_rows())


@pytest.mark.published
@pytest.mark.parametrize(
    ("reading", "positive", "negative"), [("stated", 0.745, 0.484), ("reproduced", 0.340, 0.436)]
)
def test_berts_accuracy_under_either_binning(
    data_folder: Path, reading: str, positive: float, negative: float
) -> None:
    data = veridicality.load("", data_folder)
    joined = join(data, veridicality.runs(data, data_folder)[0])
    right = joined.with_columns((pl.col("answer") == pl.col(f"gold.{reading}")).alias("right"))
    shares = dict(right.group_by("tag.environment").agg(pl.col("right").mean()).iter_rows())
    assert shares["positive"] == pytest.approx(positive, abs=5e-4)
    assert shares["negative"] == pytest.approx(negative, abs=5e-4)
