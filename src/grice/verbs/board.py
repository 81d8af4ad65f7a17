"""Static leaderboard site of many judges from their runs: `grice board`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Unpack

from grice.loading import RunLike
from grice.profiling.board_folder import make_board
from grice.reporting.board import Board
from grice.verbs.run_filter import RunFilter, choose_runs, without_people


def board(
    runs: RunLike | Sequence[RunLike],
    out: str | Path = "site",
    *,
    pages: bool = True,
    items: bool = True,
    workers: int = 1,
    **keep: Unpack[RunFilter],
) -> Board:
    """Write a site of all judges of these runs, with a page per judge and chapter, and all pairs.

    `runs` are runs, their folders, or zips of `pack`; `judge=`, `dataset=` and `pool=` select among
    them as for `table`. A judge's page is its profile and is built again only when its runs
    changed; without `pages` there is none. Single people are left out. Without `items` the site has
    no sentence of the data. `workers` processes build pages in parallel.

    >>> judges = ["baseline/overlap", "baseline/random"]
    >>> runs = grice.judge("quantifiers@7", judges, limit=60, into=None)
    >>> found = grice.board(runs, "site", pages=False)
    >>> found.page.name, [pair["a"] for pair in found.pairs][:1]
    ('index.html', ['baseline/overlap'])
    """
    chosen = without_people(choose_runs(runs, keep))
    return make_board(
        [(same.data, same.runs) for same in chosen],
        Path(out),
        pages=pages,
        items=items,
        workers=workers,
    )
