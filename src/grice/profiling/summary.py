"""What is said at the top: warnings that hold for everything, then one line a phenomenon."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from grice.analysis.entailed import entailed
from grice.core.scale import NLI
from grice.profiling.parts import AGREED, Chapter, Part
from grice.profiling.phrases import percent, whole

ONE_LABEL = 0.95
MUCH = 0.1


def warnings(parts: Sequence[Part]) -> tuple[str, ...]:
    """A judge that says nearly always the same, hardly ever says a label that is often right, or leaves questions open."""
    return tuple(text for part in parts for text in (*_one_label(part), *_seldom(part), *_unanswered(part)))


def headlines(chapters: Sequence[tuple[Part, Chapter]], parts: Sequence[Part]) -> tuple[str, ...]:
    """The sentences of the chapters in their order, naming the data where there are several."""
    several = len(parts) > 1
    return tuple(
        f"{text} [{part.data.name}]"
        if several and part.data.name not in text and chapter.section.id != "other"
        else text
        for part, chapter in chapters
        for text in chapter.headline
    )


def _one_label(part: Part) -> list[str]:
    first = part.first.filter(pl.col("answer").is_not_null())
    if first.is_empty() or part.data.scale.numeric:
        return []
    label = str(first["answer"].mode().sort()[0])
    share = entailed(label)(first)
    if share is None or share.value < ONE_LABEL:
        return []
    return [
        f"{part.judges[0]} answers {label} to {whole(share.value)} of the items of {part.data.name}: right and wrong below tell of that habit, not of inference."
    ]


def _seldom(part: Part) -> list[str]:
    """Labels it never gives, or less than half as often as they are right, though they often are."""
    if AGREED not in part.frame.columns or part.data.scale != NLI:
        return []
    first = part.first.filter(pl.col("answer").is_not_null() & pl.col(AGREED).is_not_null())
    if first.is_empty() or first["answer"].n_unique() == 1:
        return []
    told = []
    for label in part.data.scale.labels:
        given, wanted = (
            entailed(label)(first.with_columns(pl.col(c).alias("answer"))) for c in ("answer", AGREED)
        )
        if given is None or wanted is None or wanted.value < MUCH or given.value >= wanted.value / 2:
            continue
        how = f"never answers {label}" if given.value == 0 else f"answers {label} to {percent(given)}"
        told.append(
            f"{part.judges[0]} {how} where the readings of {part.data.name} agree, and it is the right answer to {percent(wanted)}: that lean shows in all numbers."
        )
    return told


def _unanswered(part: Part) -> list[str]:
    run = part.runs[0]
    told = []
    if run.faults:
        kinds = ", ".join(f"{count} {kind}" for kind, count in run.fault_kinds.items())
        told.append(
            f"{run.judge} gave no usable answer to {run.faults:,} of {run.asked:,} items of {part.data.name} ({kinds}); they are outside every number."
        )
    if run.open:
        told.append(
            f"{run.open:,} of {run.asked:,} items of {part.data.name} were not asked; numbers are of the others."
        )
    return told
