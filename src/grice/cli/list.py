"""grice list"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Annotated

from typer import Argument

from grice.cli._flags import Json, show


class ShelfName(StrEnum):
    """A registry that can be listed."""

    datasets = "datasets"
    phenomena = "phenomena"
    judges = "judges"
    learners = "learners"
    measures = "measures"
    papers = "papers"
    chapters = "chapters"


def list(
    kind: Annotated[ShelfName, Argument(help="What to list.")] = ShelfName.datasets,
    json: Json = False,
) -> None:
    """List datasets, phenomena, judges, learners, measures, papers or chapters of the page."""
    from grice.reporting.text import print_rows
    from grice.verbs.list import list_names

    rows = list_names(kind.value)
    # `grice show` prints the conditions of a licence; here its name is enough.
    brief = [{**row, "licence": _name(row["licence"])} if "licence" in row else row for row in rows]
    show(rows, json=json, text=lambda: print_rows(kind.value, brief))


def _name(licence: str) -> str:
    return re.split("[;:(]", licence)[0].strip()
