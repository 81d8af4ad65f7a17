"""`grice.exchange`: a task out, and its log back as a run that is kept."""

from __future__ import annotations

import json
from pathlib import Path

from tests.hand import three

import grice


def test_what_is_written_as_a_task_comes_back_as_a_kept_run(tmp_path: Path) -> None:
    done = grice.exchange.write(three(), "lm-eval", tmp_path / "task")
    items = [json.loads(line) for line in (tmp_path / "task/items.jsonl").read_text().splitlines()]
    assert done["items"] == len(items) == 3
    log = tmp_path / "samples_hand.jsonl"
    log.write_text(
        "\n".join(json.dumps({"doc": item, "filtered_resps": [item["target"]]}) for item in items)
    )
    run = grice.exchange.read(log, three(), name="their/m", into=tmp_path / "runs")
    assert run.folder and grice.read_run(run.folder).answered == 3
    cell = grice.table(run).cell((), "their/m")
    assert cell and cell.value == 1.0
