"""Export to and import from other harnesses: `grice exchange`, one function per command."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from grice import loading
from grice.core.dataset import Dataset
from grice.judges.harnesses import read_log, write_task
from grice.storage.run import Run

__all__ = ["read", "write"]


def write(
    dataset: str | Path | Dataset, to: str, out: str | Path, *, reading: str = "", **columns: str
) -> dict[str, Any]:
    """Write a dataset as a task folder of another harness and return what was written.

    `to` is lm-eval or inspect, `out` the folder.

    `reading` is the gold that is its target; items without it are left out.

    >>> options = {"reading": "logical", "groups": "2"}
    >>> done = grice.exchange.write("quantifiers@7", "inspect", "task", **options)
    >>> done["task"], done["items"]
    ('grice_quantifiers_7', 30)
    """
    return write_task(loading.load(dataset, **columns), to, Path(out), reading=reading)


def read(
    log: str | Path,
    on: str | Path | Dataset,
    *,
    name: str = "",
    into: str | Path = "runs",
    **columns: str,
) -> Run:
    """Read a harness's sample log of a task back as a run, stored below `into`.

    `on` is the data that the task was written from, `name` what to call the judge.

    >>> import json
    >>> data = grice.load("quantifiers@7", groups=2)
    >>> sample = {"doc": {"id": data.ids[0]}, "filtered_resps": ["neutral"]}
    >>> _ = open("samples.jsonl", "w").write(json.dumps(sample))
    >>> grice.exchange.read("samples.jsonl", data, name="their/model").answered
    1
    """
    return read_log(Path(log), loading.load(on, **columns), judge=name).write(Path(into))
