from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from grice.core.errors import InputError
from grice.core.scale import UNIT
from grice.judges.providers.preds import Preds
from grice.storage.evaluation import evaluate
from tests.hand import three

LABELS = "entailment,neutral,contradiction"


def lines(tmp_path: Path, rows: Sequence[object]) -> Preds:
    path = tmp_path / "answers.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)))
    return Preds(str(path))


def answers(judge: Preds) -> list[str]:
    return evaluate(three(), judge).frame["answer"].to_list()


GOOD: list[dict[str, object]] = [{"id": f"hand/{i}", "answer": "neutral"} for i in range(3)]


def test_json_lines_answer_by_id_in_any_order(tmp_path: Path) -> None:
    rows = [
        {"id": "hand/2", "probs": {"entailment": 0.1, "neutral": 0.2, "contradiction": 0.7}},
        *GOOD[:2],
    ]
    assert answers(lines(tmp_path, rows)) == ["neutral", "neutral", "contradiction"]


def test_csv_and_parquet_answer_by_id(tmp_path: Path) -> None:
    frame = pl.DataFrame({"id": ["hand/0", "hand/1", "hand/2"], "answer": ["neutral"] * 3})
    frame.write_parquet(tmp_path / "a.parquet")
    frame.write_csv(tmp_path / "a.csv")
    probs = pl.DataFrame(
        {
            "id": frame["id"],
            "entailment": [1, 0, 0],
            "neutral": [0, 1, 0],
            "contradiction": [0, 0, 1],
        }
    )
    probs.write_csv(tmp_path / "p.csv")
    assert (
        answers(Preds(str(tmp_path / "a.parquet")))
        == answers(Preds(str(tmp_path / "a.csv")))
        == ["neutral"] * 3
    )
    assert answers(Preds(str(tmp_path / "p.csv"))) == ["entailment", "neutral", "contradiction"]


def test_numbers_answer_a_numeric_scale(tmp_path: Path) -> None:
    judge = lines(tmp_path, [{"id": f"hand/{i}", "answer": i / 4} for i in range(3)])
    assert evaluate(three(), judge, scale=UNIT).frame["value"].to_list() == [0.0, 0.25, 0.5]


def test_an_array_needs_its_label_order_stated(tmp_path: Path) -> None:
    path = tmp_path / "a.npy"
    np.save(path, np.eye(3, dtype=np.float32))
    with pytest.raises(InputError, match="-M labels=entailment,neutral,contradiction"):
        answers(Preds(str(path)))
    assert answers(Preds(str(path), labels=LABELS)) == ["entailment", "neutral", "contradiction"]
    assert answers(Preds(str(path), labels="neutral,entailment,contradiction"))[0] == "neutral"


def test_an_array_with_objects_is_never_unpickled(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", np.array([{"a": 1}], dtype=object))
    with pytest.raises(InputError, match="not a plain array"):
        answers(Preds(str(tmp_path / "a.npy"), labels=LABELS))


@pytest.mark.parametrize(
    ("rows", "fault"),
    [
        (GOOD[:2], r"no answer for 'hand/2' \(1 of 3 missing\)"),
        (
            [*GOOD, {"id": "hand/9", "answer": "neutral"}],
            r"jsonl:4: the id 'hand/9' is not in the dataset",
        ),
        ([*GOOD, GOOD[0]], r"jsonl:4: duplicate id 'hand/0'"),
        (
            [*GOOD[:2], {"id": "hand/2", "answer": "entails"}],
            r"jsonl:3: answer 'entails' is not on the scale",
        ),
        (
            [
                *GOOD[:2],
                {
                    "id": "hand/2",
                    "probs": {"entailment": 0.5, "neutral": 0.4, "contradiction": 0.4},
                },
            ],
            r"jsonl:3: probabilities sum to 1.3",
        ),
        ([*GOOD[:2], {"id": "hand/2"}], r"jsonl:3: the id 'hand/2' has no answer"),
        ([{"answer": "neutral"}], r"jsonl:1: no id"),
    ],
)
def test_bad_files_are_refused_before_anything_is_written(
    tmp_path: Path, rows: list[dict[str, object]], fault: str
) -> None:
    with pytest.raises(InputError, match=fault):
        evaluate(three(), lines(tmp_path, rows), into=tmp_path / "runs")
    assert not (tmp_path / "runs").exists()


def test_a_file_may_answer_more_than_the_part_that_is_asked(tmp_path: Path) -> None:
    lines(tmp_path, [*GOOD, {"id": "hand/9", "answer": "neutral"}])
    assert answers(Preds(str(tmp_path / "answers.jsonl"), extra="ignore")) == ["neutral"] * 3


def test_a_fault_in_the_file_stays_a_fault(tmp_path: Path) -> None:
    run = evaluate(three(), lines(tmp_path, [*GOOD[:2], {"id": "hand/2", "fault": "refused"}]))
    assert run.fault_kinds == {"refused": 1}


def test_wrong_places_are_named(tmp_path: Path) -> None:
    for path, fault in (
        (tmp_path, "is a folder"),
        (tmp_path / "none.jsonl", "no such file"),
        (tmp_path / "a.txt", "answers are read from"),
    ):
        if path.suffix == ".txt":
            path.write_text("x")
        with pytest.raises(InputError, match=fault):
            evaluate(three(), Preds(str(path)))
    np.save(tmp_path / "b.npy", np.ones((2, 3)) / 3)
    with pytest.raises(InputError, match=r"shape \(2, 3\) for 3 items"):
        answers(Preds(str(tmp_path / "b.npy"), labels=LABELS))
    np.save(tmp_path / "b.npy", np.ones((3, 3)))
    with pytest.raises(InputError, match="row 0: probabilities sum to 3"):
        answers(Preds(str(tmp_path / "b.npy"), labels=LABELS))
