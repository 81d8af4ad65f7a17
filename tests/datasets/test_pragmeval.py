"""PragmEval: each task on its own sorted labels, texts unquoted."""

from __future__ import annotations

from pathlib import Path

import pytest

from grice.core.errors import InputError, MissingData
from grice.datasets.pragmeval import TASKS, pragmeval
from tests.datasets.formats import put
from tests.datasets.tiny import write_pragmeval


def test_labels_are_sorted_and_kept_even_if_no_item_has_them(tiny: Path) -> None:
    assert pragmeval.load("GUM/dev", tiny).scale.labels == ("alpha", "never_seen", "zeta")


def test_quotes_are_undone(tiny: Path) -> None:
    assert pragmeval.load("Emergent/dev", tiny).frame["premise"][0] == 'he said "no" , twice'


def test_single_texts_have_no_hypothesis_and_pairs_do(tiny: Path) -> None:
    assert pragmeval.load("Emergent/dev", tiny).frame["hypothesis"].null_count() == 2
    assert (
        pragmeval.load("EmoBank-Arousal/dev", tiny).frame["hypothesis"].to_list()
        == ["so they say ."] * 2
    )


def test_a_task_without_a_split_is_every_split_that_is_there(tmp_path: Path) -> None:
    write_pragmeval(tmp_path)
    assert pragmeval.load("GUM", tmp_path).frame["tag.split"].unique(
        maintain_order=True
    ).to_list() == ["train", "dev", "test"]
    (tmp_path / "pragmeval/GUM/test.tsv").unlink()
    assert len(pragmeval.load("GUM", tmp_path)) == 4
    with pytest.raises(MissingData, match=r"pragmeval/GUM/test.tsv is not in the data folder"):
        pragmeval.load("GUM/test", tmp_path)


def test_a_label_outside_the_list_names_its_line(tmp_path: Path) -> None:
    write_pragmeval(tmp_path)
    put(tmp_path / "pragmeval/GUM/dev.tsv", "sentence\tlabel\nyes .\talpha\nno .\tomega\n")
    with pytest.raises(InputError, match=r"dev.tsv:3: unknown label 'omega'"):
        pragmeval.load("GUM/dev", tmp_path)


MAJORITIES = {
    "Emergent": (3, 0.4556),
    "EmoBank-Arousal": (2, 0.5132),
    "EmoBank-Dominance": (2, 0.6228),
    "EmoBank-Valence": (2, 0.5575),
    "GUM": (17, 0.1853),
    "MRDA": (51, 0.2233),
    "PDTB": (16, 0.2508),
    "Persuasiveness-ClaimType": (3, 0.6000),
    "Persuasiveness-Eloquence": (2, 0.7473),
    "Persuasiveness-PremiseType": (8, 0.6761),
    "Persuasiveness-Relevance": (2, 0.6044),
    "Persuasiveness-Specificity": (2, 0.5323),
    "Persuasiveness-Strength": (2, 0.5870),
    "STAC": (18, 0.2125),
    "Sarcasm": (2, 0.5096),
    "Squinky-Formality": (2, 0.5099),
    "Squinky-Implicature": (2, 0.5312),
    "Squinky-Informativeness": (2, 0.5032),
    "SwitchBoard": (41, 0.1808),
    "Verifiability": (3, 0.7397),
}


@pytest.mark.published
@pytest.mark.parametrize("task", TASKS)
def test_classes_and_the_majority_of_dev(data_folder: Path, task: str) -> None:
    data = pragmeval.load(f"{task}/dev", data_folder)
    classes, majority = MAJORITIES[task]
    assert len(data.scale.labels) == classes
    top = data.frame["gold.label"].value_counts(sort=True)["count"][0]
    assert top / len(data) == pytest.approx(majority, abs=5e-5)


@pytest.mark.published
@pytest.mark.parametrize("task", ["PDTB", "Sarcasm"])
def test_quoted_cells_are_read_as_csv_and_not_as_they_stand(data_folder: Path, task: str) -> None:
    ours = pragmeval.load(f"{task}/train", data_folder).frame["premise"]
    # No text of these files holds a line break, so a line is a row; quoting changes hundreds of
    # cells.
    raw = (
        (data_folder / "pragmeval" / task / "train.tsv")
        .read_text(encoding="utf-8")
        .split("\n")[1:-1]
    )
    changed = [
        (a, b.split("\t")[0]) for a, b in zip(ours, raw, strict=True) if a != b.split("\t")[0]
    ]
    assert len(changed) > 400
    assert all(stands == '"' + read.replace('"', '""') + '"' for read, stands in changed)
