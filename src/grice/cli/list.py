"""grice list"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from grice.cli._flags import Json, show


class Kind(StrEnum):
    datasets = "datasets"
    phenomena = "phenomena"
    judges = "judges"
    learners = "learners"
    measures = "measures"
    papers = "papers"


def list(
    kind: Annotated[Kind, typer.Argument(help="What to list.")] = Kind.datasets, json: Json = False
) -> None:
    """What there is: datasets, phenomena, judges, learners, measures, papers."""
    from grice.catalogue import listing
    from grice.report.text import print_rows

    rows = listing(kind.value)
    show(rows, json=json, text=lambda: print_rows(kind.value, rows))
