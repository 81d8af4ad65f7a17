"""Selection of runs by judge and dataset, pooling of judges, and their data."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict

from grice import loading
from grice.core.dataset import Dataset
from grice.core.errors import InputError, unknown
from grice.core.progress import say
from grice.loading import RunLike, fits
from grice.storage.pool import pool_by
from grice.storage.run import Run
from grice.storage.run_folder import RunKind

Names = str | Sequence[str]


class RunFilter(TypedDict, total=False):
    """Keywords that table, compare and report share.

    `judge` and `dataset` keep runs whose names fit one of the patterns (`gemma*`). `pool` makes one
    judge of several: `people` of all people, `NAME=PATTERN,how=mean` of those so called. `data` is
    the data of runs that keep no items; `as_judged` reads the items that a run keeps although its
    file has changed since.
    """

    judge: Names
    dataset: Names
    pool: Names
    data: str | Path | Dataset
    as_judged: bool


@dataclass(frozen=True)
class SameData:
    """A dataset and the runs on it."""

    data: Dataset
    runs: list[Run]


def choose_runs(runs: RunLike | Sequence[RunLike], keep: RunFilter) -> list[SameData]:
    """Return the runs that the filter keeps, by dataset in the order given.

    Two versions of a dataset under one name are refused.
    """
    chosen = loading.read_runs(runs)
    for spec in listed(keep.get("pool", ())):
        chosen = pool_by(chosen, spec)
    chosen = _fitting(chosen, listed(keep.get("judge", ())), "judge", lambda run: run.judge)
    chosen = _fitting(chosen, listed(keep.get("dataset", ())), "dataset", lambda run: run.dataset)
    by_data: dict[str, list[Run]] = {}
    for run in chosen:
        by_data.setdefault(run.fingerprint, []).append(run)
    named: dict[str, Run] = {}
    for first, *_ in by_data.values():
        previous = named.setdefault(first.dataset, first)
        if previous is not first:
            places = [
                f"{run.folder or run.judge} (fingerprint {run.fingerprint})"
                for run in (previous, first)
            ]
            remedy = "judge it again, or give the runs of one state"
            raise InputError(f"'{first.dataset}' changed between {' and '.join(places)}; {remedy}")
    data, as_judged = keep.get("data", ""), keep.get("as_judged", False)
    if data and len(by_data) > 1:
        raise InputError(
            f"--data names one dataset, but the runs are on {', '.join(named)}; choose one with"
            " --dataset"
        )
    return [
        SameData(loading.load_data(same[0], data=data, as_judged=as_judged), same)
        for same in by_data.values()
    ]


def judges_of(chosen: Sequence[SameData]) -> list[str]:
    """Return the names of the judges in the order of their runs, people last."""
    runs = [run for same in chosen for run in same.runs]
    return list(
        dict.fromkeys(run.judge for run in sorted(runs, key=lambda run: run.kind is RunKind.PERSON))
    )


def without_people(chosen: Sequence[SameData], profiled: str = "") -> list[SameData]:
    """Leave out the runs of single people except the one that is `profiled`."""

    def is_kept(run: Run) -> bool:
        return run.kind is not RunKind.PERSON or run.judge == profiled

    filtered = [SameData(same.data, list(filter(is_kept, same.runs))) for same in chosen]
    left_out = sum(len(same.runs) for same in chosen) - sum(len(same.runs) for same in filtered)
    if left_out:
        say(f"left out {left_out} runs of single people; compare with all of them by --pool people")
    return [same for same in filtered if same.runs]


def listed(names: Names) -> list[str]:
    """Return one name or several as a list."""
    return [names] if isinstance(names, str) else list(names)


def _fitting(
    runs: list[Run], patterns: list[str], kind: str, name: Callable[[Run], str]
) -> list[Run]:
    known = list(dict.fromkeys(map(name, runs)))
    for pattern in patterns:
        if not any(fits(value, pattern) for value in known):
            raise unknown(kind, pattern, known)
    return [
        run for run in runs if not patterns or any(fits(name(run), pattern) for pattern in patterns)
    ]
