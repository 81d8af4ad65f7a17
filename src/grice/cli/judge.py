"""grice judge"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from grice.cli._flags import (
    EngineName,
    Hypothesis,
    Into,
    Json,
    Label,
    Labels,
    Premise,
    Settings,
    Workers,
    columns,
    pairs,
    show,
)

Again = Annotated[
    str,
    typer.Option(
        metavar="KINDS",
        help="Ask faults again, in the same run: kinds as printed, such as timeout,http; or faults, for all.",
    ),
]
DryRun = Annotated[
    bool, typer.Option("--dry-run", help="Estimate requests, tokens and cost of what is left to ask; ask nothing.")
]


def judge(
    dataset: Annotated[
        str, typer.Argument(help="A dataset, phenomenon or suite by name, or a CSV, TSV, JSON-lines or Parquet file.")
    ],
    by: Annotated[list[str], typer.Option("--by", help="A judge, as provider/name; may be repeated.")],
    into: Into = Path("runs"),
    limit: Annotated[int | None, typer.Option(min=1, help="Ask the first N items only; a later call goes on.")] = None,
    seed: Annotated[int, typer.Option(help="Handed to everything random.")] = 0,
    again: Again = "",
    settings: Settings = None,
    engine: EngineName = "local",
    workers: Workers = 2,
    gpus: Annotated[float, typer.Option(help="GPUs a ray worker takes.")] = 0.0,
    dry_run: DryRun = False,
    premise: Premise = "",
    hypothesis: Hypothesis = "",
    label: Label = "",
    labels: Labels = "",
    json: Json = False,
) -> None:
    """Ask a judge about every item; each answer is kept as it comes, and the same command resumes."""
    from grice.reporting.text import print_rows
    from grice.verbs.judge import forecast
    from grice.verbs.judge import judge as run

    given: dict[str, Any] = {
        "into": into,
        "settings": pairs(settings, "-M"),
        "limit": limit,
        "seed": seed,
        "again": again,
        **columns(premise, hypothesis, label, labels),
    }
    if dry_run:
        rows = forecast(dataset, by, **given)
        show(rows, json=json, text=lambda: print_rows("estimate", rows))
        return
    rows = [one.counts() for one in run(dataset, by, engine=engine, workers=workers, gpus=gpus, **given)]
    show(rows, json=json, text=lambda: print_rows("judged", rows))
    if limit is None and any(row["open"] for row in rows):
        raise typer.Exit(1)
