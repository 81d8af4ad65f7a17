"""grice check"""

from __future__ import annotations

from typing import Annotated

import typer

from grice.cli._flags import Hypothesis, Json, Label, Labels, Premise, columns, show


def check(
    name: Annotated[
        str, typer.Argument(help="A dataset, a phenomenon, a suite, your own ./mine.py, or a file of pairs.")
    ],
    leaks: Annotated[
        bool, typer.Option(help="Also train the two classifiers that look for labels on the surface.")
    ] = True,
    premise: Premise = "",
    hypothesis: Hypothesis = "",
    label: Label = "",
    labels: Labels = "",
    json: Json = False,
) -> None:
    """Look for repeats, clashing labels, slips, imbalance and surface cues; an error makes the exit code 1."""
    from grice.generate import checks, suites
    from grice.loading import load
    from grice.reporting.text import print_rows, print_table

    data = load(name, **columns(premise, hypothesis, label, labels))
    report = checks.check(data, balanced=suites.conditions(name), leaks=leaks)

    def text() -> None:
        rows = [{**vars(finding), "examples": " ".join(finding.examples[:2])} for finding in report.findings]
        print_rows(f"{report.dataset}: {len(rows)} findings in {report.n} items", rows)
        if report.leakage is not None and report.leakage.rows:
            print_table(report.leakage)

    show(report.to_json(), json=json, text=text)
    if report.failed:
        raise typer.Exit(1)
