"""grice fetch"""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from grice.cli._flags import Json, show
from grice.core.errors import GriceError


def fetch(
    datasets: Annotated[list[str], typer.Argument(help="Published sets, by name.")],
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask where a licence is restricted.")] = False,
    json: Json = False,
) -> None:
    """Published files from their authors, by checksum, into the data folder (GRICE_DATA)."""
    from grice.reporting.text import print_rows
    from grice.verbs.fetch import fetch as run

    ask = sys.stdin.isatty() and not yes
    rows = run(datasets, confirm=lambda _: not ask or typer.confirm("Fetch it under these terms?", err=True))
    show(rows, json=json, text=lambda: print_rows("fetched", rows))
    failed = [row["problem"] for row in rows if row["state"] == "failed"]
    if failed:
        raise GriceError(f"{len(failed)} of {len(rows)} files were not fetched; the first: {failed[0]}")
