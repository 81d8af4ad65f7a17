"""Data without gold labels: what a model answers, without judging it."""

from __future__ import annotations

from dataclasses import replace

from grice.profiling.chapter import Chapter, Findings
from grice.profiling.own import answers_figure
from grice.profiling.phrases import data_name
from grice.profiling.sheets import AnswerSheet, examples
from grice.reporting.model import EVIDENCE

WHAT = (
    "There are no right answers in the data, so nothing here is right or wrong: the page shows how"
    " often each answer is given."
)
GOOD = "Give the data a gold answer, as docs/your_own.md shows, to see how many are right."


def _reads(sheet: AnswerSheet) -> bool:
    """Return whether no item has a gold label."""
    return not sheet.data.readings


def _write(sheet: AnswerSheet) -> Findings:
    figure = replace(answers_figure(sheet), rests_on=EVIDENCE)
    text = f"{figure.finding} {data_name(sheet.data.name)} has no labels."
    return Findings((figure,), sentences=(text,), examples=examples(sheet.first, ()))


unlabelled = Chapter(
    "unlabelled", "Answers", WHAT, GOOD, _reads, _write, order=95, phenomenon=False, absent=None
)
