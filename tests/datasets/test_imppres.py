"""IMPPRES: paradigms from blocks, versions kept apart, predictions paired with their own sentences."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from grice.core.errors import InputError
from grice.datasets.imppres import imppres
from tests.datasets.formats import lines, packed, put
from tests.datasets.paradigms import npy, scalar_block, write_imppres


def test_a_paradigm_is_a_block_of_twelve_lines(tiny: Path) -> None:
    frame = imppres.load("modals", tiny).frame
    assert frame["group"].unique(maintain_order=True).to_list() == [
        "imppres/implicature/modals/p0",
        "imppres/implicature/modals/p1",
    ]
    assert frame.group_by("group").len()["len"].to_list() == [12, 12]
    assert frame["tag.condition"][0] == "W/not S" and frame["tag.condition"][11] == "not S/S"


def test_a_torn_paradigm_is_refused(tmp_path: Path) -> None:
    put(tmp_path / "imppres/implicature/modals.jsonl", lines(scalar_block("birds")[:11]))
    with pytest.raises(InputError, match=r"modals.jsonl: 11 rows are not a multiple of 12"):
        imppres.load("modals", tmp_path)


def test_controls_are_known_by_their_key_and_carry_no_presupposition(tiny: Path) -> None:
    frame = imppres.load("cleft_existence", tiny).frame
    controls = frame.filter(pl.col("tag.role") == "control")
    assert controls.height == 8
    assert controls["tag.presupposition"].null_count() == 8
    assert controls["tag.operator"].to_list()[:4] == [
        "negated",
        "interrogative",
        "modal",
        "conditional",
    ]


def test_versions_are_told_apart(tiny: Path) -> None:
    assert imppres.load("quantifiers", tiny).frame["tag.version"].unique().to_list() == ["v1"]
    assert imppres.load("quantifiers@dec2019", tiny).frame["tag.version"].unique().to_list() == [
        "dec2019"
    ]
    assert imppres.load("v0_aug2019/implicature", tiny).frame["tag.version"].unique().to_list() == [
        "v0"
    ]


def test_the_august_sentences_are_read_from_their_own_keys(tiny: Path) -> None:
    data = imppres.load("v0_aug2019/implicature", tiny)
    assert data.frame["premise"][0] == "Some owls left."
    assert data.ids[0] == "imppres/v0_aug2019/implicature/quantifier/0"


@pytest.fixture
def predicted(tmp_path: Path) -> Path:
    write_imppres(tmp_path)
    root = tmp_path / "imppres/predictions"
    put(root / "presupposition/cleft_existence_bert.npy", npy(1900, 0))
    put(root / "presupposition/cleft_existence_mymodel.npy", npy(1900, 1))
    put(root / "presuppositions_nov2019_superseded/cleft_existence_old.npy", npy(1900, 2))
    put(root / "scalar_implicatures/scalar_implicatures_log_infersent.npy", npy(8400, 2))
    return tmp_path


def test_predictions_are_read_by_model_in_the_published_order_of_labels(predicted: Path) -> None:
    data = imppres.load("cleft_existence", predicted)
    runs = {run.judge: run for run in imppres.runs(data, predicted)}
    assert set(runs) == {"BERT", "mymodel"}
    assert runs["BERT"].frame["answer"].unique().to_list() == ["entailment"]
    assert runs["mymodel"].frame["p.neutral"][0] == pytest.approx(0.8)


def test_scalar_predictions_go_with_the_august_sentences_alone(predicted: Path) -> None:
    assert [r.judge for r in imppres.runs(imppres.load("implicature", predicted), predicted)] == []
    august = imppres.load("v0_aug2019/implicature", predicted)
    (run,) = imppres.runs(august, predicted)
    assert run.judge == "InferSent"
    # Adjectives and verbs have no predictions: they stay open.
    assert (run.answered, run.open) == (4 * 12, 2 * 12)


def test_a_model_without_predictions_for_a_set_gives_no_run(predicted: Path) -> None:
    assert imppres.runs(imppres.load("change_of_state", predicted), predicted) == []


def test_predictions_of_another_shape_are_refused(predicted: Path) -> None:
    put(predicted / "imppres/predictions/presupposition/cleft_existence_bert.npy", npy(12, 0))
    with pytest.raises(InputError, match=r"shape \(12, 3\), not \(1900, 3\)"):
        imppres.runs(imppres.load("cleft_existence", predicted), predicted)


def test_predictions_are_found_inside_the_authors_archive(tmp_path: Path) -> None:
    write_imppres(tmp_path)
    archive = packed({"presuppositions/both_presupposition_bow.npy": ""})
    put(tmp_path / "imppres/predictions/presuppositions_results.zip", archive)
    with pytest.raises(InputError, match=r"both_presupposition_bow.npy: not a .npy file"):
        imppres.runs(imppres.load("both_presupposition", tmp_path), tmp_path)


@pytest.mark.published
def test_the_twenty_five_doubled_pairs_carry_two_labels(data_folder: Path) -> None:
    frame = imppres.load("presupposition", data_folder).frame
    texts = frame.group_by("premise", "hypothesis", "tag.set").agg(pl.col("gold.label").n_unique())
    assert texts.filter(pl.col("gold.label") > 1).height == 25


@pytest.mark.published
def test_the_released_models_answer_every_presupposition(data_folder: Path) -> None:
    data = imppres.load("presupposition", data_folder)
    runs = imppres.runs(data, data_folder)
    assert {"BERT", "BOW"} <= {run.judge for run in runs}
    assert all(run.answered == 17_100 for run in runs)
