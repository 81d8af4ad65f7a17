"""grice fetch"""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from grice.cli._flags import Json, show
from grice.core.errors import GriceError


def fetch(
    datasets: Annotated[list[str], typer.Argument(help="Published sets, by name.")],
    yes: Annotated[
        bool, typer.Option("--yes", "-y", help="Do not ask where a licence is restricted.")
    ] = False,
    json: Json = False,
) -> None:
    """Published files from their authors, by checksum, into the data folder (GRICE_DATA)."""
    from grice.datasets.formats.bars import bars
    from grice.datasets.formats.fetch import fetch as fetched
    from grice.datasets.formats.fetch import is_restricted
    from grice.loading import source
    from grice.reporting.text import print_rows

    found = [source(name) for name in dict.fromkeys(datasets)]
    for one in found:
        card = one.card
        print(f"{one.name}: {card.title}\nLicence: {card.licence}\nCite: {card.citation}", file=sys.stderr)
        ask = is_restricted(card) and sys.stdin.isatty() and not yes
        if ask and not typer.confirm("Fetch it under these terms?", err=True):
            raise GriceError(f"{one.name}: not fetched, nothing was changed")
    with bars() as bar:
        rows = [file.to_json() for one in found for file in fetched(one, bar=bar)]
    show(rows, json=json, text=lambda: print_rows("fetched", rows))
    failed = [row["problem"] for row in rows if row["state"] == "failed"]
    if failed:
        raise GriceError(f"{len(failed)} of {len(rows)} files were not fetched; the first: {failed[0]}")
