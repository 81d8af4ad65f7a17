"""grice profile"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from typer import Argument, Option

from grice.cli import _flags as flags

ProfiledJudge = Annotated[
    str,
    Argument(
        metavar="[[NAME=]JUDGE[,KEY=VALUE…]]",
        help=(
            "The judge as provider/name, with a name for the page before and settings after;"
            " the built-in model if none is named."
        ),
    ),
]
ComparedJudges = Annotated[
    flags.Repeated,
    Option(
        metavar="[NAME=]JUDGE[,KEY=VALUE…]",
        help=(
            "A comparison model; may be repeated. 'recorded' takes the models"
            " published with a dataset, 'recorded/BERT*' those whose name fits, 'panel/NAME'"
            " one of which the answers to the suites ship with grice."
        ),
    ),
]
DataNames = Annotated[
    flags.Repeated,
    Option(
        help=(
            "core, full, published, all, or any dataset, phenomenon, suite or file (default:"
            " core); may be repeated."
        )
    ),
]
ItemsPerDataset = Annotated[
    int | None,
    Option(
        min=1,
        help=(
            "Evaluate N items of each dataset only, evenly over all phenomena; on"
            " core, 120 reach every chapter and 500 every phenomenon."
        ),
    ),
]
SwappedItems = Annotated[
    int | None,
    Option(
        min=0,
        help=(
            "Premise-swap test: evaluate this many items again with another"
            " paradigm's premise (default: 200 for a model without cost, else 0)."
        ),
    ),
]
PeopleReference = Annotated[
    bool, Option(help=("Show published human judgments of the same expressions for comparison."))
]
PanelBeside = Annotated[
    bool, Option(help="Without --against, show two recorded models beside the judge on a suite.")
]


FailUnder = Annotated[
    float | None,
    Option(
        min=0,
        max=1,
        help=(
            "Exit with code 3 if the accuracy on items with one right answer whatever the reading"
            " is below this, e.g. 0.6; invalid responses count as wrong."
        ),
    ),
]


def profile(
    judge: ProfiledJudge = "encoder/grice-mini",
    against: ComparedJudges = None,
    data: DataNames = None,
    out: Annotated[Path, Option("--out", "-o", help="The folder of the page.")] = Path("profile"),
    chapter: flags.ChapterFiles = None,
    settings: flags.Settings = None,
    limit: ItemsPerDataset = None,
    seed: flags.Seed = 0,
    exchange: SwappedItems = None,
    engine: flags.EngineName = "local",
    workers: flags.Workers = 2,
    gpus: flags.Gpus = 0.0,
    people: PeopleReference = True,
    panel: PanelBeside = True,
    images: flags.Images = False,
    pdf: flags.Pdf = False,
    items: flags.EveryItem = True,
    keep_going: flags.KeepGoing = False,
    probe: flags.Probe = True,
    dry_run: flags.DryRun = False,
    fail_under: FailUnder = None,
    json: flags.Json = False,
) -> None:
    """Profile one judge on every phenomenon: one page with every item behind every number."""
    from grice.verbs.profile import BelowThreshold, forecast_profile
    from grice.verbs.profile import profile as make

    work: dict[str, Any] = {"against": against or [], "data": data or ["core"], "out": out}
    work |= {"settings": flags.pairs(settings, "-M"), "limit": limit, "seed": seed}
    if dry_run:
        flags.show_estimate(forecast_profile(judge, **work), json=json)
        return
    try:
        judge_profile = make(
            judge,
            **work,
            chapters=chapter or [],
            exchange=exchange,
            engine=engine,
            workers=workers,
            gpus=gpus,
            people=people,
            images=images,
            pdf=pdf,
            items=items,
            keep_going=keep_going,
            probe=probe,
            panel=panel,
            fail_under=fail_under,
        )
    except BelowThreshold as error:
        flags.show_profile(error.profile, json=json)
        raise
    flags.show_profile(judge_profile, json=json)
