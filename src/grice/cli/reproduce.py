"""grice reproduce"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from grice.cli._flags import (
    By,
    Format,
    Into,
    Json,
    Judges,
    Repeated,
    Settings,
    judges_of,
    pairs,
    show,
)

ExhibitNames = Annotated[
    Repeated,
    Option("--exhibit", "-e", help="Only this table or figure, as in 'Figure 7'; may be repeated."),
]
TrainFolder = Annotated[
    Path | None,
    Option(
        metavar="FOLDER",
        help=(
            "Train the paper's models into this folder first; -M then sets the"
            " training, -M KIND.key=… that of one kind of model."
        ),
    ),
]
PaperRows = Annotated[
    Repeated, Option("--row", help="With --train, only this row's models; may be repeated.")
]
SeedCount = Annotated[
    int, Option(min=1, help=("With --train, the number of seeds; cells become means over them."))
]
ModelsAtOnce = Annotated[
    int, Option(min=1, help=("With --train, the number of models trained in parallel."))
]
WithoutWeights = Annotated[
    bool, Option("--slim", help=("With --train, store each model's answers but not its weights."))
]

SwapTargets = Annotated[
    int,
    Option(
        min=0,
        metavar="N",
        help=(
            "veridicality: put N verbs into each sentence, drawn by the sentence, instead of all."
            " Fewer sentences per verb make divergences larger by chance."
        ),
    ),
]


def reproduce(
    paper: Annotated[str, Argument(help="A paper of grice list papers, or your own: ./mine.py.")],
    exhibit: ExhibitNames = None,
    by: By = None,
    judges: Judges = None,
    train: TrainFolder = None,
    row: PaperRows = None,
    seeds: SeedCount = 1,
    workers: ModelsAtOnce = 1,
    slim: WithoutWeights = False,
    targets: SwapTargets = 0,
    settings: Settings = None,
    into: Into = Path("runs"),
    format: Format = "text",
    json: Json = False,
) -> None:
    """Reproduce a paper's tables and figures, with ours next to the printed numbers.

    Checks of the printed numbers are separate.
    """
    from grice.reporting.exhibit import print_exhibit
    from grice.verbs.reproduce import reproduce as run

    paper_exhibits = run(
        paper,
        exhibit or [],
        by={spec.title: spec for spec in judges_of(by, judges)} if by or judges else {},
        settings=pairs(settings, "-M"),
        into=into,
        train=train,
        rows=row or [],
        seeds=seeds,
        workers=workers,
        slim=slim,
        targets=targets,
    )

    def text() -> None:
        for reproduced in paper_exhibits:
            print_exhibit(reproduced, format=format)

    show(
        [cell for reproduced in paper_exhibits for cell in reproduced.to_json()],
        json=json or format == "json",
        text=text,
    )
