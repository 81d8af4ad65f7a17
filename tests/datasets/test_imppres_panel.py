"""Recorded log-probabilities of language models on IMPPRES, in the format of their authors."""

from __future__ import annotations

import csv
import gzip
import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from grice import loading
from grice.core.errors import InputError
from grice.datasets.formats.imppres_panel import COLUMNS, FOLDER, panel_runs
from grice.datasets.imppres import imppres
from grice.storage.run import Run
from tests.datasets.paradigms import write_imppres

HEADER = ("id", *COLUMNS)
QUESTION = "What is the relationship between the premise and the hypothesis? "
FOLLOWS = "The hypothesis follows from the premise."
AGAINST = "The hypothesis contradicts the premise."
OPEN = "The hypothesis is in no clear relationship with the premise."
STATEMENTS = (
    "Hypothesis is definitely true given premise.",
    "Hypothesis might be true given premise.",
    "Hypothesis is definitely not true given premise.",
)
SOME = ("Some birds left.", "Not all birds left.")
ALL = ("All birds left.", "Some birds left.")
Option = tuple[str, float, float]


def item_rows(
    number: int, texts: tuple[str, str], correct: Option, *others: Option, ask: str = QUESTION
) -> list[Sequence[object]]:
    """The rows of one item: the correct option with each of the others, by (text, mean, sum)."""
    prompt = f"Premise: {texts[0]}\nHypothesis: {texts[1]}\n{ask}"
    return [
        (number, prompt, correct[0], other[0], correct[1], correct[2], other[1], other[2])
        for other in others
    ]


def write_model(folder: Path, model: str, rows: Sequence[Sequence[object]]) -> Path:
    path = folder / FOLDER / "implicature" / f"{model}.csv"
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([HEADER, *rows])
    return path


def by_text(folder: Path) -> dict[str, dict[tuple[str, str], str]]:
    """Each judge's answers by the texts of the pair."""
    data = imppres.load("quantifiers", folder)
    texts = {item.id: (item.premise, str(item.hypothesis)) for item in data.items()}
    runs: Sequence[Run] = panel_runs(folder, data)
    return {
        run.judge: {texts[i]: a for i, a in run.frame.select("id", "answer").iter_rows()}
        for run in runs
    }


def test_a_model_is_scored_by_mean_and_by_sum(tmp_path: Path) -> None:
    write_imppres(tmp_path)
    # Longer options have smaller sums.
    rows = item_rows(0, SOME, (FOLLOWS, -4.0, -28.0), (OPEN, -3.0, -33.0), (AGAINST, -5.0, -35.0))
    rows += item_rows(1, ALL, (FOLLOWS, -1.0, -7.0), (AGAINST, -2.0, -14.0), (OPEN, -3.0, -33.0))
    write_model(tmp_path, "m-1B", rows)
    answers = by_text(tmp_path)
    assert answers["m-1B (mean)"] == {SOME: "neutral", ALL: "entailment"}
    assert answers["m-1B (sum)"] == {SOME: "entailment", ALL: "entailment"}


def test_a_model_is_named_with_or_without_its_scoring(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_imppres(tmp_path)
    options = ((FOLLOWS, -4.0, -28.0), (OPEN, -3.0, -33.0), (AGAINST, -5.0, -35.0))
    for model in ("m-1B", "m-10B"):
        write_model(tmp_path, model, item_rows(0, SOME, *options))
    monkeypatch.setenv("GRICE_DATA", str(tmp_path))
    data = loading.load("imppres/quantifiers")
    named = {
        name: {run.judge for run in loading.recorded_runs(data, f"recorded/{name}")}
        for name in ("m-1B", "m-1B (sum)", "m*")
    }
    both = {"m-1B (mean)", "m-1B (sum)"}
    assert named == {
        "m-1B": both,
        "m-1B (sum)": {"m-1B (sum)"},
        "m*": both | {"m-10B (mean)", "m-10B (sum)"},
    }


def test_equal_options_are_no_answer_and_an_item_needs_all_three(tmp_path: Path) -> None:
    write_imppres(tmp_path)
    rows = item_rows(0, SOME, (FOLLOWS, -4.0, -28.0), (AGAINST, -4.0, -27.0), (OPEN, -5.0, -55.0))
    rows += item_rows(1, ALL, (FOLLOWS, -1.0, -7.0), (AGAINST, -2.0, -14.0))
    write_model(tmp_path, "m-1B", rows)
    assert by_text(tmp_path) == {"m-1B (sum)": {SOME: "contradiction"}}


def test_another_wording_is_another_judge(tmp_path: Path) -> None:
    write_imppres(tmp_path)
    true, may, false = STATEMENTS
    rows = item_rows(0, SOME, (may, -1.0, -8.0), (true, -2.0, -16.0), (false, -3.0, -27.0), ask="")
    write_model(tmp_path, "m-1B", rows)
    assert set(by_text(tmp_path)) == {"m-1B (statements, mean)", "m-1B (statements, sum)"}


def test_pairs_of_other_versions_are_not_answered(tmp_path: Path) -> None:
    write_imppres(tmp_path)
    rows = item_rows(0, SOME, (FOLLOWS, -4.0, -28.0), (OPEN, -3.0, -33.0), (AGAINST, -5.0, -35.0))
    write_model(tmp_path, "m-1B", rows)
    assert not panel_runs(tmp_path, imppres.load("quantifiers@dec2019", tmp_path))
    assert {run.judge for run in imppres.runs(imppres.load("quantifiers", tmp_path), tmp_path)} >= {
        "m-1B (mean)",
        "m-1B (sum)",
    }


@pytest.mark.parametrize(
    ("column", "value"),
    [("pretext", "no pair"), ("correct", "maybe"), ("correct_option_sum_logprob", "nan")],
)
def test_a_damaged_line_is_named(tmp_path: Path, column: str, value: str) -> None:
    write_imppres(tmp_path)
    rows = item_rows(0, SOME, (FOLLOWS, -4.0, -28.0), (OPEN, -3.0, -33.0))
    damaged = [value if name == column else v for name, v in zip(HEADER, rows[0], strict=True)]
    path = write_model(tmp_path, "m-1B", [damaged])
    with pytest.raises(InputError, match=path.name):
        panel_runs(tmp_path, imppres.load("quantifiers", tmp_path))


@pytest.mark.published
def test_answers_are_those_of_the_copy(data_folder: Path, tmp_path: Path) -> None:
    """A hand copy of eleven models' numbers, with the answers that follow from them."""
    copy = data_folder / "llm_panel" / "panel_imppres_implicature.jsonl.gz"
    if not copy.is_file():
        pytest.skip("no copy at hand")
    (tmp_path / "imppres").mkdir()
    (tmp_path / "imppres" / "implicature").symlink_to(data_folder / "imppres" / "implicature")
    with gzip.open(copy, "rt", encoding="utf-8") as file:
        items = [json.loads(line) for line in file]
    expected: dict[tuple[str, str], str | None] = {}
    for model in {item["model"] for item in items}:
        name, own = model.rpartition("/")[2], [item for item in items if item["model"] == model]
        rows = []
        for item in own:
            options = [(o["text"], o["mean"], o["sum"]) for o in item["options"].values()]
            texts = (item["premise"], item["hypothesis"])
            rows += item_rows(item["source_id"], texts, *options)
            for scoring, answer in item["answer"].items():
                wording = "statements, " if item["wording"] == "statement" else ""
                answer = None if answer.startswith("tie") else answer
                expected[f"{name} ({wording}{scoring})", item["item"]] = answer
        write_model(tmp_path, name, rows)
    answers: dict[tuple[str, str], str] = {}
    data = imppres.load("implicature", tmp_path)
    for run in panel_runs(tmp_path, data):
        answers |= {(run.judge, i): a for i, a in run.frame.select("id", "answer").iter_rows()}
    assert len(expected) == 2 * len(items)
    assert {key: answers.get(key) for key in expected} == expected
