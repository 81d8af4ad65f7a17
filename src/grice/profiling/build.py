"""Build a profile from datasets with runs: chapters, overview, comparisons and method."""

from __future__ import annotations

import platform
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from grice.core.dataset import Dataset
from grice.profiling.asking import method_figures
from grice.profiling.belief import checks, headline
from grice.profiling.beside import add_people
from grice.profiling.chapter import Chapter, load_chapters
from grice.profiling.decisions import ChapterFindings, decide
from grice.profiling.differences import differences, forest
from grice.profiling.exchange import Exchange
from grice.profiling.failures import failures
from grice.profiling.fingerprint import fingerprint
from grice.profiling.first_screen import first_screen, page_title
from grice.profiling.measured import measured
from grice.profiling.sheets import AnswerSheet, make_sheet
from grice.profiling.summary import basis, claims, warnings
from grice.reporting.model import Figure, Profile, ProfileSection
from grice.storage.run import Run

# Usage of a model behind an API, as its run notes it; the last one is money.
TAKEN = (
    "requests",
    "answered requests",
    "tokens in",
    "tokens out",
    "tokens cached",
    "tokens written to the cache",
    "tokens of reasoning",
    "tokens by batch",
    "cost",
)


def build(
    pairs: Sequence[tuple[Dataset, Sequence[Run]]],
    *,
    not_tested: Sequence[str] = (),
    chapters: Sequence[str] = (),
    exchanges: Sequence[Exchange] = (),
    people: bool = True,
    measures: Sequence[str] = (),
) -> tuple[Profile, list[AnswerSheet]]:
    """Build the profile of the first run's model; return it with the answers it is based on.

    The models of the other runs are its comparison models.

    `chapters` are a user's own files (`./mine.py`), each with a chapter to add to the registered
    ones. `exchanges` are results of the premise-swap test; a model that does not read the premises
    gets no claim. Without `people`, published human means are left out. `measures` get a section of
    their own.
    """
    sheets = [make_sheet(i, data, runs) for i, (data, runs) in enumerate(pairs)]
    known = [chapter for chapter in load_chapters(chapters) if people or chapter.name != "people"]
    judges = tuple(dict.fromkeys(judge for sheet in sheets for judge in sheet.judges))
    drafted = _write(sheets, known)
    if people:
        drafted = [(c, sheet, add_people(c.name, f, sheet)) for c, sheet, f in drafted]
    written = _fade(decide(drafted, exchanges), judges[0])
    sections = _number_sections(
        [chapter.section(findings, sheet.data.name) for chapter, sheet, findings in written],
        len(sheets) > 1,
    )
    sections = [
        _believed(section, entry, exchanges)
        for section, entry in zip(sections, written, strict=True)
    ]
    absent = _absent(known, {chapter.name for chapter, _, _ in written})
    compared = differences(sheets)
    parts = list(zip(sections, written, strict=True))
    screen = first_screen(parts)
    profile = Profile(
        title=page_title(judges, parts, screen),
        judges=judges,
        basis=" ".join(
            (basis(sheets), *(exchange.text for exchange in exchanges if not exchange.unread))
        ),
        claims=claims([(section, chapter_findings) for section, (_, _, chapter_findings) in parts]),
        warnings=(*(exchange.text for exchange in exchanges if exchange.unread), *warnings(sheets)),
        sections=(*sections, *measured(sheets, measures)),
        differences=compared,
        method=method(sheets),
        not_tested=(*absent, *_beyond(sheets), *not_tested),
        fingerprint=_summary_figure(parts, judges[0]),
        forest=forest(compared, judges[0]),
        first_screen=screen,
    )
    return profile.with_order(), sheets


def _summary_figure(
    parts: Sequence[tuple[ProfileSection, ChapterFindings]], judge: str
) -> Figure | None:
    """Return the figure of the results of all chapters that have rows for it."""
    rows = [
        (section.group, findings.fingerprint, findings.closed, findings.gated)
        for section, (_, _, findings) in parts
        if findings.fingerprint
    ]
    return fingerprint(rows, judge)


def _write(sheets: Sequence[AnswerSheet], chapters: Sequence[Chapter]) -> list[ChapterFindings]:
    """Write the chapters of each dataset, then those for datasets without a phenomenon."""
    written: list[ChapterFindings] = []
    rest = []
    for sheet in sheets:
        phenomena = _find(sheet, [chapter for chapter in chapters if chapter.phenomenon])
        # Among several datasets, one without a phenomenon gets a row in a common section instead of
        # a section of its own.
        row = (
            not phenomena
            and len(sheets) > 1
            and any(chapter.takes_rest(sheet) for chapter in chapters)
        )
        general = (
            [] if row else _find(sheet, [chapter for chapter in chapters if not chapter.phenomenon])
        )
        written += [*phenomena, *general]
        rest += [] if phenomena else [sheet]
    for chapter in chapters:
        taken = list(filter(chapter.takes_rest, rest))
        if findings := chapter.find_rest(taken):
            written.append((chapter, taken[0], findings))
    return written


def _fade(written: Sequence[ChapterFindings], judge: str) -> list[ChapterFindings]:
    """Add the figures of prompt variants, fade inconclusive rows, and drop figures of no number."""
    gated = []
    for chapter, sheet, findings in written:
        method_charts = method_figures(
            sheet, [(finding.name, finding.gate) for finding in findings.findings]
        )
        figures = tuple(
            figure.gate(findings.closed, findings.gated, judge)
            for figure in (*findings.figures, *method_charts)
            if figure.numbers
        )
        gated.append((chapter, sheet, replace(findings, figures=figures)))
    return gated


def _find(sheet: AnswerSheet, chapters: Sequence[Chapter]) -> list[ChapterFindings]:
    return [(chapter, sheet, findings) for chapter in chapters if (findings := chapter.find(sheet))]


def _believed(
    section: ProfileSection, entry: ChapterFindings, exchanges: Sequence[Exchange]
) -> ProfileSection:
    """Return the section with its headline, checks, groups of wrong answers and overview group."""
    chapter, sheet, findings = entry
    return replace(
        section,
        headline=headline(findings.findings),
        checks=checks(sheet, findings.findings, section.figures, exchanges),
        failures=failures(sheet, chapter.needs) if chapter.phenomenon or chapter.write_rest else (),
        group=f"{section.title}: {rows.counted}" if (rows := findings.fingerprint) else "",
    )


def _number_sections(sections: Sequence[ProfileSection], several: bool) -> list[ProfileSection]:
    """Give sections and figures unique ids, and the data's name if there are several datasets."""
    if not several:
        return list(sections)
    return [
        replace(
            section,
            id=f"{section.id}-{number}",
            title=f"{section.title} · {section.data}",
            figures=tuple(
                replace(figure, id=f"{figure.id}-{number}") for figure in section.figures
            ),
        )
        for number, section in enumerate(sections, 1)
    ]


def _absent(chapters: Sequence[Chapter], present: set[str]) -> list[str]:
    """List phenomena that have a chapter but do not occur in the data."""
    return [
        chapter.absent or f"{chapter.title[0].lower()}{chapter.title[1:]}: not in the data"
        for chapter in chapters
        if chapter.name not in present and not chapter.write_rest and chapter.absent is not None
    ]


def _beyond(sheets: Sequence[AnswerSheet]) -> list[str]:
    """List what was not tested because it needs human numbers or a task of its own."""
    sets = [sheet.data for sheet in sheets]
    texts = []
    if not any(scale.numeric for data in sets for scale in data.readings.values()):
        texts.append("certainty against people's own probabilities: the data have no human ratings")
    if not any(data.name.startswith("pragmeval") for data in sets):
        texts.append("discourse and speech acts: needs PragmEval, with --data pragmeval")
    return texts


def method(sheets: Sequence[AnswerSheet]) -> dict[str, list[dict[str, Any]]]:
    """Return data with fingerprints, runs with their settings, invalid responses and versions."""
    data = [
        {
            "data": sheet.data.name,
            "title": sheet.data.card.title,
            "items": len(sheet.data),
            "scale": str(sheet.data.scale),
            "fingerprint": sheet.data.fingerprint,
            "licence": sheet.data.card.licence,
            **({"citation": cited} if (cited := sheet.data.card.citation) else {}),
        }
        for sheet in sheets
    ]
    runs = [
        {
            "judge": run.judge,
            "data": run.dataset,
            "asked": run.asked,
            "answered": run.answered,
            "faults": run.faults,
            "open": run.open,
            "seed": run.seed,
            "settings": dict(run.settings),
            "fault kinds": run.fault_kinds,
        }
        for sheet in sheets
        for run in sheet.runs
    ]
    versions: dict[str, str] = {"python": platform.python_version(), "platform": sys.platform}
    for sheet in sheets:
        for run in sheet.runs:
            versions |= {name: str(version) for name, version in run.versions.items()}
    usage = [row for sheet in sheets for run in sheet.runs if (row := _usage(run))]
    taken = {"usage": [*usage, *_total(usage)]} if usage else {}
    named = [{"name": k, "version": v} for k, v in versions.items()]
    return {"data": data, "judges": runs, **taken, "versions": named}


def _usage(run: Run) -> dict[str, Any]:
    """Return what the requests of a run used over all sessions; empty if it made none."""
    if "tokens in" not in run.notes:
        return {}
    counts = {key: run.notes[key] for key in TAKEN if key in run.notes}
    server = {key: run.notes[key] for key in ("served model", "constrained by") if key in run.notes}
    return {"judge": run.judge, "data": run.dataset, **counts, **server}


def _total(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the sum over all runs, if there are several."""
    keys = [key for key in TAKEN if any(key in row for row in rows)]
    summed = {key: round(sum(row.get(key, 0) for row in rows), 6) for key in keys}
    return [{"judge": "total", "data": f"{len(rows)} runs", **summed}] if len(rows) > 1 else []
