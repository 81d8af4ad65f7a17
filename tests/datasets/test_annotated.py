"""Sets that keep what single people said: SNLI and its kin, NLI variation, ChaosNLI,
CommitmentBank.
"""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from grice.core.errors import InputError
from grice.core.scale import NLI, UNIT
from grice.datasets.breaking_nli import breaking_nli
from grice.datasets.chaosnli import chaosnli
from grice.datasets.commitmentbank import COMMITMENT, agreed_label, commitmentbank
from grice.datasets.mnli import mnli
from grice.datasets.nli_variation import nli_variation
from grice.datasets.semantic_fragments import semantic_fragments
from grice.datasets.snli import parses, snli
from tests.datasets.formats import lines, put
from tests.datasets.tiny import nli_rows


@pytest.mark.parametrize("part", ["dev", "test", "train"])
def test_snli_reads_alike_from_json_lines_text_and_the_archive(tiny: Path, part: str) -> None:
    data = snli.load(part, tiny)
    assert data.frame["hypothesis"].to_list() == ['It is "wet".', "Ann is wet.", "It is dry."]
    assert data.frame["gold.label"].to_list() == ["entailment", None, "contradiction"]
    assert data.frame["group"].to_list() == ["1.jpg#0"] * 3


@pytest.mark.parametrize("part", ["dev", "test"])
def test_snli_annotators_are_recorded_and_blanks_stay_open(tiny: Path, part: str) -> None:
    runs = snli.runs(snli.load(part, tiny), tiny)
    assert [run.judge for run in runs] == [f"annotator {i}" for i in range(1, 6)]
    assert [run.answered for run in runs] == [3, 3, 3, 3, 1]
    assert runs[2].frame["answer"].to_list() == ["entailment", "neutral", "contradiction"]


def test_an_unknown_vote_names_its_line(tmp_path: Path) -> None:
    rows = nli_rows()
    rows[1]["annotator_labels"] = ["entails"]
    put(tmp_path / "snli/snli_1.0_dev.jsonl", lines(rows))
    data = snli.load("dev", tmp_path)
    with pytest.raises(InputError, match=r"dev.jsonl:2: unknown label 'entails'"):
        snli.runs(data, tmp_path)


def test_parses_stand_beside_the_items_and_not_in_them(tiny: Path) -> None:
    trees = parses(tiny, "dev")
    assert trees.columns == ["id", "premise", "hypothesis"]
    assert trees["id"].to_list() == snli.load("dev", tiny).ids
    assert trees["premise"][0].startswith("(ROOT")
    assert "tag.sentence1_parse" not in snli.load("dev", tiny).frame.columns


def test_mnli_joins_both_development_sets_from_either_form(tiny: Path) -> None:
    data = mnli.load("dev", tiny)
    assert data.frame["tag.split"].to_list() == ["dev_matched"] * 3 + ["dev_mismatched"] * 3
    assert data.frame["hypothesis"][3] == 'It is "wet".'
    assert data.frame["tag.genre"].unique().to_list() == ["fiction"]
    assert [run.answered for run in mnli.runs(data, tiny)] == [6, 6, 6, 6, 2]


def test_breaking_nli_keeps_categories_and_three_annotators(tiny: Path) -> None:
    data = breaking_nli.load("", tiny)
    assert data.frame["tag.category"].to_list() == ["colors", "colors"]
    assert data.frame["group"].n_unique() == 1
    runs = breaking_nli.runs(data, tiny)
    assert [run.frame["answer"][1] for run in runs] == ["entailment", "neutral", "entailment"]


def test_a_fragment_reads_json_lines_of_its_split(tiny: Path) -> None:
    data = semantic_fragments.load("counting/dev", tiny)
    (item,) = data.items()
    assert (item.gold, item.tags["fragment"], item.tags["split"]) == (
        {"label": "contradiction"},
        "counting",
        "dev",
    )


def test_ratings_are_rescaled_and_their_jitter_is_clipped(tiny: Path) -> None:
    data = nli_variation.load("pairs", tiny)
    assert data.scale == UNIT
    assert data.frame["gold.probability"].to_list() == pytest.approx(
        [(1 + 0.5 + 0.9999995) / 3, 0.375]
    )
    runs = nli_variation.runs(data, tiny)
    assert [run.judge for run in runs] == ["rating 1", "rating 2", "rating 3"]
    assert runs[0].frame["value"].to_list() == [1.0, 0.0]
    assert (runs[2].answered, runs[2].open) == (1, 1)


def test_only_labels_on_the_nli_scale_are_gold(tiny: Path) -> None:
    frame = nli_variation.load("pairs", tiny).frame
    assert frame["gold.label"].to_list() == ["entailment", None]
    assert frame["tag.original"].to_list() == ["entailment", "4"]


def test_contexts_of_one_substitution_share_a_group(tiny: Path) -> None:
    frame = nli_variation.load("contexts", tiny).frame
    assert frame["group"].n_unique() == 1
    assert frame["tag.context"].to_list() == ["word", "sentence", "paragraph"]
    assert frame["tag.words"][0] == "wet/dry"


def test_a_hundred_annotators_are_one_judge_with_their_shares(tiny: Path) -> None:
    data = chaosnli.load("", tiny)
    assert data.ids == ["chaosnli/snli/0", "chaosnli/mnli/0"]
    assert (data.frame["gold.label"][0], data.frame["gold.old"][0]) == ("entailment", "neutral")
    (crowd,) = chaosnli.runs(data, tiny)
    assert crowd.frame.select("p.entailment", "p.neutral", "p.contradiction").row(0) == (
        0.76,
        0.2,
        0.04,
    )


def test_an_abductive_item_shows_both_hypotheses(tiny: Path) -> None:
    data = chaosnli.load("alphanli", tiny)
    assert data.scale.labels == ("1", "2")
    assert data.frame["hypothesis"][0] == "1: It rained. 2: She forgot her key."
    (crowd,) = chaosnli.runs(data, tiny)
    assert crowd.frame["answer"][0] == "2"


def test_commitment_is_a_mean_and_a_label_where_people_agree(tiny: Path) -> None:
    data = commitmentbank.load("", tiny)
    assert data.readings == {"label": NLI, "commitment": COMMITMENT}
    assert data.frame["gold.label"].to_list() == ["entailment", None]
    assert data.frame["gold.commitment"].to_list() == [1.8, 0.0]
    assert data.frame["premise"][0].startswith("It was late, and dark. Ben")
    assert data.frame["tag.embedding"].to_list() == ["negation", "modal"]
    assert [run.answered for run in commitmentbank.runs(data, tiny)] == [2, 2, 2, 2, 1]


@pytest.mark.parametrize(
    ("responses", "expected"),
    [
        ([1, 2, 3, 1, 0], "entailment"),
        ([0, 0, 0, 0, 1], "neutral"),
        ([-1] * 3, "contradiction"),
        ([1, 0], None),
    ],
)
def test_four_fifths_on_one_side_make_a_label(responses: list[float], expected: str | None) -> None:
    assert agreed_label(responses) == expected


@pytest.mark.published
def test_snli_dev_has_its_published_counts(data_folder: Path) -> None:
    frame = snli.load("dev", data_folder).frame
    counts = dict(frame["gold.label"].value_counts().iter_rows())
    assert counts == {"entailment": 3329, "neutral": 3235, "contradiction": 3278, None: 158}
    runs = snli.runs(snli.load("dev", data_folder), data_folder)
    assert [run.answered for run in runs] == [10_000] * 4 + [9_986]


@pytest.mark.published
def test_unli_table_6_counts_the_premises_of_snli_dev(data_folder: Path) -> None:
    premises = snli.load("dev", data_folder).frame["premise"].n_unique()
    assert premises == 3_319


@pytest.mark.published
def test_every_rating_of_the_variation_study_lies_on_the_unit_scale(data_folder: Path) -> None:
    data = nli_variation.load("pairs", data_folder)
    runs = nli_variation.runs(data, data_folder)
    values = pl.concat([run.frame["value"] for run in runs])
    assert len(runs) == 45
    assert (values.min(), values.max()) == (0.0, 1.0)
