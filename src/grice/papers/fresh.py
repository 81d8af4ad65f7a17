"""A paper's design on fresh pairs, with its printed numbers: `grice reproduce PAPER --on SEED`."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

import polars as pl

from grice import loading
from grice.analysis.accuracy import accuracy
from grice.core.dataset import Dataset
from grice.core.errors import InputError, unknown
from grice.core.estimate import Estimate
from grice.generate.suites import find_suite
from grice.papers.bench import LocalBench
from grice.papers.cells import answers
from grice.tables.exhibit import ReproducedExhibit
from grice.tables.paper import Cell, Exhibit, FreshDesign, Paper

# Readings that published and fresh pairs share.
READINGS = ("label", "logical", "pragmatic", "signature")
# The labels of mined conjunctions by the paper's rules; the other reading is logic.
RULED = "gold.heuristic"
PUBLISHED, FRESH, DIFFERENCE = "published", "fresh", "difference"
COMPARED = Exhibit(
    "Published against fresh",
    "The same judge on the published and on fresh pairs: accuracy, and fresh less published",
    lambda _: (),
    (
        "The 95% interval of the difference combines those of its two sides (MOVER); it says how"
        " the sets differ, of which memory of published pairs is one reason and their texts"
        " another.",
    ),
)


def make_suites(
    sets: Mapping[str, Sequence[str]],
    adapt: Callable[[pl.DataFrame], pl.DataFrame],
    seed: int,
    groups: int | None,
) -> dict[str, Dataset]:
    """Return generated pairs by the published set that they stand for.

    `sets` names the phenomena of each set; `adapt` gives their frame the tags of the published one.
    """
    datasets = {}
    for name, phenomena in sets.items():
        parts = [find_suite(phenomenon, groups, seed).dataset() for phenomenon in phenomena]
        frame = adapt(pl.concat([part.frame for part in parts], how="diagonal"))
        datasets[name] = Dataset(f"{name}@{seed}", parts[0].scale, frame, parts[0].card)
    return datasets


def reproduce_on_fresh(
    paper: Paper, exhibits: Sequence[Exhibit], bench: LocalBench, on: str, groups: int | None
) -> list[ReproducedExhibit]:
    """Compute exhibits on generated pairs of a seed, or on a file of pairs, by the bench's judges.

    The first compares each judge's answers to the published and to the fresh pairs.
    """
    design = paper.fresh
    if isinstance(design, str):
        raise InputError(f"{paper.name} has no fresh pairs: {design}")
    if not bench.judges:
        raise InputError("--on needs a judge: name one with --by NAME=JUDGE")
    datasets = _make(design, on, groups)
    fresh = LocalBench(bench.judges, bench.into, targets=bench.targets, fresh=datasets)
    named = len(exhibits) < len(paper.exhibits)
    possible = (*design.exhibits, *(design.named if named else ()))
    if named and (odd := [exhibit.id for exhibit in exhibits if exhibit.id not in possible]):
        raise unknown(f"exhibit of {paper.name} on fresh pairs", odd[0], possible)
    tables = [_beside_print(e, fresh, bench) for e in exhibits if e.id in possible]
    skipped = [
        f"{judge} did not answer {name}: {why}" for (name, judge), why in fresh.skipped.items()
    ]
    compared = list(_compare(design, fresh, bench))
    return [ReproducedExhibit(COMPARED, compared, tuple(skipped)), *tables]


def _make(design: FreshDesign, on: str, groups: int | None) -> Mapping[str, Dataset]:
    if on.removeprefix("-").isdigit():
        return design.make(int(on), groups)
    if groups is not None:
        raise InputError("--groups is for generated pairs: give --on a seed")
    data = loading.load(on)
    if "gold.label" not in data.frame.columns:
        frame = data.frame.rename({RULED: "gold.label"}, strict=False)
        data = Dataset(data.name, data.scale, frame, data.card)
    return {design.compared[0]: data}


def _compare(design: FreshDesign, fresh: LocalBench, published: LocalBench) -> Iterator[Cell]:
    """Yield accuracy on the published and the fresh pairs of each set, and the difference."""
    for name in (name for name in design.compared if name in fresh.fresh):
        data = fresh.fresh[name]
        before, absent = answers(published, name)
        readings = [reading for reading in READINGS if f"gold.{reading}" in data.frame.columns]
        for judge, frame in answers(fresh, name)[0].items():
            old_frame = before.get(judge)
            for reading in readings:
                measure = accuracy(reading)
                for part, is_part in _parts(data.frame, design.by):
                    new = measure(frame.filter(is_part))
                    old = None if old_frame is None else measure(old_frame.filter(is_part))
                    words = (name.rpartition("/")[2], reading if readings[1:] else "", part)
                    yield from _pair(", ".join(filter(None, words)), judge, old, new, absent)


def _parts(frame: pl.DataFrame, by: str) -> Iterator[tuple[str, pl.Expr]]:
    yield "", pl.lit(True)
    column = f"tag.{by}"
    for value in sorted(frame[column].drop_nulls().unique()) if column in frame.columns else ():
        yield str(value), pl.col(column) == value


def _pair(
    row: str, judge: str, old: Estimate | None, new: Estimate | None, absent: str, start: str = ""
) -> Iterator[Cell]:
    make = partial(Cell.make, row, judge=judge, kind="yours")
    difference = None if old is None or new is None else subtract(new, old)
    for column, estimate in ((PUBLISHED, old), (FRESH, new), (DIFFERENCE, difference)):
        yield make(f"{start} {column}".strip(), ours=estimate, reason=absent)


def subtract(first: Estimate, second: Estimate) -> Estimate:
    """Return a difference of independent estimates with the MOVER interval (Newcombe 1998)."""
    value, n = first.value - second.value, first.n + second.n
    ends = (first.low, first.high, second.low, second.high)
    if any(end is None for end in ends):
        return Estimate(value, n)
    low, high, low_2, high_2 = (float(end or 0.0) for end in ends)
    return Estimate(
        value,
        n,
        value - math.hypot(first.value - low, high_2 - second.value),
        value + math.hypot(high - first.value, second.value - low_2),
    )


def _beside_print(exhibit: Exhibit, fresh: LocalBench, published: LocalBench) -> ReproducedExhibit:
    """Return an exhibit with its printed numbers and the judges' on published and fresh pairs."""
    before = {_key(c): c for c in exhibit.cells(published) if c.judge in published.judges}
    cells: dict[tuple[str, str, str, str], Cell] = {}
    for cell in exhibit.cells(fresh):
        if cell.judge in fresh.judges:
            for part in _fresh_cells(cell, before.get(_key(cell))):
                cells.setdefault(_key(part), part)
        elif cell.judge and cell.published is not None and cell.reading in ("", "corrected"):
            printed = replace(cell, reading="", ours=None, agrees=None, reason="", kind="model")
            cells.setdefault(_key(printed), printed)
    return ReproducedExhibit(replace(exhibit, chart="", notes=()), list(cells.values()))


def _fresh_cells(cell: Cell, before: Cell | None) -> Iterator[Cell]:
    old, new = (None if c is None else _estimate(c) for c in (before, cell))
    start = "" if cell.column == cell.judge else cell.column
    for part in _pair(cell.row, cell.judge, old, new, cell.reason or "not answered", start):
        yield replace(part, reading=cell.reading)


def _estimate(cell: Cell) -> Estimate | None:
    return None if cell.ours is None else Estimate(cell.ours, cell.n, cell.low, cell.high)


def _key(cell: Cell) -> tuple[str, str, str, str]:
    return cell.row, cell.column, cell.judge, cell.reading
