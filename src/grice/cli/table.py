"""grice table"""

from __future__ import annotations

from typing import Annotated

from typer import Option

from grice.cli import _flags as flags
from grice.cli._flags import Repeated, pairs

Measures = Annotated[
    Repeated,
    Option(
        "--measure",
        "-m",
        autocompletion=flags.complete_measure,
        help="A measure, its reading after a colon; may be repeated.",
    ),
]
RowTags = Annotated[
    Repeated, Option(help="A tag down the side, dataset, or judge; may be repeated.")
]
ColumnTag = Annotated[str, Option(help="A tag, dataset, or judge, across the top.")]


def table(
    runs: flags.RunFolders,
    measure: Measures = None,
    down: RowTags = None,
    across: ColumnTag = "judge",
    where: flags.Where = None,
    selection: flags.RunFlags = flags.RunFlags(),
    title: Annotated[str, Option(help="The table's title.")] = "",
    interval: Annotated[bool, Option(help="Show intervals.")] = True,
    count: Annotated[bool, Option(help="Show n.")] = True,
    digits: Annotated[int, Option(min=0, max=6, help="Decimals.")] = 3,
    chart: flags.ChartFile = None,
    format: flags.Format = "text",
    json: flags.Json = False,
) -> None:
    """Tabulate measures of runs by tags in rows and columns, with n and intervals.

    Each dataset has its rows.
    """
    from grice.reporting.text import print_table
    from grice.tables.charts import check_chart
    from grice.tables.tabular import check_format
    from grice.verbs.table import table as make

    check_format(format)
    check_chart(chart)
    wanted: dict[str, list[str]] = {}
    for condition in where or ():
        for tag, value in pairs([condition], "--where").items():
            wanted.setdefault(tag, []).append(value)
    measures = measure or ["accuracy"]
    named = measures[0] if len(measures) == 1 else measures
    keep = selection.keywords()
    result_table = make(
        runs, named, down=down or [], across=across, where=wanted, title=title, **keep
    )
    if chart:
        result_table.write_chart(chart)
    print_table(
        result_table,
        format="json" if json else format,
        digits=digits,
        interval=interval,
        count=count,
    )
