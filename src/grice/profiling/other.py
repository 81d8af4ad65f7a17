"""Any other data with one answer a text: right by task, with macro-F1 and the most frequent answer beside it."""

from __future__ import annotations

import polars as pl

from grice.analysis.accuracy import accuracy
from grice.analysis.f1 import f1
from grice.core.estimate import Estimate
from grice.profiling.parts import AGREED, Chapter, Part, examples, numbers, row_column, words
from grice.profiling.phrases import above, percent
from grice.report.model import Figure, Mark, Number, Query, Section

WHAT = "Data without a paradigm that this page knows: the share of right answers, and their macro-averaged F1 over all labels."
GOOD = "The answer the data gives. Where its readings differ, an item counts only if they agree."


def chapter(part: Part) -> Chapter | None:
    """The chapter, where items have a label that all their readings share."""
    if not part.has(AGREED):
        return None
    frame = part.frame.filter(pl.col(AGREED).is_not_null())
    judge, rows = part.judges[0], row_column(frame)
    measures = {"right": accuracy("agreed"), "macro-F1": f1("agreed")}
    found = numbers(part, frame, rows, measures, where={}, reading="agreed") if rows else []
    if not rows or len({n.row for n in found}) > 60:
        found = [
            Number(
                part.data.name,
                series,
                one,
                measure(frame.filter(pl.col("judge") == one)),
                Query(part.index, {}, one, "agreed"),
            )
            for series, measure in measures.items()
            for one in part.judges
        ]
    common, share = _most(frame.filter(pl.col("judge") == judge))
    overall = accuracy("agreed")(frame.filter(pl.col("judge") == judge))
    headline = (_told(part.data.name, overall, common, share),)
    figure = Figure(
        "other", f"Right answers on {part.data.name}", "dots", tuple(found), headline[0], names="task", across="right, or macro-F1", line=share,
        note=f"The dashed line is the share of {common}, the most frequent answer.",
    )  # fmt: skip
    title = words(part.data.name)
    section = Section(
        "other", title, part.data.name, WHAT, GOOD, examples(frame, ("agreed",)), (), headline, (figure,)
    )  # fmt: skip
    shown = tuple(n for n in found if n.series == "right")
    plain = tuple(Number(n.row, "", n.judge, n.estimate, n.query) for n in shown)
    return Chapter(
        section, headline, plain, tuple(Mark(n.row, "", share, "most frequent answer") for n in plain[:1])
    )


def _told(name: str, overall: Estimate | None, common: str, share: float) -> str:
    if above(overall, share):
        return f"On {name} it is right in {percent(overall)}, against {share:.0%} for answering {common} throughout."
    return f"On {name} it does no better than answering {common} throughout: {percent(overall)} right against {share:.0%}."


def _most(mine: pl.DataFrame) -> tuple[str, float]:
    counts = mine[AGREED].value_counts(sort=True)
    return str(counts[AGREED][0]), float(counts["count"][0] / mine.height)
