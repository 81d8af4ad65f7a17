"""Findings of the checks, and merging those of many batches into one list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

import polars as pl

from grice.core.dataset import TAG

if TYPE_CHECKING:
    from grice.tables.table import Table

Severity = Literal["error", "warning", "note"]
SEVERITIES: tuple[Severity, ...] = ("error", "warning", "note")
# Tags that name the phenomenon of an item, the finest first.
PHENOMENON_TAGS = ("phenomenon", "set", "trigger")
# Ids that a finding names.
EXAMPLES = 5


@dataclass(frozen=True)
class Finding:
    """One finding: its count, the number checked, and the ids of example items."""

    check: str
    severity: Severity
    count: int
    n: int
    detail: str
    examples: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the finding as a JSON object."""
        return {**vars(self), "examples": list(self.examples)}


@dataclass(frozen=True)
class CheckReport:
    """Findings on one dataset, the worst first, and the accuracy of the surface classifiers."""

    dataset: str
    n: int
    findings: tuple[Finding, ...]
    leakage: Table | None = None

    @property
    def failed(self) -> bool:
        """True if any finding is an error."""
        return any(finding.severity == "error" for finding in self.findings)

    @property
    def rows(self) -> list[dict[str, Any]]:
        """The findings as rows to print, each with two examples."""
        return [
            {**vars(finding), "examples": " ".join(finding.examples[:2])}
            for finding in self.findings
        ]

    def of(self, check: str) -> list[Finding]:
        """Return the findings of one check: `report.of("spelling")`."""
        return [finding for finding in self.findings if finding.check == check]

    def to_json(self) -> dict[str, Any]:
        """Return the report as a JSON object."""
        return {
            "dataset": self.dataset,
            "n": self.n,
            "failed": self.failed,
            "findings": [finding.to_json() for finding in self.findings],
            "leakage": self.leakage.to_json() if self.leakage else None,
        }


def merge_findings(findings: Sequence[Finding]) -> list[Finding]:
    """Merge the findings of many batches: each check once, counts added up."""
    merged: dict[str, Finding] = {}
    for finding in findings:
        if old := merged.get(finding.check):
            finding = replace(old, count=old.count + finding.count, n=old.n + finding.n)
        merged[finding.check] = finding
    return list(merged.values())


def phenomenon_column(frame: pl.DataFrame) -> str | None:
    """Return the column that names the phenomenon of a row, if there is one."""
    columns = (TAG + tag for tag in PHENOMENON_TAGS)
    return next((c for c in columns if c in frame.columns and not frame[c].null_count()), None)


def split_by(
    frame: pl.DataFrame, column: str | None, title: str = ""
) -> list[tuple[str, pl.DataFrame]]:
    """Split the rows by the value of a column, in the order of the frame.

    Without a column all rows are returned under `title`.
    """
    if column is None:
        return [(title, frame)]
    parts = frame.partition_by(column, as_dict=True, maintain_order=True)
    return [(str(key[0]), part) for key, part in parts.items()]


def distinct_sentences(frame: pl.DataFrame) -> pl.DataFrame:
    """Return every distinct sentence as `text`, with the id of the first item that has it."""
    both = [
        frame.select("id", pl.col(column).alias("text")) for column in ("premise", "hypothesis")
    ]
    return pl.concat(both).drop_nulls().unique("text", keep="first", maintain_order=True)
