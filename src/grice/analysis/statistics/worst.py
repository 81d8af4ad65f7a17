"""The weakest of several types of item, corrected for selecting it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

import numpy as np
import numpy.typing as npt
import polars as pl

from grice.analysis.statistics.resample import clusters
from grice.core.estimate import Floats

Members = npt.NDArray[np.bool_]


def worst_types(
    right: pl.Series, types: Mapping[str, pl.Series], groups: pl.Series, *, level: float = 0.05
) -> list[str]:
    """Return the types of item that may have the lowest accuracy; none if no type is worse.

    The lowest type has significantly lower accuracy than the other rows. The others that are
    returned do not have significantly higher accuracy than it (same test, without correction).
    `right` has 1 or 0 for each row, null where it does not count; each of `types` says of the same
    rows whether they belong to it, and types may overlap; `groups` has their paradigms. A type is
    tested against all other rows by Fisher's exact test, one-sided, with the counts divided by the
    design effect of paradigms (Rao and Scott 1992), and its p times the number of types must be
    below `level`. A type of all rows, or of none, does not count.

    >>> right = pl.Series([1, 1, 1, 1] * 10 + [0, 0, 1, 0] * 5)
    >>> words = pl.Series(["and"] * 20 + ["or"] * 20 + ["but"] * 20)
    >>> types = {word: words == word for word in ("and", "or", "but")}
    >>> worst_types(right, types, pl.Series([None] * 60))
    ['but']
    """
    is_counted = right.is_not_null()
    wrong = 1 - right.filter(is_counted).to_numpy().astype(np.float64)
    members = {name: member.filter(is_counted).fill_null(False) for name, member in types.items()}
    rows = {name: m.to_numpy() for name, m in members.items() if 0 < m.sum() < len(wrong)}
    effect = _design_effect(wrong, rows.values(), clusters(groups.filter(is_counted)))
    worse = {
        name: float(wrong[member].mean())
        for name, member in rows.items()
        if len(rows) * _chance(wrong, member, effect) < level
    }
    if not worse:
        return []
    lowest = max(worse, key=lambda name: worse[name])
    return [
        name
        for name in sorted(rows, key=lambda name: -wrong[rows[name]].mean())
        if wrong[rows[name]].mean() > wrong.mean()
        and (name == lowest or not _is_better(wrong, rows[name], rows[lowest], effect, level))
    ]


def _is_better(
    wrong: Floats, member: Members, lowest: Members, effect: float, level: float
) -> bool:
    """Return whether a type has a significantly lower error rate than the lowest type."""
    both = member | lowest
    return _chance(wrong[both], lowest[both], effect) < level


def _design_effect(
    wrong: Floats, types: Iterable[Members], cluster_index: npt.NDArray[np.intp]
) -> float:
    """Return the variance of paradigms over that of independent rows, at least 1."""
    varied, alone = 0.0, 0.0
    for member in types:
        rows, share = wrong[member], float(wrong[member].mean())
        sizes, sums = np.bincount(cluster_index[member]), np.bincount(cluster_index[member], rows)
        beyond, count = sums - share * sizes, int((sizes > 0).sum())
        if count > 1:
            varied += float(beyond @ beyond) * count / (count - 1)
            alone += share * (1 - share) * len(rows)
    return max(1.0, varied / alone) if alone else 1.0


def _chance(wrong: Floats, member: Members, effect: float) -> float:
    """Return the probability of at least this many wrong rows in the type under random order."""
    inside, outside = (float(wrong[part].sum()) for part in (member, ~member))
    size = int(member.sum())
    # The divided counts are rounded conservatively.
    a, d = (math.floor(count / effect + 1e-9) for count in (inside, len(wrong) - size - outside))
    b, c = (math.ceil(count / effect - 1e-9) for count in (size - inside, outside))
    steps = np.arange(min(b, c))
    ratios: Floats = (b - steps) * (c - steps) / ((a + 1.0 + steps) * (d + 1.0 + steps))
    logs = [math.lgamma(count + 1) for count in (a + b, c + d, a + c, b + d)]
    first = sum(logs) - sum(math.lgamma(count + 1) for count in (a, b, c, d, a + b + c + d))
    return min(1.0, math.exp(first) * (1 + float(np.cumprod(ratios).sum())))
