"""grice export-onnx"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from grice.cli._flags import FileColumns, Json, Settings, pairs, show


def export_onnx(
    checkpoint: Annotated[
        str, Argument(help="A cross-encoder with torch weights: a folder, or a name on the hub.")
    ],
    out: Annotated[Path, Option("--out", "-o", help="The folder to write.")],
    on: Annotated[
        str, Option("--on", help="The data on which both are asked, to count what changes.")
    ],
    precision: Annotated[str, Option(help="int8 or fp32.")] = "int8",
    limit: Annotated[int, Option(min=1, help="Ask the first N items only.")] = 1000,
    settings: Settings = None,
    columns: FileColumns = FileColumns(),
    json: Json = False,
) -> None:
    """Export a checkpoint to an ONNX folder that needs no torch; print how many answers change."""
    from grice.reporting.text import print_rows
    from grice.verbs.export_onnx import export_onnx as write

    read_as = columns.keywords()
    export_row = write(
        checkpoint,
        out,
        on,
        precision=precision,
        limit=limit,
        settings=pairs(settings, "-M"),
        **read_as,
    )
    show(export_row, json=json, text=lambda: print_rows("exported", [export_row]))
