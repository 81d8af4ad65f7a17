"""From datasets with runs to a profile: chapters, overview, comparison and method."""

from __future__ import annotations

import platform
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from grice.core.dataset import Dataset
from grice.core.run import Run
from grice.profiling.chapters import (
    certainty,
    conjunction,
    deniability,
    implicature,
    other,
    presupposition,
    veridicality,
)
from grice.profiling.differences import differences
from grice.profiling.parts import AGREED, Chapter, Part, part
from grice.profiling.phrases import listed, of, percent
from grice.profiling.summary import basis, claims, warnings
from grice.reporting.model import Figure, Profile, Section

Write = Callable[[Part], Chapter | None]
PHENOMENA: tuple[Write, ...] = (
    implicature.chapter, presupposition.chapter, veridicality.chapter, conjunction.chapter, deniability.chapter,
)  # fmt: skip


def build(
    pairs: Sequence[tuple[Dataset, Sequence[Run]]], *, not_tested: Sequence[str] = ()
) -> tuple[Profile, list[Part]]:
    """The profile of the first run's judge, the others its rivals; the parts are what the evidence is made of."""
    parts = [part(i, data, runs) for i, (data, runs) in enumerate(pairs)]
    chapters = _chapters(parts)
    judges = tuple(dict.fromkeys(judge for one in parts for judge in one.judges))
    sections = _numbered([chapter.section for _, chapter in chapters], len(parts) > 1)
    kept = [
        replace(chapter, section=section) for (_, chapter), section in zip(chapters, sections, strict=True)
    ]
    profile = Profile(
        title=f"What {judges[0]} infers",
        judges=judges,
        basis=basis(parts),
        claims=claims(chapters, sections),
        warnings=warnings(parts),
        overview=tuple(figure for chapter in kept for figure in _overview(chapter, judges[0])),
        sections=tuple(sections),
        differences=differences(parts),
        method=method(parts),
        not_tested=(*_absent(chapters), *_beyond(parts), *not_tested),
    )
    return profile, parts


def _chapters(parts: Sequence[Part]) -> list[tuple[Part, Chapter]]:
    """The phenomena of each part and how sure its judge is; then, in one chapter, the parts that have no phenomenon."""
    found, rest = [], []
    for one in parts:
        known = [chapter for write in PHENOMENA if (chapter := write(one))]
        sure = certainty.chapter(one) if known or len(parts) == 1 or not one.has(AGREED) else None
        found += [(one, chapter) for chapter in (*known, sure) if chapter]
        rest += [] if known else [one]
    left = other.chapter(rest)
    return [*found, *([(rest[0], left)] if left else [])]


def _numbered(sections: Sequence[Section], several: bool) -> list[Section]:
    """Sections and figures get ids of their own, and their data's name where there is more than one dataset."""
    if not several:
        return list(sections)
    done = []
    for number, section in enumerate(sections, 1):
        figures = tuple(replace(figure, id=f"{figure.id}-{number}") for figure in section.figures)
        done.append(
            replace(
                section,
                id=f"{section.id}-{number}",
                title=f"{section.title} · {section.data}",
                figures=figures,
            )
        )
    return done


def _overview(chapter: Chapter, judge: str) -> list[Figure]:
    """One panel a section: every row of it with interval, chance and printed marks."""
    if not chapter.overview:
        return []
    section = chapter.section
    mine = [n for n in of(chapter.overview, judge) if n.estimate]
    ordered = sorted(mine, key=lambda n: n.estimate.value if n.estimate else 0.0)
    ends = (
        f"lowest {ordered[0].row} {percent(ordered[0].estimate)}, highest {ordered[-1].row} {percent(ordered[-1].estimate)}"
        if ordered
        else "no numbers"
    )
    readings = len({n.series for n in chapter.overview}) > 1
    told = (
        f"{ends[0].upper()}{ends[1:]}." if len(ordered) != 1 else f"{judge}: {percent(ordered[0].estimate)}."
    )
    if readings:
        told = next(figure.finding for figure in section.figures if figure.kind == "stack")
    across = "targets answered by each reading" if readings else "right"
    notes = listed(dict.fromkeys(re.split(", on|, log|: ", mark.label)[0] for mark in chapter.marks))
    return [
        Figure(
            f"overview-{section.id}", section.title, "dots", chapter.overview, told, names="phenomenon", across=across, marks=chapter.marks,
            note=f"Ticks: {notes}." if notes else "",
        )
    ]  # fmt: skip


def _absent(chapters: Sequence[tuple[Part, Chapter]]) -> list[str]:
    """Phenomena that this project knows and the data at hand did not hold."""
    there = {chapter.section.id for _, chapter in chapters}
    known = {
        "implicature": "scalar implicature", "presupposition": "presupposition", "veridicality": "verb veridicality",
        "conjunction": "conjunction", "deniability": "deniability", "certainty": "graded certainty: the judge gives no probabilities and the data no human numbers",
    }  # fmt: skip
    return [
        f"{name}: not in the data" if ":" not in name else name
        for key, name in known.items()
        if key not in there
    ]


def _beyond(parts: Sequence[Part]) -> list[str]:
    """What needs people's numbers or a task of its own, where the data have none."""
    sets = [one.data for one in parts]
    told = []
    if not any(scale.numeric for data in sets for scale in data.readings.values()):
        told.append("certainty against people's own probabilities: the data have no human ratings")
    if not any(data.name.startswith("pragmeval") for data in sets):
        told.append("discourse and speech acts: needs PragmEval, with --data pragmeval")
    return told


def method(parts: Sequence[Part]) -> dict[str, list[dict[str, Any]]]:
    """Data with fingerprints, judges with what could change their answers, faults, versions."""
    data = [
        {"data": one.data.name, "title": one.data.card.title, "items": len(one.data), "scale": str(one.data.scale),
         "fingerprint": one.data.fingerprint, "licence": one.data.card.licence}
        for one in parts
    ]  # fmt: skip
    runs = [
        {"judge": run.judge, "data": run.dataset, "asked": run.asked, "answered": run.answered, "faults": run.faults, "open": run.open,
         "seed": run.seed, "settings": dict(run.settings), "fault kinds": run.fault_kinds}
        for one in parts for run in one.runs
    ]  # fmt: skip
    versions: dict[str, str] = {"python": platform.python_version(), "platform": sys.platform}
    for one in parts:
        for run in one.runs:
            versions |= {name: str(version) for name, version in run.versions.items()}
    return {
        "data": data,
        "judges": runs,
        "versions": [{"name": k, "version": v} for k, v in versions.items()],
    }
