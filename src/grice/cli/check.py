"""grice check"""

from __future__ import annotations

from typing import Annotated

from typer import Argument, Exit, Option

from grice.cli._flags import Hypothesis, Json, Label, Labels, Premise, show


def check(
    name: Annotated[
        str,
        Argument(
            help="A dataset, a phenomenon, a suite, your own ./mine.py, a file of pairs, the folder of a run, or a campaign's file."
        ),
    ],
    leaks: Annotated[bool, Option(help="Also train the two classifiers that look for labels on the surface.")] = True,
    premise: Premise = "",
    hypothesis: Hypothesis = "",
    label: Label = "",
    labels: Labels = "",
    json: Json = False,
) -> None:
    """Look for repeats, clashing labels, slips, imbalance and surface cues, or for damage to a run or to a campaign's
    answers; an error makes the exit code 1."""
    from grice.reporting.text import print_rows, print_table
    from grice.verbs.check import check as check_pairs

    report = check_pairs(name, leaks=leaks, premise=premise, hypothesis=hypothesis, label=label, labels=labels)

    def text() -> None:
        print_rows(f"{report.dataset}: {len(report.rows)} findings in {report.n} items", report.rows)
        if report.leakage is not None and report.leakage.rows:
            print_table(report.leakage)

    show(report.to_json(), json=json, text=text)
    if report.failed:
        raise Exit(1)
