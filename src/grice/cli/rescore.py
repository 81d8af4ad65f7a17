"""grice rescore"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from grice.cli._flags import Into, Json, show


def rescore(
    run: Annotated[Path, typer.Argument(help="The folder of a run of openai/….")],
    readout: Annotated[str, typer.Option(help="logprobs, json or text; the run's own if not given.")] = "",
    split: Annotated[bool, typer.Option("--split", help="One run for each prompt of a run with -M prompts=N.")] = False,
    into: Into = Path("runs"),
    json: Json = False,
) -> None:
    """Read the kept replies of a run again, without asking, and write the result as a new run."""
    from grice.reporting.text import print_rows
    from grice.verbs.rescore import rescore as again

    rows = again(run, into=into, readout=readout, split=split)
    show(rows, json=json, text=lambda: print_rows("read again", rows))
