"""grice table"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from grice.cli._flags import Format, Json, Repeated, pairs


def table(
    runs: Annotated[list[Path], Argument(help="Folders of runs on the same data.")],
    measure: Annotated[
        Repeated, Option("--measure", "-m", help="A measure, its reading after a colon; may be repeated.")
    ] = None,
    down: Annotated[Repeated, Option(help="A tag down the side; may be repeated.")] = None,
    across: Annotated[str, Option(help="A tag, or judge, across the top.")] = "judge",
    where: Annotated[
        Repeated,
        Option(
            metavar="TAG=VALUE", help="Only items with this tag; may be repeated, several values of a tag are all kept."
        ),
    ] = None,
    title: Annotated[str, Option(help="The table's title.")] = "",
    interval: Annotated[bool, Option(help="Show intervals.")] = True,
    count: Annotated[bool, Option(help="Show n.")] = True,
    digits: Annotated[int, Option(min=0, max=6, help="Decimals.")] = 3,
    format: Format = "text",
    json: Json = False,
) -> None:
    """One or more measures of one or more runs, by tags down and across, with n and intervals."""
    from grice.reporting.text import print_table
    from grice.verbs.table import table as make

    wanted: dict[str, list[str]] = {}
    for one in where or ():
        for tag, value in pairs([one], "--where").items():
            wanted.setdefault(tag, []).append(value)
    measures = measure or ["accuracy"]
    named = measures[0] if len(measures) == 1 else measures
    made = make(runs, named, down=down or [], across=across, where=wanted, title=title)
    print_table(made, format="json" if json else format, digits=digits, interval=interval, count=count)
