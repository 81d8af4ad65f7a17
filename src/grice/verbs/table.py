"""A measure of runs: what `grice table` does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import polars as pl

from grice import loading
from grice.core.dataset import Dataset
from grice.core.errors import InputError
from grice.core.methods import expand_methods
from grice.core.run import join
from grice.core.table import Measure, Table, load_measure, tabulate
from grice.loading import RunLike


def table(
    runs: RunLike | Sequence[RunLike],
    measure: str | Measure | Sequence[str] | Mapping[str, Measure] = "accuracy",
    *,
    down: str | Sequence[str] = (),
    across: str = "judge",
    where: Mapping[str, str | Sequence[str]] | None = None,
    title: str = "",
) -> Table:
    """A measure of one or more runs on the same data, by tags down and across, with n and intervals.

    `runs` are runs or their folders; `measure` is a name, its reading after a colon, or several, which stand side by
    side; `where` keeps only items with these tags. `method`, `method.wording`, `method.readout` and the like down or across
    take each way of asking by itself, of runs made with `methods`.

    >>> runs = grice.judge("quantifiers@7", ["baseline/overlap", "baseline/random"], into=None, limit=24)
    >>> grice.table(runs, "accuracy:logical", down="role").columns
    ('baseline/overlap', 'baseline/random')
    """
    data, frame = join_runs(runs)
    if any(
        name.partition(".")[0] == "method"
        for name in (*([down] if isinstance(down, str) else down), across, *(where or {}))
    ):
        frame = expand_methods(frame)
    named = measure if isinstance(measure, str) else measure.name if isinstance(measure, Measure) else ", ".join(measure)  # fmt: skip
    if not isinstance(measure, str | Measure | Mapping):
        measure = {name: load_measure(name) for name in measure}
    return tabulate(title or f"{named} on {data.name}", frame, measure, down=down, across=across, where=where)


def join_runs(runs: RunLike | Sequence[RunLike]) -> tuple[Dataset, pl.DataFrame]:
    """The data that runs were made on, and their replies beside it; runs on different data are refused."""
    found = loading.read_runs(runs)
    others = [run for run in found if run.fingerprint != found[0].fingerprint]
    if others:
        first, other = found[0], others[0]
        raise InputError(
            f"{first.folder or first.judge} and {other.folder or other.judge} were made on other data "
            f"({first.dataset}, {other.dataset}); give runs on the same"
        )
    data = loading.load_data(found[0])
    return data, join(data, *found)
