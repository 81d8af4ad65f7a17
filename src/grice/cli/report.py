"""grice report"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from grice.cli._flags import Json, show_profile


def report(
    runs: Annotated[
        list[Path], typer.Argument(help="Folders of runs; the first one's judge is profiled, the others are rivals.")
    ],
    out: Annotated[Path, typer.Option("--out", "-o", help="The folder of the page.")] = Path("report"),
    images: Annotated[bool, typer.Option(help="Also write each chart as svg, png and pdf.")] = True,
    items: Annotated[
        bool, typer.Option(help="Put every item on the page; --no-items for data whose sentences may not be passed on.")
    ] = True,
    json: Json = False,
) -> None:
    """The page of a profile from any runs you have."""
    from grice.verbs.report import report as make

    made = make(runs, out, images=images, items=items)
    show_profile(made, json=json)
