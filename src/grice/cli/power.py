"""grice power"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from grice.cli._flags import Format, Json

ParadigmCounts = Annotated[
    list[int] | None,
    Option(
        "--paradigms",
        min=1,
        help=("A number of paradigms, to get the difference that they detect; may be repeated."),
    ),
]
StudyPeople = Annotated[
    int | None,
    Option(min=2, help="Simulate the power of a Latin-square study with this many people."),
]


def power(
    runs: Annotated[
        list[Path] | None, Argument(help="One or two pilot runs on the same data.")
    ] = None,
    reading: Annotated[str, Option("--reading", "-r", help="The gold answers of the pilot.")] = "",
    accuracy: Annotated[
        float | None, Option(help=("The mean accuracy of the two judges (0.8)."))
    ] = None,
    discordance: Annotated[
        float | None, Option(help="The share of items that one judge alone has right.")
    ] = None,
    items: Annotated[float | None, Option(help="Items in a paradigm (6).")] = None,
    icc: Annotated[
        float | None, Option(help="The correlation of two items of a paradigm (0.2).")
    ] = None,
    differences: Annotated[
        list[float] | None,
        Option("--difference", help=("A difference to detect; may be repeated.")),
    ] = None,
    paradigms: ParadigmCounts = None,
    target: Annotated[
        float, Option("--power", help=("The power: how probably a true difference is detected."))
    ] = 0.8,
    level: Annotated[
        float, Option(help=("The significance level; 0.05 / k for k comparisons."))
    ] = 0.05,
    people: StudyPeople = None,
    conditions: Annotated[int, Option(min=2, help="Conditions of that study.")] = 2,
    effect: Annotated[
        float,
        Option(help="Its difference of two conditions, in standard deviations of one answer."),
    ] = 0.4,
    format: Format = "text",
    json: Json = False,
) -> None:
    """Plan a comparison: paradigms needed and detectable differences.

    They follow from a pilot, or from assumptions. With `--people`, the power of a study with people
    and as many `--paradigms`.
    """
    if people is not None:
        _print_study_power(people, paradigms or [16, 24], conditions, effect, json=json)
        return
    from grice.reporting.text import print_table
    from grice.verbs.power import power as plan

    power_plan = plan(
        runs or (),
        reading=reading,
        accuracy=accuracy,
        discordance=discordance,
        items=items,
        icc=icc,
        differences=differences or (),
        paradigms=paradigms or (),
        target=target,
        level=level,
    )
    print_table(power_plan, format="json" if json else format)


def _print_study_power(
    people: int, paradigms: list[int], conditions: int, effect: float, *, json: bool
) -> None:
    """Print the power of a study with people, for each number of paradigms."""
    from grice.cli._flags import show_rows
    from grice.verbs.power import power_of_study

    rows = [
        {
            "people": people,
            "paradigms": count,
            "conditions": conditions,
            **power_of_study(people, count, effect=effect, conditions=conditions).to_json(),
        }
        for count in paradigms
    ]
    show_rows(f"power for a difference of {effect:g} standard deviations", rows, json=json)
