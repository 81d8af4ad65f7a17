"""Computing a paper's exhibits on what is at hand: what `grice reproduce` does."""

from __future__ import annotations

import statistics
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from grice.core.exhibit import ReproducedExhibit
from grice.core.paper import Cell, Exhibit, Paper
from grice.core.settings import whole
from grice.core.shelf import PAPERS
from grice.papers.bench import LocalBench, bench


@dataclass(frozen=True)
class Training:
    """How a paper's models are trained first: into which folder, for how many seeds, which rows, how many at once.

    `slim` keeps each model's answers and not its weights.
    """

    folder: Path
    seeds: int = 1
    rows: Sequence[str] = ()
    workers: int = 1
    slim: bool = False


def reproduce(
    paper: str,
    exhibits: Sequence[str] = (),
    *,
    by: Mapping[str, str] | None = None,
    settings: Mapping[str, str] | None = None,
    into: Path | None = None,
    train: Training | None = None,
) -> list[ReproducedExhibit]:
    """Every exhibit of a paper, or those named; `by` maps a title to a judge's name.

    With `train`, the paper's models are trained first, and the settings are those of training.
    """
    found: Paper = PAPERS.find(paper)
    chosen = [found.exhibit(name) for name in exhibits] or list(found.exhibits)
    place = bench(by or {}, {} if train else settings or {}, into if by else None)
    if train is None:
        return [_computed(exhibit, place) for exhibit in chosen]
    made, told = _trained(paper, train, settings or {})
    places = [place.beside(judges) for judges in made]
    every = place.beside(
        {f"{title}#{n}": name for n, one in enumerate(made, 1) for title, name in one.items()}
    )
    return [
        _computed(exhibit, every, told)
        if exhibit.by_seed
        else over_seeds([_computed(exhibit, one, told) for one in places], set(places[0].trained))
        for exhibit in chosen
    ]


def _computed(exhibit: Exhibit, place: LocalBench, *told: str) -> ReproducedExhibit:
    before = set(place.skipped)
    cells = exhibit.cells(place)
    skipped = [
        f"{title} did not answer {data}: {why}"
        for (data, title), why in place.skipped.items()
        if (data, title) not in before
    ]
    return ReproducedExhibit(exhibit, cells, (*told, *skipped))


def over_seeds(seeds: Sequence[ReproducedExhibit], trained: Collection[str]) -> ReproducedExhibit:
    """One exhibit of several seeds: cells of trained judges become means, with the mean ends of their intervals.

    Those are over items; how much seeds differ is said beside.
    """
    first = seeds[0]
    if len(seeds) == 1:
        return first
    cells = [
        _mean(same) if same[0].judge in trained else same[0]
        for same in zip(*(one.cells for one in seeds), strict=True)
    ]
    return replace(first, cells=cells)


def _mean(cells: Sequence[Cell]) -> Cell:
    values = [cell.ours for cell in cells if cell.ours is not None]
    if len(values) < len(cells):
        return cells[0]
    told = f"mean of {len(values)} seeds, sd {statistics.stdev(values):.2g}"
    reading = f"{cells[0].reading}; {told}" if cells[0].reading else told
    # Whether it agrees in every printed digit was asked of each seed alone.
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


def _trained(paper: str, train: Training, settings: Mapping[str, str]) -> tuple[list[dict[str, str]], str]:
    from grice.papers.training import trained

    first = whole("seed", settings.get("seed", 0))
    return trained(
        paper,
        train.folder,
        {key: value for key, value in settings.items() if key != "seed"},
        seeds=range(first, first + train.seeds),
        rows=train.rows,
        workers=train.workers,
        slim=train.slim,
    )
