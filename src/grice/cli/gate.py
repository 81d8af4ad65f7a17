"""grice gate"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from typer import Argument, Exit, Option

from grice.cli import _flags as flags

# Exit codes of a gate that does not pass.
WORSE, TOO_LITTLE_DATA = 3, 4

IgnoreInvalid = Annotated[
    bool,
    Option(
        "--ignore-invalid",
        help="Compare the items that both answered (default: a missing answer counts as wrong).",
    ),
]


def gate(
    new: Annotated[
        Path, Argument(help="Runs of the new model: a run's folder, a folder of runs, or a zip.")
    ],
    old: Annotated[Path, Argument(help="Runs of the old model.")],
    margin: Annotated[
        float, Option(help="The loss of accuracy that must be excluded, e.g. 0.03 for 3 points.")
    ] = 0.03,
    group_by: Annotated[
        flags.Repeated,
        Option(
            "--group-by",
            "-g",
            metavar="TAG",
            help="Also test each value of this tag (default: kind and phenomenon); repeatable.",
        ),
    ] = None,
    ignore_invalid: IgnoreInvalid = False,
    fail_under: Annotated[
        float | None,
        Option(help="Also fail if the accuracy of the new model is below this, e.g. 0.8."),
    ] = None,
    out: Annotated[
        flags.Repeated,
        Option(
            "--out",
            "-o",
            metavar="FILE",
            help="Write the report: .xml (JUnit), .md or .json; repeatable.",
        ),
    ] = None,
    json: flags.Json = False,
) -> None:
    """Test whether a new model is worse than an old one; for continuous integration.

    Exit code 0: a loss of the margin is excluded. 3: the new model is worse. 4: too little data to
    tell.
    """
    from grice.analysis.statistics.gating import GateOutcome
    from grice.core.errors import one_line
    from grice.core.progress import say
    from grice.verbs.gate import gate as run

    report = run(
        new,
        old,
        margin=margin,
        group_by=group_by or (),
        ignore_invalid=ignore_invalid,
        fail_under=fail_under,
    )
    for warning in report.warnings:
        say(warning)
    for path in out or []:
        report.write(path)
    flags.show(report.to_json(), json=json, text=lambda: typer.echo(one_line(report.headline)))
    if report.outcome is not GateOutcome.PASSED:
        raise Exit(WORSE if report.outcome is GateOutcome.WORSE else TOO_LITTLE_DATA)
