"""grice report"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer
from typer import Option

from grice.cli import _flags as flags
from grice.core.errors import one_line


def report(
    runs: flags.RunFolders,
    out: Annotated[Path, Option("--out", "-o", help="The folder of the page.")] = Path("report"),
    of: Annotated[
        str,
        Option(
            metavar="JUDGE", help=("The judge that is profiled; the others are for comparison.")
        ),
    ] = "",
    chapter: flags.ChapterFiles = None,
    selection: flags.RunFlags = flags.RunFlags(),
    measure: Annotated[
        flags.Repeated,
        Option(
            "--measure",
            "-m",
            autocompletion=flags.complete_measure,
            help="A measure with a chart of its own on the page; may be repeated.",
        ),
    ] = None,
    chart: flags.ChartFile = None,
    images: flags.Images = False,
    pdf: flags.Pdf = False,
    items: flags.EveryItem = True,
    json: flags.Json = False,
) -> None:
    """Write the page of a profile from existing runs.

    With several judges it prompts for the one that is profiled.
    """
    from grice.loading import read_runs
    from grice.verbs.report import report as make
    from grice.verbs.run_filter import choose_runs, judges_of

    keep = selection.keywords()
    read = read_runs(runs)
    if not of and len(read) > 1:
        judges = judges_of(choose_runs(read, keep))
        of = _ask(judges) if len(judges) > 1 else ""
    profile = make(
        read,
        out,
        of=of,
        chapters=chapter or [],
        images=images,
        pdf=pdf,
        items=items,
        measure=measure or [],
        chart=chart,
        **keep,
    )
    flags.show_profile(profile, json=json)


def _ask(judges: list[str]) -> str:
    """Return the judge to profile: by a prompt in a terminal, otherwise the first."""
    if sys.stdin.isatty() and sys.stderr.isatty():
        named = ", ".join(f"{i} {name}" for i, name in enumerate(judges, 1))
        answer: int = typer.prompt(
            f"Which judge is profiled: {named}", default=1, type=int, err=True
        )
        return judges[min(max(answer, 1), len(judges)) - 1]
    others = " or --of ".join(judges[1:4])
    typer.echo(
        one_line(f"profiled is {judges[0]}, the first; another with --of {others}"), err=True
    )
    return judges[0]
