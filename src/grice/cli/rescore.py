"""grice rescore"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from grice.cli._flags import Into, Json, show_rows


def rescore(
    run: Annotated[Path, Argument(help="The folder of a run of openai/… or hf/….")],
    readout: Annotated[
        str, Option(help="logprobs, json or text; the run's own if not given.")
    ] = "",
    normalise: Annotated[
        str, Option(help="For hf/…: divide log-probabilities by none, tokens or bytes.")
    ] = "",
    calibrate: Annotated[
        str, Option(help="For hf/…: none, pmi or context (what labels score without content).")
    ] = "",
    into: Into = Path("runs"),
    json: Json = False,
) -> None:
    """Extract answers again from the stored replies of a run, and write them as a new run."""
    from grice.verbs.rescore import rescore as again

    choices = {"normalise": normalise, "calibrate": calibrate}
    rows = again(run, into=into, readout=readout, **choices)
    show_rows("read again", rows, json=json)
