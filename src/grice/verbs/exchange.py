"""To and from other harnesses: what `grice exchange` does."""

from __future__ import annotations

from pathlib import Path
from typing import Any, overload

from grice import loading
from grice.core.dataset import Dataset
from grice.core.errors import InputError
from grice.core.run import Run
from grice.judges.harnesses import read_log, write_task


@overload
def exchange(  # type: ignore[overload-overlap]  # as if `log` could be the name of a column
    dataset: str | Path | Dataset, *, to: str, out: str | Path, reading: str = "", **columns: str
) -> dict[str, Any]:
    """Write a task."""


@overload
def exchange(
    dataset: str | Path | Dataset,
    *,
    log: str | Path,
    name: str = "",
    into: str | Path = "runs",
    **columns: str,
) -> Run:
    """Read a log."""


def exchange(
    dataset: str | Path | Dataset,
    *,
    to: str = "",
    out: str | Path = "",
    reading: str = "",
    log: str | Path = "",
    name: str = "",
    into: str | Path = "runs",
    **columns: str,
) -> dict[str, Any] | Run:
    """Write a dataset as a task of another harness, or read the harness's log of it back as a run.

    `to` is lm-eval or inspect, `out` the task's folder, `reading` the gold that is its target; gives what was
    written. `log` is a sample log of such a task, `name` what to call the judge, `into` where the run is kept; gives
    the run.

    >>> done = grice.exchange("quantifiers@7", to="inspect", out="task", reading="logical", groups="2")
    >>> done["task"], done["items"]
    ('grice_quantifiers_7', 24)
    """
    if bool(to and out) == bool(log):
        raise InputError("exchange takes to= and out= to write a task, or log= to read a log, and not both")
    data = loading.load(dataset, **columns)
    if log:
        return read_log(Path(log), data, judge=name).write(Path(into))
    return write_task(data, to, Path(out), reading=reading)
