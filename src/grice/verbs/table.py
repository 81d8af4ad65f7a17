"""A measure of runs as a table: `grice table`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any, Unpack

import numpy as np
import polars as pl

from grice.analysis.statistics.baselines import shuffle_answers
from grice.core.errors import InputError
from grice.core.estimate import Estimate
from grice.core.methods import expand_methods
from grice.loading import RunLike
from grice.storage.run import join
from grice.tables.table import Measure, Table, load_measure, tabulate
from grice.verbs.run_filter import RunFilter, SameData, choose_runs

DATASET = "dataset"
SHUFFLES, NOT_READING = 40, ", not reading"


def table(
    runs: RunLike | Sequence[RunLike],
    measure: str | Measure | Sequence[str] | Mapping[str, Measure] = "accuracy",
    *,
    down: str | Sequence[str] = (),
    across: str = "judge",
    where: Mapping[str, str | Sequence[str]] | None = None,
    title: str = "",
    blind: bool = False,
    **keep: Unpack[RunFilter],
) -> Table:
    """Tabulate measures of runs by tags in rows and columns, with n and intervals.

    Each dataset has rows of its own.

    `runs` are runs, their folders, or a zip of `pack`; `judge=` and `dataset=` select those that
    fit a pattern, and `pool=` makes one judge of several people. `measure` is a name, its reading
    after a colon, or several; a measure of agreement with `down="judge"` gives a matrix of judges.
    `where` selects items with these tags. `method`, `method.wording`, `method.readout` and others
    in rows or columns split runs made with `methods` by prompt variant. `blind` adds the
    shuffled-answer baseline of each judge, and the best constant label.

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
    make = _with_blind if blind else tabulate
    by_method = any(name.partition(".")[0] == "method" for name in (*downs, across, *(where or {})))
    tables = []
    for same in chosen:
        frame = expand_methods(_frame(same)) if by_method else _frame(same)
        try:
            tables.append(make(title, frame, measures, **rest))
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


def _with_blind(
    title: str, frame: pl.DataFrame, measures: Measure | Mapping[str, Measure], **rest: Any
) -> Table:
    """Add a shuffled-answer baseline to each judge, and a column for the best constant label."""
    if rest["across"] != "judge":
        raise InputError(
            "the shuffled-answer baseline is a column beside each judge; give --across judge, not"
            f" '{rest['across']}'"
        )
    base = tabulate(title, frame, measures, **rest)
    drawn = [
        tabulate(title, shuffle_answers(frame, seed), measures, **rest) for seed in range(SHUFFLES)
    ]
    cells = dict(base.cells)
    for key in base.cells:
        shuffled = [value for table in drawn if (value := table.cells.get(key)) is not None]
        cells[key[0], key[1] + NOT_READING] = _over_shuffles(shuffled)
    constant = _best_constant(title, frame, measures, rest)
    columns = tuple(name for column in base.columns for name in (column, column + NOT_READING))
    note = (
        "“not reading”: the same answers shuffled over the items of a set, mean and middle 95% of"
        f" {SHUFFLES} shuffles"
    )
    table = replace(base, columns=columns, cells=cells, notes=(*base.notes, note))
    if constant is None:
        return table
    return replace(table, columns=(*columns, *constant.columns), cells={**cells, **constant.cells})


def _over_shuffles(estimates: Sequence[Estimate]) -> Estimate | None:
    values = sorted(estimate.value for estimate in estimates)
    if not values:
        return None
    low, high = (float(np.quantile(values, share)) for share in (0.025, 0.975))
    return Estimate(float(np.mean(values)), max(estimate.n for estimate in estimates), low, high)


def _best_constant(
    title: str,
    frame: pl.DataFrame,
    measures: Measure | Mapping[str, Measure],
    rest: Mapping[str, Any],
) -> Table | None:
    """Return the constant label with the best mean over the rows, as a judge; None for numbers."""
    labels = [column.removeprefix("p.") for column in frame.columns if column.startswith("p.")]
    items = frame.unique("id", keep="first", maintain_order=True)
    empty = [c for c in frame.columns if c.startswith("p.") or c == "fault"]
    items = items.with_columns(pl.lit(None, frame.schema[c]).alias(c) for c in empty)
    tables = []
    for label in labels:
        said, judge = pl.lit(label).alias("answer"), pl.lit(f"always {label}").alias("judge")
        tables.append(tabulate(title, items.with_columns(said, judge), measures, **rest))

    def worth(table: Table) -> float:
        values = [estimate.value for estimate in table.cells.values() if estimate]
        return float(np.mean(values)) if values else -1.0

    return max(tables, key=worth, default=None)


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
