"""Python: functions as judges, rows and frames as data, short representations."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

import grice
from grice.core.errors import GriceError, InputError

ROWS = [
    {"premise": "Some of the guests left.", "hypothesis": "Not all left.", "label": "neutral"},
    {"premise": "All of the guests left.", "hypothesis": "Some left.", "label": "entailment"},
    {"premise": "Bo left.", "hypothesis": "Bo did not leave.", "label": "contradiction"},
]


def overlap(premise: str, hypothesis: str | None) -> str:  # noqa: ARG001
    return "contradiction" if "not" in str(hypothesis).split() else "entailment"


def test_a_function_is_a_judge_and_a_list_of_dicts_is_data() -> None:
    run = grice.judge(ROWS, overlap, into=None)
    assert run.judge == "function/overlap"
    assert run.frame["answer"].to_list() == ["entailment", "entailment", "contradiction"]
    cell = grice.table(run).cell((), run.judge)
    assert cell is not None and cell.n == 3 and cell.value == pytest.approx(2 / 3)


def test_frames_are_read_as_the_rows_they_hold() -> None:
    pandas = pytest.importorskip("pandas")
    fingerprints = {
        grice.load(data).fingerprint for data in (ROWS, pl.DataFrame(ROWS), pandas.DataFrame(ROWS))
    }
    assert len(fingerprints) == 1
    renamed = pl.DataFrame(ROWS).rename({"premise": "Satz"})
    assert grice.load(renamed, premise="Satz").ids == ["0", "1", "2"]


def test_a_dict_of_probabilities_is_stored_and_none_is_invalid() -> None:
    def unsure(premise: str, hypothesis: str | None) -> dict[str, float] | None:  # noqa: ARG001
        if premise.startswith("Bo"):
            return None
        return {"entailment": 0.2, "neutral": 0.7, "contradiction": 0.1}

    run = grice.judge(ROWS, [unsure], into=None)[0]
    assert run.frame["answer"].to_list() == ["neutral", "neutral", None]
    assert run.frame["p.neutral"].to_list() == [0.7, 0.7, None]
    assert run.fault_kinds == {"unreadable": 1}


def test_an_edited_function_is_another_judge(tmp_path: Path) -> None:
    first = grice.judge(ROWS, lambda premise, hypothesis: "neutral", into=tmp_path)  # noqa: ARG005
    second = grice.judge(ROWS, lambda premise, hypothesis: "entailment", into=tmp_path)  # noqa: ARG005
    assert first.folder != second.folder


@pytest.mark.parametrize("value", [["neutral"], {"maybe": 1.0}, "perhaps"])
def test_a_function_that_returns_something_else_is_refused(value: Any) -> None:
    with pytest.raises(GriceError):
        grice.judge(ROWS, lambda premise, hypothesis: value, into=None)  # noqa: ARG005


@pytest.mark.parametrize("judge", [3, object, None])
def test_what_is_no_judge_is_refused(judge: Any) -> None:
    with pytest.raises(InputError, match="a judge is"):
        grice.judge(ROWS, judge, into=None)


@pytest.mark.parametrize("data", [[], 3, [1, 2], [{"a": 1}]])
def test_what_is_no_data_is_refused(data: Any) -> None:
    with pytest.raises(InputError):
        grice.load(data)


def test_runs_and_datasets_print_short_and_runs_yield_items(tmp_path: Path) -> None:
    stored = grice.judge(ROWS, overlap, into=tmp_path)
    assert (
        repr(stored)
        == "Run(judge='function/overlap', dataset='rows', answered=3, faults=0, open=0)"
    )
    assert len(repr(grice.load(ROWS))) < 100
    assert stored.folder is not None
    pairs = [(item.premise, reply.answer) for item, reply in grice.read_run(stored.folder).items()]
    assert pairs[0] == ("Some of the guests left.", "entailment") and len(pairs) == 3
    bare = grice.judge(ROWS, lambda premise, hypothesis: "neutral", into=tmp_path, items=False)  # noqa: ARG005
    assert bare.folder is not None
    with pytest.raises(InputError, match="stores no items"):
        grice.read_run(bare.folder).items()
