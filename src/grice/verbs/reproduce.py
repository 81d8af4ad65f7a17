"""Reproduction of a paper's tables and figures: `grice reproduce`."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from grice.cluster import LOCAL, Cluster
from grice.core.errors import InputError
from grice.core.judge_spec import JudgeSpec
from grice.core.shelf import PAPERS
from grice.learners.training.arguments import TrainingArguments
from grice.papers.bench import LocalBench, bench
from grice.papers.fresh import reproduce_on_fresh
from grice.tables.exhibit import ReproducedExhibit
from grice.tables.paper import Cell, CellKind, Exhibit, Paper


def reproduce(
    paper: str,
    exhibits: Sequence[str] = (),
    *,
    by: Mapping[str, str | JudgeSpec] | None = None,
    settings: Mapping[str, str] | None = None,
    into: Path | None = None,
    train: Path | None = None,
    rows: Sequence[str] = (),
    seeds: int = 1,
    engine: str = "local",
    workers: int = 1,
    gpus: float = 0.0,
    slim: bool = False,
    quick: bool = False,
    targets: int = 0,
    on: str = "",
    groups: int | None = None,
) -> list[ReproducedExhibit]:
    """Compute every table and figure of a paper, or those named.

    `by` maps a title to the name of a judge to show with the paper's.

    A cell's `kind` says what it was computed from: "data", a "model" whose answers were released,
    one "trained" here, "yours", or the "print" alone, a check that has no `ours` and does not
    count as agreement. With `train`, a folder, the paper's models are trained there first, with
    `settings` for training: for all its `rows` or those named, for `seeds` seeds, with `workers` in
    parallel; `engine="ray"` uses those of a Ray cluster, each with `gpus`. `slim` stores answers
    and no weights; `quick` is a trial of one epoch over small samples.

    `on` is a seed of fresh pairs of the paper's design, with `groups` of each phenomenon,
    and the judges of `by` are compared on published and fresh pairs; or a file of pairs, such as
    mined ones. `targets` puts so many verbs into each sentence of veridicality's substitutions; 0
    puts in all.

    >>> (exhibit,) = reproduce("unli", ["Section 2"])
    >>> exhibit.cells[-1].row, round(exhibit.cells[-1].checked, 1), exhibit.cells[-1].published
    ('share of SNLI', 10.8, 12)
    """
    is_training = train is not None
    cluster = Cluster(engine, workers, gpus)
    if not is_training and (rows or slim or quick or seeds > 1 or cluster != LOCAL):
        raise InputError(
            "--row, --seeds, --engine, --workers, --gpus, --slim and --quick need --train FOLDER"
        )
    _refuse_unused(is_training, bool(by), targets, on, groups)
    loaded_paper: Paper = PAPERS.find(paper)
    chosen = [loaded_paper.exhibit(name) for name in exhibits] or list(loaded_paper.exhibits)
    paper_bench = bench(by or {}, {} if train else settings or {}, into if by else None, targets)
    if on:
        return reproduce_on_fresh(loaded_paper, chosen, paper_bench, on, groups)
    if train is None:
        return [_compute(exhibit, paper_bench) for exhibit in chosen]
    if loaded_paper.experiment is None:
        raise InputError(f"the paper '{paper}' has no models to train; leave out --train")
    train_models = partial(
        loaded_paper.experiment.train, train, rows=rows, cluster=cluster, slim=slim, quick=quick
    )
    return _train_and_compute(chosen, paper_bench, train_models, dict(settings or {}), seeds)


def _refuse_unused(
    is_training: bool, has_judges: bool, targets: int, on: str, groups: int | None
) -> None:
    """Refuse options that would have no effect together with the others."""
    if targets and (is_training or not has_judges):
        raise InputError("--targets needs a judge: name one with --by, without --train")
    if on and is_training:
        raise InputError("--on needs no --train: name the trained model with --by")
    if groups is not None and not on:
        raise InputError("--groups needs --on SEED")


def _train_and_compute(
    exhibits: Sequence[Exhibit],
    paper_bench: LocalBench,
    train_models: Callable[..., tuple[list[dict[str, str]], str]],
    options: dict[str, str],
    seeds: int,
) -> list[ReproducedExhibit]:
    """Train the paper's models for each seed, and compute exhibits with their mean over seeds."""
    first = TrainingArguments().with_settings({"seed": options.pop("seed", 0)}).seed
    numbers = range(first, first + seeds)
    trained, note = train_models(options, seeds=numbers)
    benches = [paper_bench.with_trained(judges) for judges in trained]
    every = {
        f"{title}#{n}": name
        for n, judges in enumerate(trained, 1)
        for title, name in judges.items()
    }
    together = paper_bench.with_trained(every)
    return [
        (
            _compute(exhibit, together, note)
            if exhibit.by_seed
            else mean_over_seeds(
                [_compute(exhibit, seed_bench, note) for seed_bench in benches],
                set(benches[0].trained),
            )
        )
        for exhibit in exhibits
    ]


def _compute(exhibit: Exhibit, bench: LocalBench, *notes: str) -> ReproducedExhibit:
    before = set(bench.skipped)
    cells = [replace(cell, kind=_kind(cell, bench)) for cell in exhibit.cells(bench)]
    if not bench.trained:
        printed = {(cell.row, cell.column): cell.published for cell in cells}
        cells += [
            replace(cell, published=printed.get((cell.row, cell.column)))
            for cell in exhibit.recorded
        ]
    skipped = [
        f"{title} did not answer {data}: {why}"
        for (data, title), why in bench.skipped.items()
        if (data, title) not in before
    ]
    return ReproducedExhibit(exhibit, cells, (*notes, *skipped))


def _kind(cell: Cell, bench: LocalBench) -> CellKind:
    """Return the kind of a cell, which knows only that a model answered, not whose."""
    if cell.kind != "model":
        return cell.kind
    own = cell.judge.partition("#")[0] if cell.judge not in bench.judges else cell.judge
    trained = {title.partition("#")[0] for title in bench.trained}
    return "yours" if cell.judge in bench.judges else "trained" if own in trained else "model"


def mean_over_seeds(
    seeds: Sequence[ReproducedExhibit], trained: Collection[str]
) -> ReproducedExhibit:
    """Return the mean over seeds: cells of trained judges, with the mean ends of their intervals.

    The intervals are over items; the spread over seeds is reported apart. A further reading
    that not every seed has is left out.
    """
    first = seeds[0]
    if len(seeds) == 1:
        return first
    others = [{_key(cell): cell for cell in exhibit.cells} for exhibit in seeds[1:]]
    cells = []
    for cell in first.cells:
        if cell.judge not in trained or cell.ours is None:
            cells.append(cell)
        elif all(_key(cell) in cells_by_key for cells_by_key in others):
            cells.append(_mean([cell, *(cells_by_key[_key(cell)] for cells_by_key in others)]))
    return replace(first, cells=cells)


def _key(cell: Cell) -> tuple[str, str, str, str]:
    return cell.row, cell.column, cell.judge, cell.reading


def _mean(cells: Sequence[Cell]) -> Cell:
    values = [cell.ours for cell in cells if cell.ours is not None]
    if len(values) < len(cells):
        return cells[0]
    over = f"mean of {len(values)} seeds, sd {statistics.stdev(values):.2g}"
    reading = f"{cells[0].reading}; {over}" if cells[0].reading else over
    # Agreement in every printed digit is tested for single seeds only.
    return replace(
        cells[0],
        ours=statistics.mean(values),
        low=_middle([cell.low for cell in cells]),
        high=_middle([cell.high for cell in cells]),
        agrees=None,
        reading=reading,
    )


def _middle(ends: Sequence[float | None]) -> float | None:
    known = [end for end in ends if end is not None]
    return statistics.mean(known) if len(known) == len(ends) else None
