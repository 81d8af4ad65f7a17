"""Chapters of the page: which data a chapter reads and how it writes its section.

Each file of `chapters/` defines one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from grice.core.errors import InputError
from grice.core.shelf import CHAPTERS, own_fault
from grice.profiling.draft import ClaimDraft
from grice.profiling.fingerprint import FingerprintRows
from grice.profiling.sheets import AnswerSheet
from grice.reporting.claims import DiagnosisResult
from grice.reporting.model import ExamplePair, Figure, ProfileSection
from grice.reporting.palette import LIGHT
from grice.reporting.sentences import diagnosis_text, reason_text


@dataclass(frozen=True)
class Findings:
    """A chapter's findings on one dataset.

    `findings` are claims with their gates; `sentences` only describe, as in a user-defined chapter.
    `candidates` are the diagnoses that it tests. `gated` are the rows of each model that are
    inconclusive. `fingerprint` are its rows of the overview chart. `title` and `data` replace the
    chapter's title and the dataset's name in the heading.
    """

    figures: tuple[Figure, ...]
    sentences: tuple[str, ...] = ()
    examples: tuple[ExamplePair, ...] = ()
    warnings: tuple[str, ...] = ()
    findings: tuple[ClaimDraft, ...] = ()
    candidates: tuple[DiagnosisResult, ...] = ()
    gated: frozenset[tuple[str, str]] = frozenset()
    fingerprint: FingerprintRows | None = None
    title: str = ""
    data: str = ""

    @property
    def said(self) -> tuple[str, ...]:
        """All sentences of the section: claims, inconclusive results with reasons, descriptions."""
        known: set[str] = set()
        texts = []
        for finding in self.findings:
            texts.append(finding.sentence_after(known))
            known.update(map(diagnosis_text, finding.diagnoses))
        return (*texts, *self.sentences)

    @property
    def closed(self) -> dict[str, str]:
        """The reasons of the claims that are not made, by name; that of the first also under ""."""
        by_name = {finding.name: finding for finding in reversed(self.findings)}
        if self.findings:
            by_name[""] = self.findings[0]
        return {
            name: reason_text(finding.reason)
            for name, finding in by_name.items()
            if not finding.supported
        }


@dataclass(frozen=True)
class Chapter:
    """A section of the page, written for every dataset that it reads.

    `what` and `good` explain the phenomenon and what a good answer is. `reads` returns whether a
    dataset has what the chapter needs, by default the columns `needs`; `write` returns its
    findings, or None if there are none. A chapter that is no `phenomenon` is about answers in
    general. `write_rest` is called once, with all datasets that have no phenomenon. `also` are
    columns that give it more figures; `grice check` lists those that data lack. `colours` names a
    colour of the palette for each series. `absent` is printed where no dataset has the phenomenon;
    None prints nothing.
    """

    name: str
    title: str
    what: str
    good: str
    reads: Callable[[AnswerSheet], bool] | None = None
    write: Callable[[AnswerSheet], Findings | None] | None = None
    write_rest: Callable[[Sequence[AnswerSheet]], Findings | None] | None = None
    order: int = 60
    phenomenon: bool = True
    colours: Mapping[str, str] = field(default_factory=dict)
    absent: str | None = ""
    needs: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    file: Path | None = None

    def __post_init__(self) -> None:
        unknown = sorted(set(self.colours.values()) - set(LIGHT))
        if unknown:
            raise InputError(
                f"chapter {self.name}: no colour '{unknown[0]}'; there are {', '.join(LIGHT)}"
            )

    def find(self, sheet: AnswerSheet) -> Findings | None:
        """Return its findings on one dataset; None if it does not read it or finds nothing."""
        with self._own_faults():
            return self.write(sheet) if self.write and self.applies(sheet) else None

    def takes_rest(self, sheet: AnswerSheet) -> bool:
        """Return whether a dataset without a phenomenon gets a row in this chapter."""
        with self._own_faults():
            return self.write_rest is not None and self.applies(sheet)

    def applies(self, sheet: AnswerSheet) -> bool:
        """Return whether a dataset has what the chapter needs."""
        return self.reads(sheet) if self.reads else sheet.has(*self.needs)

    def find_rest(self, sheets: Sequence[AnswerSheet]) -> Findings | None:
        """Return its findings on the datasets that it takes; None for most chapters."""
        with self._own_faults():
            return self.write_rest(sheets) if self.write_rest and sheets else None

    def section(self, findings: Findings, data: str) -> ProfileSection:
        """Return the findings as a section; ids of figures begin with the chapter's name."""
        figures = tuple(
            replace(figure, id=f"{self.name}-{figure.id}", colours=self.colours)
            for figure in findings.figures
        )
        return ProfileSection(
            self.name,
            findings.title or self.title,
            findings.data or data,
            self.what,
            self.good,
            findings.examples,
            findings.warnings,
            findings.said,
            figures,
            chapter=self.name,
        )

    @contextmanager
    def _own_faults(self) -> Iterator[None]:
        """Report any error in a user's own file in one line that names the file."""
        try:
            yield
        except Exception as error:
            if self.file is None:
                raise
            raise own_fault(self.file, error) from error


def load_chapters(own: Sequence[str] = ()) -> list[Chapter]:
    """Load the registered chapters and those of a user's `own` files, in the order of the page.

    A chapter replaces an earlier one of the same name.
    """
    chapters_by_name = {}
    for name in (*CHAPTERS.names(), *own):
        chapter = CHAPTERS.find(name)
        if not isinstance(chapter, Chapter):
            raise InputError(
                f"{name}: '{Path(name).stem}' is of type {type(chapter).__name__}; it must be a"
                " grice.profiling.chapter.Chapter"
            )
        chapters_by_name[chapter.name] = (
            replace(chapter, file=Path(name)) if name.endswith(".py") else chapter
        )
    return sorted(chapters_by_name.values(), key=lambda chapter: (chapter.order, chapter.name))
