"""grice compare"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from grice.cli import _flags as flags

TwoJudges = Annotated[
    list[Path], Argument(help="Runs of two judges: folders, a folder that holds some, or a zip.")
]
GoldReadings = Annotated[
    flags.Repeated,
    Option("--reading", "-r", help="The gold answers to compare against; may be repeated."),
]
ComparedMeasures = Annotated[
    flags.Repeated,
    Option(
        "--measure",
        "-m",
        help=(
            "accuracy:READING, the same as --reading READING; human_likeness,"
            " energy, brier: agreement with the people who answered"
            " the items; or any other measure of one judge. May be repeated."
        ),
    ),
]
GroupBy = Annotated[
    str, Option("--group-by", "-g", metavar="TAG", help="Compare within each value of this tag.")
]
DifferingItems = Annotated[
    int, Option(min=0, help="Also show this many items on which the two differ.")
]


def compare(
    runs: TwoJudges,
    reading: GoldReadings = None,
    measure: ComparedMeasures = None,
    group_by: GroupBy = "",
    selection: flags.RunFlags = flags.RunFlags(),
    items: DifferingItems = 0,
    chart: flags.ChartFile = None,
    format: flags.Format = "text",
    json: flags.Json = False,
) -> None:
    """Compare two judges on the same items: paired difference, interval, test, Holm correction.

    The test flips the sign of whole paradigms (McNemar's where there are none).
    """
    from grice.reporting.text import print_comparison
    from grice.tables.charts import check_chart
    from grice.tables.tabular import check_format
    from grice.verbs.compare import compare as run

    check_format(format)
    check_chart(chart)
    keep = selection.keywords()
    judge_comparison = run(
        *runs, reading=reading or [], measure=measure or [], group_by=group_by, items=items, **keep
    )
    if chart:
        judge_comparison.write_chart(chart)
    flags.show(
        judge_comparison.to_json(),
        json=json or format == "json",
        text=lambda: print_comparison(judge_comparison, format=format),
    )
