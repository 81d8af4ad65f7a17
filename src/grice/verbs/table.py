"""Runs by their folders, joined with their data: what `grice table` and `grice compare` read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import polars as pl

from grice import loading
from grice.core.dataset import Dataset
from grice.core.errors import InputError
from grice.core.run import Run, join
from grice.core.table import Table


def joined(folders: Sequence[Path]) -> tuple[Dataset, pl.DataFrame]:
    """The data that runs were made on, and their replies beside it; runs on different data are refused."""
    runs = named(folders)
    others = [run for run in runs if run.fingerprint != runs[0].fingerprint]
    if others:
        raise InputError(
            f"{folders[0]} and {others[0].folder} were made on other data ({runs[0].dataset}, {others[0].dataset}); give runs on the same"
        )
    data = loading.load(runs[0].dataset)
    return data, join(data, *runs)


def tabulate_runs(
    folders: Sequence[Path],
    measure: str,
    *,
    down: Sequence[str] = (),
    across: str = "judge",
    where: Mapping[str, str] | None = None,
    title: str = "",
) -> Table:
    """A measure of runs by tags, titled by what it is unless told otherwise."""
    data, frame = joined(folders)
    return loading.tabulate(
        title or f"{measure} on {data.name}", frame, measure, down=down, across=across, where=where
    )


def named(folders: Sequence[Path]) -> list[Run]:
    """The runs; where one judge was asked twice with other settings, the folder's digest tells them apart."""
    runs = [Run.read(folder) for folder in folders]
    often = Counter(run.judge for run in runs)
    return [
        replace(run, judge=f"{run.judge} {folder.name[-6:]}") if often[run.judge] > 1 else run
        for run, folder in zip(runs, folders, strict=True)
    ]
