"""A measure of runs: what `grice table` does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Unpack

import polars as pl

from grice.core.errors import InputError
from grice.core.run import join
from grice.core.table import Measure, Table, load_measure, tabulate
from grice.loading import RunLike
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
    """A measure of one or more runs, by tags down and across, with n and intervals; each dataset has rows of its own.

    `runs` are runs, their folders, or a zip of `pack`; `judge=` and `dataset=` keep those that fit a pattern, `pool=`
    makes one judge of several people. `measure` is a name, its reading after a colon, or several, which stand side by
    side; a measure of agreement with `down="judge"` gives a matrix of judges. `where` keeps only items with these tags.

    >>> runs = grice.judge("quantifiers@7", ["baseline/overlap", "baseline/random"], into=None, limit=24)
    >>> grice.table(runs, "accuracy:logical", down="role").columns
    ('baseline/overlap', 'baseline/random')
    """
    chosen = choose_runs(runs, keep)
    named = measure if isinstance(measure, str) else measure.name if isinstance(measure, Measure) else ", ".join(measure)  # fmt: skip
    measures: Measure | Mapping[str, Measure]
    if isinstance(measure, str):
        measures = load_measure(measure)
    else:
        measures = measure if isinstance(measure, Measure | Mapping) else {name: load_measure(name) for name in measure}
    downs = (down,) if isinstance(down, str) else tuple(down)
    if len(chosen) > 1 and DATASET not in (*downs, across):
        downs = (DATASET, *downs)
    title = title or f"{named} on {', '.join(one.data.name for one in chosen)}"
    if isinstance(measures, Measure) and measures.many and "judge" in downs:
        return _stacked([_matrix(title, one, measures, downs, where) for one in chosen])
    made = []
    for one in chosen:
        try:
            made.append(tabulate(title, _frame(one), measures, down=downs, across=across, where=where))
        except InputError as error:
            if len(chosen) == 1:
                raise
            raise InputError(f"{one.data.name}: {str(error).rstrip('.')}; leave it out with --dataset") from None
    return _stacked(made)


def _frame(same: SameData) -> pl.DataFrame:
    """Replies beside their items, and the dataset's name as a tag, unless the items have such a tag themselves."""
    frame = join(same.data, *same.runs)
    if f"tag.{DATASET}" in frame.columns:
        return frame
    return frame.with_columns(pl.lit(same.data.name).alias(f"tag.{DATASET}"))


def _stacked(tables: Sequence[Table]) -> Table:
    """Tables of the same form as one: all rows, all columns; a note that all of them have stands once."""
    first, *others = tables
    for other in others:
        rows = tuple(dict.fromkeys((*first.rows, *other.rows)))
        columns = tuple(dict.fromkeys((*first.columns, *other.columns)))
        notes = tuple(dict.fromkeys((*first.notes, *other.notes)))
        first = replace(first, rows=rows, columns=columns, cells={**first.cells, **other.cells}, notes=notes)
    return first


def _matrix(
    title: str, same: SameData, measure: Measure, down: tuple[str, ...], where: Mapping[str, str | Sequence[str]] | None
) -> Table:
    """Judges down and across: the agreement of each two of them."""
    frame, judges = _frame(same), [run.judge for run in same.runs]
    if set(down) - {"judge", DATASET}:
        raise InputError("a matrix of judges has no further tags down the side; choose items with --where instead")
    if len(judges) < 2:
        raise InputError(f"a matrix needs two judges, and there is '{judges[0]}' alone; give more runs")
    cells = {}
    for a, b in combinations(judges, 2):
        pair = tabulate(title, frame.filter(pl.col("judge").is_in([a, b])), measure, where=where)
        found = next(iter(pair.cells.values()), None)
        for one, other in ((a, b), (b, a)):
            cells[tuple(one if name == "judge" else same.data.name for name in down), other] = found
    rows = tuple(dict.fromkeys(row for row, _ in cells))
    return Table(title, down, rows, tuple(judges), cells)
