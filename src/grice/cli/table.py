"""grice table"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from grice.cli._flags import Format, Json, pairs


def table(
    runs: Annotated[list[Path], typer.Argument(help="Folders of runs on the same data.")],
    measure: Annotated[str, typer.Option("--measure", "-m", help="A measure, its reading after a colon.")] = "accuracy",
    down: Annotated[list[str] | None, typer.Option(help="A tag down the side; may be repeated.")] = None,
    across: Annotated[str, typer.Option(help="A tag, or judge, across the top.")] = "judge",
    where: Annotated[
        list[str] | None, typer.Option(metavar="TAG=VALUE", help="Only items with this tag; may be repeated.")
    ] = None,
    title: Annotated[str, typer.Option(help="The table's title.")] = "",
    interval: Annotated[bool, typer.Option(help="Show intervals.")] = True,
    count: Annotated[bool, typer.Option(help="Show n.")] = True,
    digits: Annotated[int, typer.Option(min=0, max=6, help="Decimals.")] = 3,
    format: Format = "text",
    json: Json = False,
) -> None:
    """A measure of one or more runs, by tags down and across, with n and intervals."""
    from grice.reporting.text import print_table
    from grice.verbs.table import table as make

    made = make(runs, measure, down=down or [], across=across, where=pairs(where, "--where"), title=title)
    print_table(made, format="json" if json else format, digits=digits, interval=interval, count=count)
