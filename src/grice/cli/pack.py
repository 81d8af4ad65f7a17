"""grice pack"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from grice.cli._flags import Json, KeepItems, show_rows


def pack(
    runs: Annotated[list[Path], Argument(help="Folders of runs, or a folder that holds some.")],
    out: Annotated[Path, Option("--out", "-o", help="The archive to write, ending in .zip.")],
    items: KeepItems = True,
    json: Json = False,
) -> None:
    """Pack runs into one file; table, compare, report and show read it like a folder of runs."""
    from grice.verbs.pack import pack as write

    show_rows(f"packed into {out}", write(runs, out, items=items), json=json)
