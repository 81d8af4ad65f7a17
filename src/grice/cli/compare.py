"""grice compare"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from typer import Argument, Exit, Option

from grice.cli._flags import Format, Json, show


def compare(
    first: Annotated[Path, Argument(help="A run.")],
    second: Annotated[Path, Argument(help="Another run on the same data.")],
    reading: Annotated[str, Option("--reading", "-r", help="The gold answers to compare against.")] = "",
    by: Annotated[str, Option(help="Compare within each value of this tag.")] = "",
    items: Annotated[int, Option(min=0, help="Also show this many items on which the two differ.")] = 0,
    fail_under: Annotated[
        float | None, Option(help="Exit with code 3 if the first run is right in less than this share.")
    ] = None,
    fail_worse: Annotated[
        float | None,
        Option(
            help="Exit with code 3 if the first run is worse than the second by more than this, overall or in a stratum, and surely so."
        ),
    ] = None,
    format: Format = "text",
    json: Json = False,
) -> None:
    """Two runs on the same items: paired difference, interval and test by swapping whole paradigms between the two (McNemar's where there are none), Holm over the strata."""
    from grice.reporting.text import print_comparison
    from grice.verbs.compare import compare as run

    found = run(first, second, reading=reading, by=by, items=items)
    show(found.to_json(), json=json or format == "json", text=lambda: print_comparison(found, format=format))
    failed = found.failures(fail_under=fail_under, fail_worse=fail_worse)
    for text in failed:
        typer.echo(f"grice: {text}", err=True)
    if failed:
        raise Exit(3)
