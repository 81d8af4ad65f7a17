"""From names and files to datasets, judges, measures and runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from grice.core.dataset import Dataset
from grice.core.errors import InputError, unknown
from grice.core.judgement import Judge, Learner
from grice.core.run import Run
from grice.core.shelf import DATASETS, JUDGES, PHENOMENA, split_name
from grice.core.source import Source
from grice.core.table import load_measure as load_measure

TABLES = (".csv", ".tsv", ".jsonl", ".ndjson")
FILES = (*TABLES, *(f"{kind}.gz" for kind in TABLES), ".parquet")
# A run as a verb takes it: as it is, or by its folder.
RunLike = Run | str | Path
# What a setting of a judge may be given as.
SettingValue = str | float | bool


def load(
    name: str | Path | Dataset,
    *,
    groups: int | str = "",
    premise: str = "",
    hypothesis: str = "",
    label: str = "",
    labels: str = "",
) -> Dataset:
    """A dataset by name (`imppres/modals`), fresh pairs of a phenomenon or suite (`core`, `quantifiers@7`), or any
    CSV, TSV, JSON-lines or Parquet file of pairs; a dataset stays as it is.

    `groups` says how many groups of a phenomenon or suite to make. For a file, `premise`, `hypothesis` and `label`
    name its columns, and `labels="a,b,c"` its labels in order.

    >>> data = grice.load("quantifiers@7", groups=2)
    >>> len(data), data.scale.labels
    (28, ('entailment', 'neutral', 'contradiction'))
    """
    if isinstance(name, Dataset):
        return name
    name = str(name)
    stem, part = split_name(name)
    if groups and (name.endswith(FILES) or stem in DATASETS.names()):
        raise InputError(f"'{name}' has the groups it has; groups are for a phenomenon or suite")
    if name.endswith(FILES):
        from grice.datasets.formats.file import read_file

        return read_file(Path(name), premise=premise, hypothesis=hypothesis, label=label, labels=labels)
    if stem not in DATASETS.names():
        from grice.generate.suites import load as make

        made = make(name, groups=str(groups))
        if made is not None:
            return made
    return source(name).load(part)


def read_run(folder: str | Path) -> Run:
    """Open the folder of a run that `grice.judge` or `grice judge` kept.

    >>> run = grice.judge("quantifiers@7", "baseline/overlap", limit=6, into="runs")
    >>> grice.read_run(run.folder).answered
    6
    """
    return Run.read(Path(folder))


def read_runs(runs: RunLike | Sequence[RunLike]) -> list[Run]:
    """Runs as they are or by their folders; where several carry one judge's name, their folder's digest is added to it."""
    given = [runs] if isinstance(runs, RunLike) else runs
    found = [run if isinstance(run, Run) else read_run(run) for run in given]
    often = Counter(run.judge for run in found)
    return [
        replace(run, judge=f"{run.judge} {run.folder.name[-6:]}") if often[run.judge] > 1 and run.folder else run
        for run in found
    ]


def load_data(run: Run) -> Dataset:
    """The data that a run was made on: what it still knows, or what its name loads now, if that is the same."""
    data = run.data or load(run.dataset)
    if data.fingerprint != run.fingerprint:
        raise InputError(f"{run.folder or run.judge}: '{data.name}' is not the data it was made on; judge it again")
    return data


def source(name: str) -> Source:
    """The published set that a name such as `imppres/modals` belongs to."""
    stem, _ = split_name(name)
    if not stem.endswith(".py") and stem not in DATASETS.names():
        if Path(name).is_dir():
            raise InputError(f"{name}: is a folder, not a file; name the file inside it")
        known = [*DATASETS.names(), *PHENOMENA.names()]
        raise unknown("dataset", stem, known, f"A file works too: one of {', '.join(FILES)}.")
    found = DATASETS.find(stem)
    if not isinstance(found, Source):
        raise InputError(f"'{stem}' is not a dataset source")
    return found


def load_judge(name: str, **settings: SettingValue) -> Judge | Learner:
    """A judge by `provider/name`, with its settings: `load_judge("preds/answers.npy", labels="yes,no")`.

    >>> grice.load_judge("baseline/overlap").name
    'baseline/overlap'
    """
    provider, rest = split_name(name)
    if not rest and not provider.endswith(".py"):
        raise InputError(f"a judge is named provider/name, not '{name}'; providers are {', '.join(JUDGES.names())}")
    make = JUDGES.find(provider)
    try:
        made: Judge | Learner = make(rest, **settings)
    except TypeError as error:
        if "unexpected keyword" in str(error):
            raise InputError(
                f"'{provider}' does not take {str(error).rpartition('argument ')[2]}; see: grice show judges/{provider}"
            ) from None
        raise
    return made
