"""Draw pairs so that conjunction, operation and label have the shares of a published set."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

# Conjunction, operation and label of a pair.
PairCell = tuple[str, str, str]
# By how much the share of a value may differ in a set that is drawn as large as possible.
TOLERANCE = 0.02
ROUNDS = 200


@dataclass(frozen=True)
class Shares:
    """The share of each value of conjunction, operation and label; empty if it does not matter.

    Attributes:
        must_hold: Draw only as many pairs as can have the shares of the labels.
    """

    conjunction: Mapping[str, float]
    operation: Mapping[str, float]
    label: Mapping[str, float]
    must_hold: bool = False

    @property
    def dimensions(self) -> tuple[Mapping[str, float], ...]:
        """Return the shares in the order of a cell."""
        return self.conjunction, self.operation, self.label


# Tables 2 and 3 of Saha et al. (2020), all 1,623 pairs; operations as in their dev part.
CONJNLI = Shares(
    {"and": 857 / 1855, "or": 764 / 1855, "but": 234 / 1855},
    {"removed": 229 / 584, "added": 232 / 584, "replaced": 123 / 584},
    {"entailment": 536 / 1623, "neutral": 748 / 1623, "contradiction": 339 / 1623},
)
# Their adversarial training set: thirds by conjunction, and the labels of the released file.
ADVERSARIAL = Shares(
    {"and": 1 / 3, "or": 1 / 3, "but": 1 / 3},
    {},
    {"entailment": 5820 / 15000, "neutral": 6757 / 15000, "contradiction": 2423 / 15000},
    must_hold=True,
)


def cell_of(stratum: str, item: Mapping[str, object]) -> PairCell:
    """Return the cell of a mined pair, as it is written."""
    tags, gold = item["tags"], item["gold"]
    assert isinstance(tags, dict) and isinstance(gold, dict)
    return stratum, str(tags["operation"]), str(gold["heuristic"])


def count_cells(mined: Path) -> Counter[PairCell]:
    """Count the different pairs of each cell in a file of `[stratum, item]` lines."""
    seen: set[int] = set()
    counts: Counter[PairCell] = Counter()
    with mined.open("rb") as lines:
        for stratum, item in map(json.loads, lines):
            key = hash((item["premise"], item["hypothesis"]))
            if key not in seen:
                seen.add(key)
                counts[cell_of(stratum, item)] += 1
    return counts


def quotas(supply: Mapping[PairCell, int], shares: Shares, n: int) -> dict[PairCell, int]:
    """Return how many pairs of each cell to draw: at most `n`, as near to the shares as can be."""
    if not shares.must_hold:
        return _round(_fit(supply, shares, n))
    low, high = 0, min(n, sum(supply.values()))
    while low < high:
        middle = (low + high + 1) // 2
        drawn = _round(_fit(supply, shares, middle))
        low, high = (middle, high) if _holds(drawn, shares, middle) else (low, middle - 1)
    return _round(_fit(supply, shares, low))


def shortages(drawn: Mapping[PairCell, int], shares: Shares, n: int) -> dict[str, str]:
    """Return the values with fewer pairs drawn than their share of `n`, with both counts."""
    short = {}
    for index, dimension in enumerate(shares.dimensions):
        for value, share in dimension.items():
            count = sum(k for cell, k in drawn.items() if cell[index] == value)
            if count < round(share * n):
                short[value] = f"{count} of {round(share * n)}"
    return short


def _fit(supply: Mapping[PairCell, int], shares: Shares, n: int) -> dict[PairCell, float]:
    """Scale the counts to the shares, one dimension after the other, never above the supply."""
    counts = {cell: min(float(k), n * _prior(cell, shares)) for cell, k in supply.items() if k}
    for _ in range(ROUNDS):
        for index, dimension in enumerate(shares.dimensions):
            for value, share in dimension.items():
                cells = [cell for cell in counts if cell[index] == value]
                total = sum(counts[cell] for cell in cells)
                if total:
                    factor = n * share / total
                    for cell in cells:
                        counts[cell] = min(counts[cell] * factor, float(supply[cell]))
    return counts


def _prior(cell: PairCell, shares: Shares) -> float:
    prior = 1.0
    for value, dimension in zip(cell, shares.dimensions, strict=True):
        prior *= dimension.get(value, 0.0) if dimension else 1.0
    return prior


def _round(counts: Mapping[PairCell, float]) -> dict[PairCell, int]:
    """Round down, then up where most is lost, so that the sum is kept."""
    rounded = {cell: int(count) for cell, count in counts.items()}
    missing = round(sum(counts.values())) - sum(rounded.values())
    losses = sorted(counts, key=lambda cell: (rounded[cell] - counts[cell], cell))
    for cell in losses[: max(0, missing)]:
        rounded[cell] += 1
    return rounded


def _holds(drawn: Mapping[PairCell, int], shares: Shares, n: int) -> bool:
    total = sum(drawn.values())
    labels: Counter[str] = Counter()
    for cell, count in drawn.items():
        labels[cell[2]] += count
    is_near = all(
        abs(labels[label] - share * total) <= TOLERANCE * total
        for label, share in shares.label.items()
    )
    return total > 0 and total >= 0.98 * n and is_near
