"""Title, citation and notes of a paper and its exhibits, read from its `paper.toml`."""

from __future__ import annotations

import tomllib
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from grice.core.estimate import Estimate
from grice.core.words import read_rows
from grice.tables.paper import (
    STATUS_TEXT,
    Bench,
    Cell,
    CoverageStatus,
    CoveredItem,
    Exhibit,
    Experiment,
    FreshDesign,
    Paper,
)

Compute = Callable[[Bench], Iterable[Cell]]


def read_paper(
    path: Path,
    computed: Mapping[str, Compute],
    *,
    experiment: Experiment | None = None,
    recipe: Mapping[str, str | float] | None = None,
    fresh: FreshDesign | None = None,
) -> Paper:
    """Read a paper; `computed` maps exhibit ids to functions, illustrations aside.

    The paper is named for the folder of the file. An exhibit's notes are its own, then those that
    it names from `[shared]`.
    """
    texts = tomllib.loads(path.read_text(encoding="utf-8"))
    recorded = read_trained(path.with_name("trained.tsv"))
    shared = texts.get("shared", {})
    exhibits = [
        Exhibit(
            id,
            fields["title"],
            computed.get(id, lambda _bench: ()),
            (*fields.get("notes", ()), *(shared[name] for name in fields.get("shared", ()))),
            fields.get("digits", 3),
            fields.get("by_seed", False),
            fields.get("chart", ""),
            fields.get("differs", ""),
            tuple(recorded.get(id, ())),
        )
        for id, fields in texts["exhibits"].items()
    ]
    notes = tuple(texts.get("notes", ()))
    return Paper(
        path.parent.name,
        texts["title"],
        texts["citation"],
        tuple(exhibits),
        notes,
        experiment,
        recipe or {},
        read_coverage(path.with_name("coverage.tsv")),
        fresh or texts.get("no_fresh", "it has no design of its own to generate"),
    )


def read_trained(path: Path) -> dict[str, list[Cell]]:
    """Read what models gave that were trained here before, by exhibit; nothing without the file."""
    cells = defaultdict(list)
    rows = read_rows(path) if path.is_file() else ()
    for exhibit, row, column, value, low, high, n, how in rows:
        first, last = (float(end) if _filled(end) else None for end in (low, high))
        estimate = Estimate(float(value), int(n), first, last)
        reading = f"trained here: {how}"
        cells[exhibit].append(
            Cell.make(row, column, estimate, judge=row, kind="trained", reading=reading)
        )
    return cells


def read_coverage(path: Path) -> tuple[CoveredItem, ...]:
    """Read what a paper has and how each is had here; nothing if the paper has no such file."""
    if not path.is_file():
        return ()
    statuses: dict[str, CoverageStatus] = {status: status for status in STATUS_TEXT}
    return tuple(
        CoveredItem(section, item, _filled(exhibit), statuses[status], _filled(why))
        for section, item, exhibit, status, why in read_rows(path)
    )


def _filled(text: str) -> str:
    return "" if text == "–" else text
