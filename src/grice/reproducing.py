"""Computing a paper's exhibits on what is at hand: what `grice reproduce` does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grice.core.paper import Cell, Exhibit, Paper
from grice.core.shelf import PAPERS
from grice.papers._bench import bench


@dataclass(frozen=True)
class Reproduced:
    """An exhibit with its cells, and what kept a judge from answering."""

    exhibit: Exhibit
    cells: list[Cell]
    notes: tuple[str, ...] = ()

    def to_json(self) -> list[dict[str, Any]]:
        return [cell.to_json(self.exhibit.id) for cell in self.cells]


def reproduce(
    paper: str,
    exhibits: Sequence[str] = (),
    *,
    by: Mapping[str, str] | None = None,
    settings: Mapping[str, str] | None = None,
    into: Path | None = None,
    train: Path | None = None,
) -> list[Reproduced]:
    """Every exhibit of a paper, or those named; `by` maps a title to a judge's name.

    With `train`, the paper's models are trained into that folder first, and the settings are those of training.
    """
    found: Paper = PAPERS.find(paper)
    chosen = [found.exhibit(name) for name in exhibits] or list(found.exhibits)
    made, told = _trained(paper, train, settings or {})
    judges = {**made, **(by or {})}
    place = bench(judges, {} if train else settings or {}, into if judges else None)
    done = []
    for exhibit in chosen:
        before = set(place.skipped)
        cells = exhibit.cells(place)
        skipped = [
            f"{title} did not answer {data}: {why}"
            for (data, title), why in place.skipped.items()
            if (data, title) not in before
        ]
        done.append(Reproduced(exhibit, cells, (*told, *skipped)))
    return done


def _trained(
    paper: str, folder: Path | None, settings: Mapping[str, str]
) -> tuple[dict[str, str], tuple[str, ...]]:
    if folder is None:
        return {}, ()
    from grice.papers._training import trained

    made, told = trained(paper, folder, settings)
    return made, (told,)
