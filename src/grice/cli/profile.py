"""grice profile"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from grice.cli._flags import (
    EveryItem,
    Images,
    Json,
    KeepGoing,
    Probe,
    Repeated,
    Settings,
    pairs,
    show_profile,
)


def profile(
    judge: Annotated[
        str,
        Argument(
            metavar="[[NAME=]JUDGE[,KEY=VALUE…]]",
            help=(
                "The judge as provider/name, with a name for the page before and settings after;"
                " the built-in model if none is named."
            ),
        ),
    ] = "encoder/grice-mini",
    against: Annotated[
        Repeated,
        Option(
            metavar="[NAME=]JUDGE[,KEY=VALUE…]",
            help=(
                "A rival; may be repeated. 'recorded' takes the models published with a dataset,"
                " 'recorded/BERT*' those whose name fits."
            ),
        ),
    ] = None,
    data: Annotated[
        Repeated,
        Option(
            help=(
                "core, full, published, all, or any dataset, phenomenon, suite or file [default:"
                " core]; may be repeated."
            )
        ),
    ] = None,
    out: Annotated[Path, Option("--out", "-o", help="The folder of the page.")] = Path("profile"),
    chapter: Annotated[
        Repeated,
        Option(
            help="A file with a chapter of your own for the page, as ./mine.py; may be repeated."
        ),
    ] = None,
    settings: Settings = None,
    limit: Annotated[
        int | None,
        Option(
            min=1,
            help=(
                "Ask N items of each dataset only, evenly over all phenomena; on core, 120 reach"
                " every chapter and 500 every phenomenon."
            ),
        ),
    ] = None,
    seed: Annotated[int, Option(help="Handed to everything random.")] = 0,
    exchange: Annotated[
        int | None,
        Option(
            min=0,
            help=(
                "Ask this many items again with another paradigm's premise [default: 200 of a judge"
                " that costs nothing, else 0]."
            ),
        ),
    ] = None,
    people: Annotated[
        bool,
        Option(help="Put what people infer by the same words, as published, beside the judge."),
    ] = True,
    images: Images = True,
    items: EveryItem = True,
    keep_going: KeepGoing = False,
    probe: Probe = True,
    json: Json = False,
) -> None:
    """Profile one judge on every phenomenon: one page with every item behind every number."""
    from grice.verbs.profile import profile as make

    judge_profile = make(
        judge,
        against=against or [],
        data=data or ["core"],
        out=out,
        chapters=chapter or [],
        settings=pairs(settings, "-M"),
        limit=limit,
        exchange=exchange,
        people=people,
        seed=seed,
        images=images,
        items=items,
        keep_going=keep_going,
        probe=probe,
    )
    show_profile(judge_profile, json=json)
