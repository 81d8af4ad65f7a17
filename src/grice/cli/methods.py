"""grice methods"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from grice.cli._flags import Json, Repeated, pairs, show, show_rows


def methods(
    run: Annotated[Path, Argument(help="A run made with -M methods=….")],
    reading: Annotated[
        str,
        Option(
            "--reading",
            "-r",
            help=("The gold labels to compare with; without it, the mean score is analysed."),
        ),
    ] = "",
    threshold: Annotated[
        float | None,
        Option(
            help=("The value that the mean is compared with (default: chance, or 0 for a score).")
        ),
    ] = None,
    where: Annotated[
        Repeated, Option(metavar="TAG=VALUE", help="Only items with this tag; may be repeated.")
    ] = None,
    json: Json = False,
) -> None:
    """Estimate prompt sensitivity: variance by wording, readout, label words and label order.

    Also an interval for a new wording, and a verdict.
    """
    from grice.reporting.text import print_text
    from grice.verbs.methods import methods as run_methods

    wanted: dict[str, list[str]] = {}
    for condition in where or ():
        for tag, value in pairs([condition], "--where").items():
            wanted.setdefault(tag, []).append(value)
    effects = run_methods(run, reading=reading, threshold=threshold, where=wanted)

    def text() -> None:
        show_rows(f"{effects.what} of {effects.judge}", effects.rows(), json=False)
        print_text(f"verdict on {effects.what} against {effects.threshold:.3g}: {effects.verdict}")
        for extreme, (name, estimate) in (("most", effects.best), ("least", effects.worst)):
            print_text(
                f"{extreme} favourable method: {name} ({estimate.value:.3f}, n={estimate.n})"
            )

    show(effects.to_json(), json=json, text=text)
