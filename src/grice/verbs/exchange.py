"""Export to and import from other harnesses: `grice exchange`, one function per command."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from grice import loading
from grice.core.dataset import Dataset
from grice.core.errors import InputError
from grice.core.judgement import Judge
from grice.judges.harness_tasks import write_task
from grice.judges.harnesses import read_log
from grice.loading import JudgeLike, SettingValue
from grice.storage.run import Run

__all__ = ["read", "write"]


def write(
    dataset: str | Path | Dataset,
    to: str,
    out: str | Path,
    *,
    reading: str = "",
    by: JudgeLike | None = None,
    settings: Mapping[str, SettingValue] | None = None,
    **columns: str,
) -> dict[str, Any]:
    """Write a dataset as a task folder of another harness and return what was written.

    `to` is lm-eval or inspect, `out` the folder. `reading` is the gold that is its target; items
    without it are left out. `by` with its `settings` is the judge whose prompts, examples and
    readout the task has, such as `hf/./SmolLM2` with `shots=3`; its scorer reads responses as
    `grice judge` does.

    >>> options = {"reading": "logical", "groups": "2"}
    >>> done = grice.exchange.write("quantifiers@7", "inspect", "task", **options)
    >>> done["task"], done["items"]
    ('grice_quantifiers_7', 30)
    """
    judge: Judge | None = None
    if by is not None:
        ((_, named),) = loading.load_judges(by, settings)
        if not isinstance(named, Judge):
            raise InputError(f"'{by}' has to be fitted first and has no prompt")
        judge = named
    data = loading.load(dataset, **columns)
    return write_task(data, to, Path(out), reading=reading, judge=judge)


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
