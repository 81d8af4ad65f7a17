"""grice reproduce"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from grice.cli._flags import Format, Into, Json, Settings, pairs, show


def reproduce(
    paper: Annotated[str, typer.Argument(help="imppres, veridicality, conjnli, pragmeval or unli.")],
    exhibit: Annotated[
        list[str] | None,
        typer.Option("--exhibit", "-e", help="Only this table or figure, as in 'Figure 7'; may be repeated."),
    ] = None,
    by: Annotated[
        list[str] | None,
        typer.Option("--by", metavar="NAME=JUDGE", help="A judge to put beside the paper's, under a name."),
    ] = None,
    train: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="Train the paper's models into this folder first; -M then sets the training.",
        ),
    ] = None,
    settings: Settings = None,
    into: Into = Path("runs"),
    format: Format = "text",
    json: Json = False,
) -> None:
    """A paper's tables and figures computed again, ours beside the printed numbers."""
    from grice.report.exhibit import print_exhibit
    from grice.reproducing import reproduce as run

    found = run(
        paper, exhibit or [], by=pairs(by, "--by"), settings=pairs(settings, "-M"), into=into, train=train
    )

    def text() -> None:
        for one in found:
            print_exhibit(one.exhibit, one.cells, notes=one.notes, format=format)

    show([cell for one in found for cell in one.to_json()], json=json or format == "json", text=text)
