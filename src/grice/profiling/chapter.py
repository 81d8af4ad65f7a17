"""A chapter of the page: which data it reads and how it writes its section.

Each file of `chapters/` defines one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from grice.core.errors import InputError
from grice.core.shelf import CHAPTERS, own_fault
from grice.profiling.fingerprint import FingerprintRows
from grice.profiling.gate import ClaimDraft
from grice.profiling.sheets import AnswerSheet
from grice.reporting.model import Check, ExamplePair, Figure, Mark, Number, ProfileSection
from grice.reporting.palette import LIGHT


@dataclass(frozen=True)
class Findings:
    """What a chapter says of a dataset.

    `findings` are claims with their gates; `sentences` only describe, as in a chapter of one's own.
    `gated` are the rows of each judge that tell nothing. `overview` and `marks` are the rows of its
    panel in the overview; `fingerprint` are those of the first picture; `checks` are further ones
    than those that its gates give. `title` and `data` replace the chapter's title and the dataset's
    name in the heading.
    """

    figures: tuple[Figure, ...]
    sentences: tuple[str, ...] = ()
    examples: tuple[ExamplePair, ...] = ()
    warnings: tuple[str, ...] = ()
    findings: tuple[ClaimDraft, ...] = ()
    gated: frozenset[tuple[str, str]] = frozenset()
    overview: tuple[Number, ...] = ()
    marks: tuple[Mark, ...] = ()
    overview_finding: str = ""
    overview_axis: str = "right"
    checks: tuple[Check, ...] = ()
    fingerprint: FingerprintRows | None = None
    title: str = ""
    data: str = ""

    @property
    def said(self) -> tuple[str, ...]:
        """All sentences of the section: what stands, what cannot be told and why, what is
        described.
        """
        return (*(finding.sentence for finding in self.findings), *self.sentences)

    @property
    def closed(self) -> dict[str, str]:
        """The findings that do not stand, by name, each with its reason; the first one also under
        no name.
        """
        by_name = {finding.name: finding for finding in reversed(self.findings)}
        if self.findings:
            by_name[""] = self.findings[0]
        return {name: finding.reason for name, finding in by_name.items() if not finding.made}


@dataclass(frozen=True)
class Chapter:
    """A section of the page, made for every dataset that it reads.

    `what` and `good` explain the phenomenon and what a good answer is. `reads` says whether a
    dataset has what the chapter needs, and `write` gives its findings, or None if there is nothing
    to say. A chapter that is no `phenomenon` is about answers in general. `write_rest` is called
    once, with all datasets that have no phenomenon. `needs` are the columns without which it reads
    nothing, `also` those that give it more figures; `grice check` tells what data lack of them.
    `colours` names a colour of the palette for each series. `absent` is said where no dataset has
    the phenomenon; None says nothing.
    """

    name: str
    title: str
    what: str
    good: str
    reads: Callable[[AnswerSheet], bool]
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
        """Its findings on one dataset; None if it does not read it or has nothing to say."""
        with self._own_faults():
            return self.write(sheet) if self.write and self.reads(sheet) else None

    def takes_rest(self, sheet: AnswerSheet) -> bool:
        """Whether a dataset without a phenomenon gets a row in this chapter."""
        with self._own_faults():
            return self.write_rest is not None and self.reads(sheet)

    def find_rest(self, sheets: Sequence[AnswerSheet]) -> Findings | None:
        """Its findings on the datasets without a phenomenon, taken together; None for most
        chapters.
        """
        readable = list(filter(self.takes_rest, sheets))
        with self._own_faults():
            return self.write_rest(readable) if self.write_rest and readable else None

    def section(self, findings: Findings, data: str) -> ProfileSection:
        """The findings as a section; ids of figures begin with the chapter's name."""
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
        """Whatever goes wrong in a user's own file is one line that names it."""
        try:
            yield
        except Exception as error:
            if self.file is None:
                raise
            raise own_fault(self.file, error) from error


def load_chapters(own: Sequence[str] = ()) -> list[Chapter]:
    """All chapters of the shelf and of a user's `own` files, in the order of the page.

    A chapter of the same name as another takes its place.
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
