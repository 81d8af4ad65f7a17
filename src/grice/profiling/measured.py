"""Requested measures as a section: one figure each, over all items and by phenomenon."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import ceil, floor

from grice.analysis.statistics.baselines import set_column
from grice.core.errors import InputError
from grice.profiling.phrases import data_name
from grice.profiling.sheets import AnswerSheet, numbers
from grice.reporting.board import slug
from grice.reporting.model import EVIDENCE, Figure, Number, ProfileSection
from grice.tables.table import Measure, load_measure
from grice.tables.tabular import estimate_text

WHAT = "Requested measures over all items and for each phenomenon, as grice table computes them."
GOOD = "Unlike the claims above, they are not compared with any baseline."


def load_measures(names: Sequence[str]) -> dict[str, Measure]:
    """Load the measures by name; reject one that compares several models at once."""
    measures = {name: load_measure(name) for name in names}
    for name, measure in measures.items():
        if measure.many:
            raise InputError(
                f"'{name}' compares several judges, but the page has one number per judge; see:"
                f" grice table -m {name}"
            )
    return measures


def measured(sheets: Sequence[AnswerSheet], names: Sequence[str]) -> tuple[ProfileSection, ...]:
    """Return the section of these measures; empty if none are requested."""
    figures = [_figure(sheets, name, measure) for name, measure in load_measures(names).items()]
    if not figures:
        return ()
    sentences = tuple(f"{figure.title}: {figure.finding}" for figure in figures)
    data = ", ".join(data_name(sheet.data.name) for sheet in sheets)
    return (
        ProfileSection(
            "measures", "Measures", data, WHAT, GOOD, sentences=sentences, figures=tuple(figures)
        ),
    )


def _figure(sheets: Sequence[AnswerSheet], name: str, measure: Measure) -> Figure:
    all_numbers: list[Number] = []
    wrong: list[InputError] = []
    for sheet in sheets:
        row_name = "all items" if len(sheets) == 1 else f"all of {data_name(sheet.data.name)}"
        by = set_column(sheet.frame)
        try:
            overall = numbers(sheet, sheet.frame, "", {"": measure})
            all_numbers += [replace(number, row=row_name) for number in overall]
            all_numbers += numbers(sheet, sheet.frame, by, {"": measure}) if by else []
        except InputError as error:
            wrong.append(error)
    estimated = [number for number in all_numbers if number.estimate]
    if not estimated:
        raise (
            wrong[0]
            if wrong
            else InputError(
                f"no judge has a number of '{name}' on these data; see: grice show measures/{name}"
            )
        )
    ends = [
        end
        for n in estimated
        if n.estimate
        for end in (n.value, n.estimate.low, n.estimate.high)
        if end is not None
    ]
    first = "; ".join(
        f"{n.judge} {estimate_text(n.estimate, count=True)}"
        for n in estimated
        if n.row == estimated[0].row
    )
    return Figure(
        f"measures-{slug(name)}",
        name,
        "dots",
        tuple(estimated),
        f"{estimated[0].row}: {first}.",
        names="phenomenon",
        across=name,
        rests_on=EVIDENCE,
        domain=(min(0.0, floor(10 * min(ends)) / 10), max(1.0, ceil(10 * max(ends)) / 10)),
    )
