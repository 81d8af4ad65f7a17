"""A measure of runs as a table: `grice table`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any, Unpack

import polars as pl

from grice.core.errors import InputError
from grice.core.methods import expand_methods
from grice.loading import RunLike
from grice.storage.run import join
from grice.tables.table import Measure, Table, load_measure, tabulate
from grice.verbs.run_filter import RunFilter, SameData, choose_runs

DATASET = "dataset"


def table(
    runs: RunLike | Sequence[RunLike],
    measure: str | Measure | Sequence[str] | Mapping[str, Measure] = "accuracy",
    *,
    down: str | Sequence[str] = (),
    across: str = "judge",
    where: Mapping[str, str | Sequence[str]] | None = None,
    title: str = "",
    **keep: Unpack[RunFilter],
) -> Table:
    """Tabulate measures of runs by tags in rows and columns, with n and intervals.

    Each dataset has rows of its own.

    `runs` are runs, their folders, or a zip of `pack`; `judge=` and `dataset=` select those that
    fit a pattern, and `pool=` makes one judge of several people. `measure` is a name, its reading
    after a colon, or several; a measure of agreement with `down="judge"` gives a matrix of judges.
    `where` selects items with these tags. `method`, `method.wording`, `method.readout` and others
    in rows or columns split runs made with `methods` by prompt variant.

    >>> judges = ["baseline/overlap", "baseline/random"]
    >>> runs = grice.judge("quantifiers@7", judges, into=None, limit=24)
    >>> grice.table(runs, "accuracy:logical", down="role").columns
    ('baseline/overlap', 'baseline/random')
    """
    chosen = choose_runs(runs, keep)
    named, measures = _load_measures(measure)
    downs = (down,) if isinstance(down, str) else tuple(down)
    if len(chosen) > 1 and DATASET not in (*downs, across):
        downs = (DATASET, *downs)
    title = title or f"{named} on {', '.join(same.data.name for same in chosen)}"
    if isinstance(measures, Measure) and measures.many and "judge" in downs:
        return _stacked([_matrix(title, same, measures, downs, where) for same in chosen])
    rest: dict[str, Any] = {"down": downs, "across": across, "where": where}
    by_method = any(name.partition(".")[0] == "method" for name in (*downs, across, *(where or {})))
    tables = []
    for same in chosen:
        frame = expand_methods(_frame(same)) if by_method else _frame(same)
        try:
            tables.append(tabulate(title, frame, measures, **rest))
        except InputError as error:
            if len(chosen) == 1:
                raise
            fact = f"{same.data.name}: {str(error).rstrip('.')}"
            raise InputError(f"{fact}; leave it out with --dataset") from None
    return _stacked(tables)


def _load_measures(
    measure: str | Measure | Sequence[str] | Mapping[str, Measure],
) -> tuple[str, Measure | Mapping[str, Measure]]:
    """Return what a title calls the measures, and one measure or several by name."""
    if isinstance(measure, str):
        return measure, load_measure(measure)
    if isinstance(measure, Measure):
        return measure.name, measure
    named = measure if isinstance(measure, Mapping) else {n: load_measure(n) for n in measure}
    return ", ".join(named), named


def _frame(same: SameData) -> pl.DataFrame:
    """Join responses and items, with the dataset's name as a tag unless they have one."""
    frame = join(same.data, *same.runs)
    if f"tag.{DATASET}" in frame.columns:
        return frame
    return frame.with_columns(pl.lit(same.data.name).alias(f"tag.{DATASET}"))


def _stacked(tables: Sequence[Table]) -> Table:
    """Merge tables of the same form: all rows, all columns, each note once."""
    first, *others = tables
    for further in others:
        rows = tuple(dict.fromkeys((*first.rows, *further.rows)))
        columns = tuple(dict.fromkeys((*first.columns, *further.columns)))
        notes = tuple(dict.fromkeys((*first.notes, *further.notes)))
        first = replace(
            first, rows=rows, columns=columns, cells={**first.cells, **further.cells}, notes=notes
        )
    return first


def _matrix(
    title: str,
    same: SameData,
    measure: Measure,
    down: tuple[str, ...],
    where: Mapping[str, str | Sequence[str]] | None,
) -> Table:
    """Return the pairwise agreement of judges as a matrix."""
    frame, judges = _frame(same), [run.judge for run in same.runs]
    if set(down) - {"judge", DATASET}:
        raise InputError("a matrix of judges takes no other --down; select items with --where")
    if len(judges) < 2:
        raise InputError(f"a matrix needs two judges, found '{judges[0]}' alone; give more runs")
    cells = {}
    for a, b in combinations(judges, 2):
        pair = tabulate(title, frame.filter(pl.col("judge").is_in([a, b])), measure, where=where)
        estimate = next(iter(pair.cells.values()), None)
        for first, second in ((a, b), (b, a)):
            row = tuple(first if name == "judge" else same.data.name for name in down)
            cells[row, second] = estimate
    rows = tuple(dict.fromkeys(row for row, _ in cells))
    return Table(title, down, rows, tuple(judges), cells)
