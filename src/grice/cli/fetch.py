"""grice fetch"""

from __future__ import annotations

import sys
from typing import Annotated

import typer
from typer import Argument, Option

from grice.cli._flags import Json, show_rows
from grice.core.errors import GriceError


def fetch(
    datasets: Annotated[list[str], Argument(help="Published sets, by name.")],
    yes: Annotated[
        bool, Option("--yes", "-y", help="Do not ask where a licence is restricted.")
    ] = False,
    json: Json = False,
) -> None:
    """Download published files into the data folder (GRICE_DATA) and verify their checksums."""
    from grice.verbs.fetch import fetch as run

    ask = sys.stdin.isatty() and not yes
    rows = run(
        datasets,
        confirm=lambda _: not ask or typer.confirm("Fetch it under these terms?", err=True),
    )
    show_rows("fetched", rows, json=json)
    failed = [row["problem"] for row in rows if row["state"] == "failed"]
    if failed:
        raise GriceError(
            f"{len(failed)} of {len(rows)} files were not fetched; the first: {failed[0]}"
        )
