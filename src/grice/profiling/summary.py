"""What is said at the top: warnings that hold for everything, then one line a phenomenon."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import zip_longest

import polars as pl

from grice.analysis.entailed import entailed
from grice.core.scale import NLI
from grice.profiling.parts import AGREED, Chapter, Part
from grice.profiling.phrases import listed, percent, whole
from grice.reporting.model import Claim, Section

ONE_LABEL = 0.95
MUCH = 0.1
MOST_WARNINGS = 3
FEW_NAMES = 4
Warn = Callable[[Part], list[str]]


def warnings(parts: Sequence[Part]) -> tuple[str, ...]:
    """A judge that says nearly always the same, hardly ever says a label that is often right, or leaves questions open."""
    kinds = (_one_label, _seldom, _unanswered)
    found = [(part, [(kind, text) for kind in kinds for text in kind(part)]) for part in parts]
    many = [
        kind for kind in kinds if sum(kind is one for _, told in found for one, _ in told) > MOST_WARNINGS
    ]
    single = [text for _, told in found for kind, text in told if kind not in many]
    return (*(_together(kind, parts) for kind in many), *single)


def _together(kind: Warn, parts: Sequence[Part]) -> str:
    """One sentence for what would be the same warning many times over."""
    struck = [part for part in parts if kind(part)]
    judge, names = struck[0].judges[0], _named(struck)
    if kind is _one_label:
        return f"{judge} answers nearly always the same in {len(struck)} of {len(parts)} datasets ({names}): right and wrong there tell of that habit, not of inference."
    if kind is _seldom:
        return f"{judge} gives some label less than half as often as it is right in {len(struck)} of {len(parts)} datasets ({names}): that lean shows in their numbers."
    runs = [part.runs[0] for part in struck]
    faults, left, asked = (sum(getattr(run, name) for run in runs) for name in ("faults", "open", "asked"))
    told = [f"no usable answer to {faults:,}"] if faults else []
    told += [f"{left:,} not asked"] if left else []
    return f"Of {asked:,} items in {len(struck)} datasets ({names}): {', '.join(told)}; numbers are of the others."


def claims(chapters: Sequence[tuple[Part, Chapter]], sections: Sequence[Section]) -> tuple[Claim, ...]:
    """The headlines of the chapters in their order, under the titles their sections have on the page."""
    return tuple(
        Claim(text, section.id, section.title, beside)
        for (_, chapter), section in zip(chapters, sections, strict=True)
        for text, beside in zip_longest(
            chapter.headline, chapter.beside[: len(chapter.headline)], fillvalue=""
        )
    )


def basis(parts: Sequence[Part]) -> str:
    """What all numbers rest on, for a reader who sees nothing else."""
    answered = sum(part.runs[0].answered for part in parts)
    rated = any(scale.numeric for part in parts for scale in part.data.readings.values())
    people = (
        ""
        if rated
        else " The right answers are the data's labels; it has no ratings by people to compare with."
    )
    return f"From {answered:,} answers on {_named(parts)}. In brackets: the 95% interval and n, the number of answers.{people}"


def _named(parts: Sequence[Part]) -> str:
    """The datasets by name, many parts of one as such."""
    names = [part.data.name for part in parts]
    if len(names) <= FEW_NAMES:
        return listed(names)
    stems = Counter(name.partition("/")[0] for name in names)
    return listed(f"{count} parts of {stem}" if count > 1 else stem for stem, count in stems.items())


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
