"""`grice.exchange`: a task out, and its log back as a run that is kept."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.hand import three

import grice
from grice.core.errors import InputError


def test_what_is_written_as_a_task_comes_back_as_a_kept_run(tmp_path: Path) -> None:
    done = grice.exchange(three(), to="lm-eval", out=tmp_path / "task")
    items = [json.loads(line) for line in (tmp_path / "task/items.jsonl").read_text().splitlines()]
    assert done["items"] == len(items) == 3
    log = tmp_path / "samples_hand.jsonl"
    log.write_text("\n".join(json.dumps({"doc": item, "filtered_resps": [item["target"]]}) for item in items))
    run = grice.exchange(three(), log=log, name="their/m", into=tmp_path / "runs")
    assert run.folder and grice.read_run(run.folder).answered == 3
    cell = grice.table(run).cell((), "their/m")
    assert cell and cell.value == 1.0


def test_a_task_and_a_log_at_once_or_neither_is_refused(tmp_path: Path) -> None:
    for given in ({}, {"to": "inspect"}, {"to": "inspect", "out": "task", "log": "log.json"}):
        with pytest.raises(InputError, match="and not both"):
            grice.exchange(three(), **given)  # type: ignore[call-overload]
    assert not list(tmp_path.iterdir())
