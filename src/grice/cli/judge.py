"""grice judge"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from typer import Argument, Exit, Option

from grice.cli import _flags as flags

Again = Annotated[
    str,
    Option(
        metavar="KINDS",
        help=(
            "Retry invalid responses in the same run: kinds as printed, such as"
            " timeout,http; or faults, for all."
        ),
    ),
]
DatasetName = Annotated[
    str,
    Argument(
        autocompletion=flags.complete_dataset,
        help=(
            "A dataset, phenomenon or suite by name; a CSV, TSV, JSON, Excel or Parquet file,"
            " or a folder of such."
        ),
    ),
]
ItemLimit = Annotated[
    int | None,
    Option(
        min=1,
        help=(
            "Evaluate N items only: a paradigm of each chapter's kind, a premise of"
            " each phenomenon, then whole paradigms, evenly; a larger N adds to them."
        ),
    ),
]


def judge(
    dataset: DatasetName,
    by: flags.By = None,
    judges: flags.Judges = None,
    into: flags.Into = Path("runs"),
    limit: ItemLimit = None,
    seed: flags.Seed = 0,
    part: flags.PartFlag = "",
    again: Again = "",
    settings: flags.Settings = None,
    engine: flags.EngineName = "local",
    workers: flags.Workers = 2,
    gpus: flags.Gpus = 0.0,
    dry_run: flags.DryRun = False,
    items: flags.KeepItems = True,
    keep_going: flags.KeepGoing = False,
    probe: flags.Probe = True,
    columns: flags.FileColumns = flags.FileColumns(),
    json: flags.Json = False,
) -> None:
    """Evaluate a judge on every item; each answer is saved, and the same command resumes."""
    from grice.verbs.judge import forecast
    from grice.verbs.judge import judge as run

    options: dict[str, Any] = {
        "into": into,
        "settings": flags.pairs(settings, "-M"),
        "limit": limit,
        "seed": seed,
        "part": part,
        "again": again,
    }
    options |= columns.keywords()
    specs = flags.judges_of(by, judges)
    if dry_run:
        rows = forecast(dataset, specs, **options)
        flags.show_estimate(rows, json=json)
        return
    options |= {
        "engine": engine,
        "workers": workers,
        "gpus": gpus,
        "items": items,
        "keep_going": keep_going,
        "probe": probe,
    }
    rows = [stored_run.counts() for stored_run in run(dataset, specs, **options)]
    flags.show_rows("judged", rows, json=json)
    if limit is None and any(row["open"] for row in rows):
        raise Exit(1)
