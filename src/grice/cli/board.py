"""grice board"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from grice.cli import _flags as flags


def board(
    runs: Annotated[
        list[Path], Argument(help="Folders of runs, folders that hold some, or zips of grice pack.")
    ],
    out: Annotated[Path, Option("--out", "-o", help="The folder of the site.")] = Path("site"),
    selection: flags.RunFlags = flags.RunFlags(),
    pages: Annotated[bool, Option(help="Make the page of each judge's profile too.")] = True,
    items: flags.EveryItem = True,
    workers: Annotated[int, Option(min=1, help="How many processes make pages of judges.")] = 1,
    json: flags.Json = False,
) -> None:
    """Compare many judges on one static site: a table by chapters, a page per judge, all pairs."""
    from grice.reporting.text import print_rows, print_text
    from grice.verbs.board import board as make

    keep = selection.keywords()
    leaderboard = make(runs, out, pages=pages, items=items, workers=workers, **keep)

    def text() -> None:
        print_rows(
            f"{len(leaderboard.entries)} judges, {len(leaderboard.columns)} numbers each at most",
            leaderboard.rows,
        )
        names = ", ".join((*leaderboard.made[:4], *(["…"] if leaderboard.made[4:] else [])))
        new = f"made {len(leaderboard.made)} ({names})" if leaderboard.made else "nothing changed"
        print_text(f"{new}; {leaderboard.kept} kept as they were\npage: {leaderboard.page}")

    flags.show(
        {
            **leaderboard.to_json(),
            "made": leaderboard.made,
            "kept": leaderboard.kept,
            "page": leaderboard.page,
        },
        json=json,
        text=text,
    )
