"""All checks on a dataset, and the cheap ones on items as they are generated."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from grice.checks.balance import (
    DeclaredConditions,
    find_imbalance,
    find_uneven_controls,
    find_unfilled,
)
from grice.checks.findings import (
    SEVERITIES,
    CheckReport,
    Finding,
    merge_findings,
    phenomenon_column,
)
from grice.checks.one_sided import find_one_sided
from grice.checks.repeats import find_repeats
from grice.checks.spelling import find_misspellings
from grice.checks.surface import find_slips
from grice.core.dataset import GOLD, TAG, Dataset
from grice.core.item import Item


def check_dataset(
    data: Dataset,
    *,
    balanced: DeclaredConditions | None = None,
    vocabulary: frozenset[str] = frozenset(),
    leaks: bool = True,
    embed: Callable[[Sequence[str]], Any] | None = None,
) -> CheckReport:
    """Run every check on a dataset.

    `balanced` names the conditions that each phenomenon promises to balance exactly. Spelling is
    checked if there is a `vocabulary`. `leaks` also trains the surface classifiers and, with
    `embed`, which gives vectors of sentences, a classifier on those of the hypotheses.
    """
    from grice.checks.leakage import find_leaks, measure_leakage

    frame = data.frame
    table = measure_leakage(data, phenomenon_column(frame), embed=embed) if leaks else None
    findings = [
        *check_frame(frame),
        *find_imbalance(frame, balanced or {}),
        *find_uneven_controls(frame, balanced or {}),
        *find_unfilled(frame, balanced or {}),
        *find_misspellings(frame, vocabulary),
        *find_one_sided(frame),
        *(find_leaks(table) if table else ()),
    ]
    findings.sort(key=lambda finding: SEVERITIES.index(finding.severity))
    return CheckReport(data.name, len(data), tuple(findings), table)


def check_frame(frame: pl.DataFrame) -> list[Finding]:
    """Run the cheap checks, as on every batch: repeats, gold conflicts, surface errors."""
    return [*find_repeats(frame), *find_slips(frame)]


@dataclass
class BatchChecker:
    """A checker of items in batches, in memory that does not grow with their number.

    `conditions` are those that each phenomenon promises to balance.
    """

    conditions: Mapping[str, Sequence[str]]
    pairs: int = 0
    labels: dict[str, Counter[str]] = field(default_factory=dict)
    _found: list[Finding] = field(default_factory=list)
    _taken: dict[tuple[str, str], Counter[str]] = field(default_factory=dict)
    # A group may go on in the next batch, and is counted once.
    _last: str | None = None

    def add(self, batch: Sequence[Item]) -> None:
        """Check one batch, and count its labels and the values of its conditions."""
        self.pairs += len(batch)
        self._found = merge_findings([*self._found, *check_frame(_texts(batch))])
        for item in batch:
            for reading, label in item.gold.items():
                self.labels.setdefault(reading, Counter())[str(label)] += 1
            if item.group != self._last:
                self._last = item.group
                name = str(item.tags["phenomenon"])
                for tag in self.conditions[name]:
                    self._taken.setdefault((name, tag), Counter())[str(item.tags[tag])] += 1

    def findings(self) -> list[Finding]:
        """Return the findings of the cheap checks so far, and the unbalanced conditions."""
        uneven = [
            finding
            for (name, tag), counts in self._taken.items()
            for finding in find_imbalance(_as_rows(name, tag, counts), {name: [tag]})
        ]
        return [*self._found, *uneven]


def _texts(batch: Sequence[Item]) -> pl.DataFrame:
    """Return the columns that the cheap checks read."""
    columns: dict[str, Any] = {
        "id": [item.id for item in batch],
        "premise": [item.premise for item in batch],
        "hypothesis": pl.Series([item.hypothesis for item in batch], dtype=pl.String),
    }
    for reading in dict.fromkeys(reading for item in batch for reading in item.gold):
        answers = [item.gold.get(reading) for item in batch]
        columns[GOLD + reading] = pl.Series(answers, strict=False)
    return pl.DataFrame(columns)


def _as_rows(name: str, tag: str, counts: Counter[str]) -> pl.DataFrame:
    """Return the fewest rows as uneven as the counts, scaled down where there are many."""
    scale = max(1, max(counts.values()) // 1000)
    values = [value for value, count in counts.items() for _ in range(max(1, count // scale))]
    n = len(values)
    return pl.DataFrame(
        {"group": list(range(n)), TAG + "phenomenon": [name] * n, TAG + tag: values}
    )
