"""grice report"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from grice.cli._flags import EveryItem, Images, Json, show_profile


def report(
    runs: Annotated[
        list[Path], Argument(help="Folders of runs; the first one's judge is profiled, the others are rivals.")
    ],
    out: Annotated[Path, Option("--out", "-o", help="The folder of the page.")] = Path("report"),
    images: Images = True,
    items: EveryItem = True,
    json: Json = False,
) -> None:
    """The page of a profile from any runs you have."""
    from grice.verbs.report import report as make

    made = make(runs, out, images=images, items=items)
    show_profile(made, json=json)
