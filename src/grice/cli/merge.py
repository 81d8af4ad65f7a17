"""grice merge"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from typer import Argument, Exit

from grice.cli import _flags as flags


def merge(
    runs: Annotated[
        list[Path], Argument(help="Folders of runs made with --part, or folders that hold some.")
    ],
    into: flags.Into = Path("runs"),
    json: flags.Json = False,
) -> None:
    """Join the parts of runs that 'grice judge --part I/N' made into whole runs."""
    from grice.verbs.merge import merge as merge_runs

    rows = [run.counts() for run in merge_runs(runs, into=into)]
    flags.show_rows("merged", rows, json=json)
    if any(row["open"] for row in rows):
        raise Exit(1)
