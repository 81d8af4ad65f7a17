"""grice reproduce"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from grice.cli._flags import (
    By,
    EngineName,
    Format,
    Gpus,
    Into,
    Json,
    Judges,
    Repeated,
    Settings,
    judges_of,
    pairs,
    show,
)

if TYPE_CHECKING:
    from grice.tables.exhibit import ReproducedExhibit

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
Trial = Annotated[
    bool,
    Option(
        "--quick", help="With --train, a trial of minutes: one epoch over 500 pairs of each set."
    ),
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
FreshPairs = Annotated[
    str,
    Option(
        metavar="SEED|FILE",
        help=(
            "Generate fresh pairs of the paper's design with this seed, or take the pairs of a file"
            " (mined ones), and compare the judges of --by on published and fresh pairs."
        ),
    ),
]
FreshGroups = Annotated[
    int | None,
    Option(min=1, help="With --on SEED, groups of each phenomenon (default: the paper's)."),
]
Full = Annotated[bool, Option("--full", help="Print every table and figure after the summary.")]
FigureFile = Annotated[
    Path | None,
    Option(
        metavar="FILE",
        help="Draw the one exhibit of -e as the paper does: .svg, .pdf, .png or .html.",
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
    engine: EngineName = "local",
    workers: ModelsAtOnce = 1,
    gpus: Gpus = 0.0,
    slim: WithoutWeights = False,
    quick: Trial = False,
    targets: SwapTargets = 0,
    on: FreshPairs = "",
    groups: FreshGroups = None,
    full: Full = False,
    chart: FigureFile = None,
    settings: Settings = None,
    into: Into = Path("runs"),
    format: Format = "text",
    json: Json = False,
) -> None:
    """Reproduce a paper's tables and figures, with ours next to the printed numbers.

    Prints a summary; --full prints every table and figure, -e those named.
    """
    from grice.verbs.reproduce import reproduce as run

    _check_chart(chart, exhibit or [])
    paper_exhibits = run(
        paper,
        exhibit or [],
        by={spec.title: spec for spec in judges_of(by, judges)} if by or judges else {},
        settings=pairs(settings, "-M"),
        into=into,
        train=train,
        rows=row or [],
        seeds=seeds,
        engine=engine,
        workers=workers,
        gpus=gpus,
        slim=slim,
        quick=quick,
        targets=targets,
        on=on,
        groups=groups,
    )
    if chart:
        paper_exhibits[-1].write_chart(chart)
    printed = paper_exhibits if full or exhibit or format != "text" else paper_exhibits[: bool(on)]
    summarized = None if exhibit or on or format != "text" else paper
    show(
        [cell for reproduced in paper_exhibits for cell in reproduced.to_json()],
        json=json or format == "json",
        text=lambda: _print(summarized, paper_exhibits, printed, format),
    )


def _check_chart(chart: Path | None, exhibits: list[str]) -> None:
    """Refuse a chart that cannot be drawn, or that is not of one table or figure."""
    from grice.core.errors import InputError
    from grice.tables.charts import check_chart

    check_chart(chart)
    if chart and len(exhibits) != 1:
        raise InputError("--chart draws one table or figure: name it with -e, as in -e 'Figure 7'")


def _print(
    paper: str | None,
    exhibits: Sequence[ReproducedExhibit],
    printed: Sequence[ReproducedExhibit],
    format: str,
) -> None:
    """Print the summary of a paper, if it is named, and the tables to show."""
    from grice.core.shelf import PAPERS
    from grice.reporting.exhibit import print_exhibit
    from grice.tables.summary import summarize

    if paper:
        print("\n".join(summarize(PAPERS.find(paper), exhibits)))
    for reproduced in printed:
        print_exhibit(reproduced, format=format)
