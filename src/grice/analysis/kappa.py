"""Cohen's κ: agreement of two judges on labels, corrected for chance."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import polars as pl

from grice.analysis.statistics.resample import estimate_sums
from grice.analysis.statistics.several import codes
from grice.core.estimate import Estimate, Floats
from grice.tables.table import Measure


def kappa() -> Measure:
    """Measure Cohen's κ of two judges, or its mean over the pairs of more (Light's κ).

    n counts the items that at least two answered.
    """

    def compute(frame: pl.DataFrame) -> Estimate | None:
        table, groups, labels = codes(frame)
        pairs = list(combinations(range(table.shape[1]), 2))
        columns = np.concatenate(
            [_agreement(table[:, a], table[:, b], len(labels)) for a, b in pairs], axis=1
        )

        def light(sums: Floats) -> Floats:
            parts = np.split(sums, len(pairs), axis=-1)
            mean: Floats = np.mean([_kappa(part) for part in parts], axis=0)
            return mean

        n = int(((table >= 0).sum(axis=1) >= 2).sum())
        return estimate_sums(columns, groups, light, n=n, least=-1.0)

    empty = (
        "no κ where two judges have no item in common, or one of them always gives the same label"
    )
    return Measure("kappa", compute, many=True, empty=empty)


def _agreement(a: Floats, b: Floats, labels: int) -> Floats:
    """Return rows × (both answered, same, first's label…, second's label…)."""
    both = (a >= 0) & (b >= 0)
    first = (a[:, None] == np.arange(labels)) & both[:, None]
    second = (b[:, None] == np.arange(labels)) & both[:, None]
    counts = [both[:, None], (both & (a == b))[:, None], first, second]
    return np.concatenate(counts, axis=1).astype(np.float64)


def _kappa(sums: Floats) -> Floats:
    n, same = sums[..., 0], sums[..., 1]
    first, second = np.split(sums[..., 2:], 2, axis=-1)
    chance = (first * second).sum(axis=-1) / (n * n)
    value: Floats = (same / n - chance) / (1 - chance)
    return value
