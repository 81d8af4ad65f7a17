"""grice exchange"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from typer import Argument, Option

from grice.cli._flags import FileColumns, Into, Json, Settings, flatten, pairs, show

exchange = typer.Typer(
    help="Datasets to other harnesses, and their logs back.", no_args_is_help=True
)


@exchange.command()
@flatten
def write(
    dataset: Annotated[str, Argument(help="A dataset by name, or a file.")],
    to: Annotated[str, Option("--to", help="lm-eval or inspect.")],
    out: Annotated[Path, Option("-o", "--out", help="The folder of the task.")],
    reading: Annotated[str, Option(help="Which gold is the target; the first if not given.")] = "",
    by: Annotated[
        str, Option("--by", help="The judge whose prompts, examples and readout the task has.")
    ] = "",
    settings: Settings = None,
    columns: FileColumns = FileColumns(),
    json: Json = False,
) -> None:
    """Write a dataset as a task folder of lm-evaluation-harness or Inspect."""
    from grice.reporting.text import print_rows
    from grice.verbs.exchange import write as run

    row = run(
        dataset,
        to,
        out,
        reading=reading,
        by=by or None,
        settings=pairs(settings, "-M"),
        **columns.keywords(),
    )
    show(row, json=json, text=lambda: print_rows("written", [row]))


@exchange.command()
@flatten
def read(
    log: Annotated[Path, Argument(help="samples_….jsonl of lm-eval; .json or .eval of Inspect.")],
    on: Annotated[str, Option("--on", help="The dataset that the task was written from.")],
    name: Annotated[str, Option(help="What to call the judge in tables.")] = "",
    into: Into = Path("runs"),
    columns: FileColumns = FileColumns(),
    json: Json = False,
) -> None:
    """Import a harness's sample log as a run, so that its results enter the same tables."""
    from grice.reporting.text import print_rows
    from grice.verbs.exchange import read as run

    stored_run = run(log, on, name=name, into=into, **columns.keywords())
    row = stored_run.counts()
    show(row, json=json, text=lambda: print_rows("read", [row]))
