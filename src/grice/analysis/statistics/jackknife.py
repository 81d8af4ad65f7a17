"""Difference of two judges in any measure, by a jackknife over blocks of paradigms."""

from __future__ import annotations

from math import isfinite, sqrt

import numpy as np
import polars as pl

from grice.analysis.statistics.paired import correct, strata
from grice.analysis.statistics.resample import clusters
from grice.core.distributions import student_cdf, student_quantile
from grice.core.estimate import Estimate
from grice.tables.comparison import PairedDifference
from grice.tables.table import Measure

# The number of blocks of paradigms to leave out; fewer paradigms are left out one by one.
BLOCKS = 60


def compare_measure(
    frame: pl.DataFrame, a: str, b: str, measure: Measure, *, by: str = ""
) -> list[PairedDifference]:
    """Compare judges `a` and `b` in a measure on the items both answered, overall or by a tag.

    The same paradigms are left out for both; interval and test are Student's on the resulting
    changes. The counts of items that one alone has right are 0: a measure need not be of single
    items. A stratum without the measure is left out.
    """
    replied = pl.col("answer").is_not_null() | pl.col("value").is_not_null()
    rows = frame.filter(pl.col("judge").is_in([a, b]) & replied)
    rows = rows.filter(pl.col("judge").n_unique().over("id") == 2)
    parts = strata(rows, by).items()
    differences = [_compare_rows(name, part, a, b, measure) for name, part in parts if part.height]
    return correct([difference for difference in differences if difference])


def _compare_rows(
    stratum: str, rows: pl.DataFrame, a: str, b: str, measure: Measure
) -> PairedDifference | None:
    both = [rows.filter(judge=judge).sort("id") for judge in (a, b)]
    overall = _minus(both, measure)
    if overall is None:
        return None
    value, n, paradigms = overall
    cluster_index = clusters(both[0]["group"])
    n_clusters = int(cluster_index.max()) + 1
    order = np.random.default_rng(0).permutation(n_clusters)
    block = order[cluster_index] % min(n_clusters, BLOCKS)
    without = [
        _minus([part.filter(pl.Series(block != k)) for part in both], measure)
        for k in range(block.max() + 1)
    ]
    # A block that the measure does not count leaves n unchanged, and is not informative of the
    # variance.
    moved = [reduced for reduced in without if reduced is None or reduced[1] != n]
    known = np.array([reduced[0] for reduced in moved if reduced is not None])
    blocks, counted = len(moved), paradigms or (len(moved) if n_clusters <= BLOCKS else n_clusters)
    estimate, p = Estimate(value, n), 1.0
    if len(known) < max(2, blocks):
        return PairedDifference(stratum, a, b, estimate, 0, 0, p, p, counted)
    error = sqrt((blocks - 1) / blocks * float(((known - known.mean()) ** 2).sum()))
    half = student_quantile(blocks - 1, 0.975) * error
    p = 2 * (1 - student_cdf(blocks - 1, abs(value) / error)) if error > 0 else float(value == 0)
    estimate = Estimate(value, n, value - half, value + half)
    return PairedDifference(stratum, a, b, estimate, 0, 0, p, p, counted)


def _minus(both: list[pl.DataFrame], measure: Measure) -> tuple[float, int, int | None] | None:
    """Return the difference, with n and paradigms as the measure counts them."""
    first, second = (measure(part) for part in both)
    if first is None or second is None or not isfinite(first.value - second.value):
        return None
    return first.value - second.value, first.n, first.paradigms
