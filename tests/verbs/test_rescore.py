"""Reading kept replies again: another readout, one run a prompt, and nothing asked."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest
from tests.hand import Says, three
from tests.judges.servers import Act, Script, completion, lettered, serving

from grice.core.dataset import Dataset
from grice.core.errors import InputError
from grice.core.item import Item
from grice.core.scale import UNIT
from grice.judges.providers.openai import Openai
from grice.storage.evaluation import evaluate
from grice.storage.run import Run, join
from grice.verbs.rescore import rescore
from grice.verbs.show_prompt import show_prompt


def letters(body: dict[str, Any], number: int) -> Act:  # noqa: ARG001
    tops = [("A", {"A": math.log(0.6), "B": math.log(0.4)})]
    return completion("A", "stop", logprobs=tops)


def asked(tmp_path: Path, data: Dataset, script: Script = letters, **settings: str) -> Run:
    with serving(script) as server:
        return evaluate(data, Openai("m", url=server.url, **settings), into=tmp_path / "runs")


def test_replies_are_read_again_by_another_readout_into_a_run_of_its_own(tmp_path: Path) -> None:
    entailing = lettered({"entailment": 0.6, "neutral": 0.4})
    run = asked(tmp_path, three(), entailing, readout="logprobs")
    assert run.folder is not None
    (row,) = rescore(run.folder, into=tmp_path / "runs", readout="text")
    again = Run.read(Path(row["run"]))
    assert again.frame["answer"].to_list() == ["entailment"] * 3
    assert again.frame["p.entailment"].to_list() == [None] * 3
    assert row["changed"] == 0
    assert again.folder != run.folder
    assert join(three(), run, again).height == 6
    (row,) = rescore(run.folder, into=tmp_path / "runs", readout="json")
    assert (row["kinds"], row["changed"]) == ({}, 0)


def test_an_answer_derived_by_a_rule_is_derived_again(tmp_path: Path) -> None:
    data = Dataset.from_items("u", UNIT, [Item("u/0", "p", "h")])
    entailing = lettered({"entailment": 0.6, "neutral": 0.4})
    run = asked(tmp_path, data, entailing, readout="logprobs", unit="entailment")
    assert run.folder is not None
    (row,) = rescore(run.folder, into=tmp_path / "runs", readout="text")
    assert run.frame["value"].to_list() == pytest.approx([0.6])
    assert Run.read(Path(row["run"])).frame["value"].to_list() == [1.0]


def test_a_run_without_kept_replies_is_refused_in_one_line(tmp_path: Path) -> None:
    run = evaluate(three(), Says("neutral"), into=tmp_path)
    assert run.folder is not None
    with pytest.raises(InputError, match="no stored API replies"):
        rescore(run.folder, into=tmp_path, readout="text")
    with pytest.raises(InputError, match="readout"):
        rescore(run.folder, into=tmp_path)


def test_the_prompt_of_any_item_can_be_shown_without_asking(tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    three().write(path)
    sent = show_prompt(
        str(path), "openai/m", item="hand/1", settings={"url": "http://127.0.0.1:9/v1"}
    )
    assert "Some of the 1 cakes are gone." in sent[0]["body"]["messages"][0]["content"]
    with pytest.raises(InputError, match="has no prompt"):
        show_prompt(str(path), "baseline/random")
    with pytest.raises(InputError, match="hand/9"):
        show_prompt(str(path), "openai/m", item="hand/9")
