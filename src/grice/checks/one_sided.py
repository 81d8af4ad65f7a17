"""Conditions that a set could vary but holds constant, such as the tense of modals."""

from __future__ import annotations

import re
from dataclasses import dataclass

import polars as pl

from grice.checks.findings import EXAMPLES, Finding, phenomenon_column, split_by


@dataclass(frozen=True)
class TextCondition:
    """A condition visible in the text: `one` and `other` are the patterns of its two values."""

    check: str
    one: str
    other: str
    detail: str


_DET = (
    r"(?:[Tt]he|[Tt]his|[Tt]hat|[Tt]hese|[Tt]hose|[Ss]ome|[Aa]n?|[Aa]ll|[Mm]any|[Mm]ost"
    r"|[Ee]very|[Ee]ach|[A-Z]\w+'s)"
)
CONDITIONS = (
    TextCondition(
        "tense of modals",
        r"\b(?:could(?:n't)?|needed to|didn't need to|had to|didn't have to|was(?:n't)? able to)\b",
        r"\b(?:can(?:not|'t)?|needs? to|(?:has|have) to|must(?:n't)?|may|(?:do|does)n't"
        r" (?:have|need) to)\b",
        "every modal is in the past",
    ),
    TextCondition(
        "position of connectives",
        rf"^(?:Both |Either |Neither )?(?:{_DET} )?(?:\w+'s )?[\w-]+(?: [\w-]+)?,? (?:and|or|nor)"
        rf" (?:{_DET} )?(?!.* (?:and|or|nor) )",
        r" (?:and|or|nor) ",
        "every connective stands in the subject",
    ),
)


def find_one_sided(frame: pl.DataFrame) -> list[Finding]:
    """Find phenomena whose premises hold one of `CONDITIONS` at one value."""
    findings = []
    for condition in CONDITIONS:
        for name, part in split_by(frame, phenomenon_column(frame)):
            sides = (condition.one, f"{condition.one}|{condition.other}")
            n_first, n_either = (_count(part["premise"].to_list(), side) for side in sides)
            # A phenomenon is about modals when most of its premises have one.
            if 2 * n_either > part.height and n_first == n_either:
                ids = tuple(part["id"].head(EXAMPLES).to_list())
                detail = condition.detail + (f" in {name}" if name else "")
                findings.append(
                    Finding(condition.check, "warning", n_either, part.height, detail, ids)
                )
    return findings


def _count(texts: list[str], pattern: str) -> int:
    return sum(re.search(pattern, text) is not None for text in texts)
