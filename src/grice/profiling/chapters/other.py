"""Any other data with one answer a text: right by dataset, with macro-F1 and the most frequent answer beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import polars as pl

from grice.analysis.accuracy import accuracy
from grice.analysis.f1 import f1
from grice.core.estimate import Estimate
from grice.core.table import Measure
from grice.profiling.parts import AGREED, Chapter, Part, examples, present
from grice.profiling.phrases import above, listed, of, percent, whole
from grice.reporting.model import Figure, Mark, Number, Query, Section

RIGHT, F1 = "right", "macro-F1"
WHAT = "Data without a paradigm that this page knows: the share of right answers, and their macro-averaged F1 over all labels of the data."
GOOD = "The answer the data gives. Where its readings differ, an item counts only if they agree."


def chapter(parts: Sequence[Part]) -> Chapter | None:
    """One chapter for all such data: a row each."""
    kept = [part for part in parts if part.has(AGREED)]
    if not kept:
        return None
    short = _short([part.data.name for part in kept])
    found = [replace(number, row=short[number.row]) for part in kept for number in _numbers(part)]
    marks = tuple(Mark(short[part.data.name], RIGHT, *_most(part)) for part in kept)
    judge = kept[0].judges[0]
    headline = (_one(kept[0], found) if len(kept) == 1 else _several(found, marks, judge),)
    figure = Figure(
        "other-right", "Right answers and macro-F1", "dots", tuple(found), headline[0], names="data", across="share, or macro-F1", marks=marks,
        note="A tick is the share of the most frequent answer.",
    )  # fmt: skip
    shown = kept[0].frame.filter(pl.col(AGREED).is_not_null())
    title, data = ("Other data", f"{len(kept)} datasets") if len(kept) > 1 else (kept[0].data.name,) * 2
    section = Section("other", title, data, WHAT, GOOD, examples(shown, ("agreed",)), (), headline, (figure,))
    overview = tuple(Number(n.row, "", n.judge, n.estimate, n.query) for n in found if n.series == RIGHT)
    return Chapter(section, headline, overview, tuple(Mark(m.row, "", m.value, m.label) for m in marks))


def _short(names: Sequence[str]) -> dict[str, str]:
    """Names without the steps that all of them have, before and after: `pragmeval/STAC/dev` among its like is STAC."""
    steps = {name: name.split("/") for name in names}
    least = min(map(len, steps.values())) - 1 if len(steps) > 1 else 0
    before = next((i for i in range(least) if len({one[i] for one in steps.values()}) > 1), least)
    after = next(
        (i for i in range(least - before) if len({one[-1 - i] for one in steps.values()}) > 1), least - before
    )
    return {name: "/".join(one[before : len(one) - after]) for name, one in steps.items()}


def _numbers(part: Part) -> list[Number]:
    frame = part.frame.filter(pl.col(AGREED).is_not_null())
    measures: dict[str, Measure] = {RIGHT: accuracy("agreed"), F1: f1("agreed", part.data.scale.labels)}
    return [
        Number(
            part.data.name,
            series,
            judge,
            measure(frame.filter(pl.col("judge") == judge)),
            Query(part.index, {}, judge, "agreed"),
        )
        for series, measure in measures.items()
        for judge in present(part, frame)
    ]


def _most(part: Part) -> tuple[float, str]:
    """The share of the most frequent gold answer, and its name."""
    counts = part.first.drop_nulls(AGREED)[AGREED].value_counts(sort=True)
    return float(counts["count"][0] / counts["count"].sum()), f"most frequent answer: {counts[AGREED][0]}"


def _one(part: Part, found: Sequence[Number]) -> str:
    overall = of(found, part.judges[0], RIGHT)[0].estimate
    share, label = _most(part)
    common = label.partition(": ")[2]
    if above(overall, share):
        return f"On {part.data.name} it is right in {percent(overall)}: {whole(share)} would be {common} throughout."
    return f"On {part.data.name} it does no better than answering {common} throughout: {percent(overall)} right against {whole(share)}."


def _several(found: Sequence[Number], marks: Sequence[Mark], judge: str) -> str:
    """On which data it does better than one answer throughout; the others it does not, or not surely."""
    rights: dict[str, Estimate | None] = {n.row: n.estimate for n in of(found, judge, RIGHT)}
    better = [mark.row for mark in marks if above(rights.get(mark.row), mark.value)]
    told = f": {listed(better)}" if better else ""
    return f"On {len(better)} of {len(marks)} other datasets it surely does better than the most frequent answer{told}."
