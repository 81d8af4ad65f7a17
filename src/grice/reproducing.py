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
) -> list[Reproduced]:
    """Every exhibit of a paper, or those named; `by` maps a title to a judge's name."""
    found: Paper = PAPERS.find(paper)
    chosen = [found.exhibit(name) for name in exhibits] or list(found.exhibits)
    place = bench(by or {}, settings or {}, into if by else None)
    done = []
    for exhibit in chosen:
        before = set(place.skipped)
        cells = exhibit.cells(place)
        skipped = [
            f"{title} did not answer {data}: {why}"
            for (data, title), why in place.skipped.items()
            if (data, title) not in before
        ]
        done.append(Reproduced(exhibit, cells, tuple(skipped)))
    return done
