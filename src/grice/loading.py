"""The outside view in Python: names and files in, datasets, judges, runs and tables out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import polars as pl

from grice.core.dataset import Dataset
from grice.core.errors import InputError, unknown
from grice.core.judgement import Judge, Learner
from grice.core.run import evaluate as evaluate
from grice.core.run import join as join
from grice.core.shelf import DATASETS, JUDGES, MEASURES, PHENOMENA, split_name
from grice.core.source import Source
from grice.core.table import Measure, Table
from grice.core.table import tabulate as _tabulate

TABLES = (".csv", ".tsv", ".jsonl", ".ndjson")
FILES = (*TABLES, *(f"{kind}.gz" for kind in TABLES), ".parquet")


def load(name: str, **flags: str) -> Dataset:
    """A dataset by name (`imppres/modals`), fresh pairs of a phenomenon or suite (`core`, `quantifiers@7`), or any
    CSV, TSV, JSON-lines or Parquet file of pairs.

    For a file, flags may name its columns: `premise=`, `hypothesis=`, `label=`, and its `labels=a,b,c`; for a
    phenomenon or suite, `groups=50`.
    """
    if name.endswith(FILES):
        from grice.datasets.formats.file import read_file

        return read_file(Path(name), **flags)
    stem, part = split_name(name)
    if stem not in DATASETS.names():
        from grice.generate.suites import load as make

        made = make(name, groups=flags.get("groups", ""))
        if made is not None:
            return made
    return source(name).load(part)


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


def load_judge(name: str, **settings: str) -> Judge | Learner:
    """A judge by `provider/name`, with its settings: `judge("preds/answers.npy", labels="entailment,neutral,contradiction")`."""
    provider, rest = split_name(name)
    if not rest and not provider.endswith(".py"):
        raise InputError(
            f"a judge is named provider/name, not '{name}'; providers are {', '.join(JUDGES.names())}"
        )
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


def load_measure(spec: str) -> Measure:
    """A measure by name, its reading after a colon, a second argument after a comma: `lean:neutral,pragmatic`."""
    name, _, arguments = spec.partition(":")
    make = MEASURES.find(name)
    try:
        made: Measure = make(*arguments.split(",")) if arguments else make()
    except TypeError:
        raise InputError(f"'{name}' does not take '{arguments}'; see: grice show measures/{name}") from None
    return made


def tabulate(
    title: str,
    frame: pl.DataFrame,
    measures: str | Measure | Mapping[str, Measure],
    *,
    down: str | Sequence[str] = (),
    across: str = "judge",
    where: Mapping[str, str | Sequence[str]] | None = None,
) -> Table:
    """A measure of joined judgements by tags down and across; see `grice.core.table.tabulate`."""
    made = load_measure(measures) if isinstance(measures, str) else measures
    return _tabulate(title, frame, made, down=down, across=across, where=where)


__all__ = ["evaluate", "join", "load", "load_judge", "load_measure", "source", "tabulate"]
