"""grice show"""

from __future__ import annotations

from typing import Annotated

from typer import Argument, Option

from grice.cli._flags import FileColumns, Json
from grice.cli._flags import show as show_value


def show(
    name: Annotated[
        str, Argument(help="A dataset, phenomenon, judge, measure, paper, file, ./mine.py or run.")
    ],
    faults: Annotated[
        bool,
        Option(
            "--faults", help="Of a run: each reply that could not be read, with what came back."
        ),
    ] = False,
    columns: FileColumns = FileColumns(),
    json: Json = False,
) -> None:
    """Describe one entry: a dataset's card and first items, a paper's results, a run's counts."""
    from grice.reporting.text import print_description
    from grice.verbs.show import show as describe

    description = describe(name, faults=faults, **columns.keywords())
    show_value(description, json=json, text=lambda: print_description(description))
