"""Paired comparison of two judges on the same items."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np
import polars as pl

from grice.analysis.statistics.readings import gold_column
from grice.analysis.statistics.resample import clusters
from grice.analysis.statistics.swaps import difference
from grice.core.dataset import column_of
from grice.core.errors import unknown
from grice.tables.comparison import PairedDifference


def compare(
    frame: pl.DataFrame, a: str, b: str, *, reading: str = "", by: str = ""
) -> list[PairedDifference]:
    """Compare two judges in a joined frame, overall or within each value of the tag `by`.

    The test flips the sign of whole paradigms; the confidence interval agrees with it (it excludes
    0 exactly where p < .05). A stratum without shared items is left out.
    """
    judges = frame["judge"].unique(maintain_order=True).to_list()
    for judge in (a, b):
        if judge not in judges:
            raise unknown("judge", judge, judges)
    both = both_answered(frame, a, b, reading)
    parts = strata(both, by)
    return correct([_compare_rows(name, part, a, b) for name, part in parts.items() if part.height])


def strata(frame: pl.DataFrame, by: str) -> dict[str, pl.DataFrame]:
    """Split rows by the values of the tag `by`, in order; without it all rows are one stratum.

    An item with several values is in the stratum of each.
    """
    if not by:
        return {"": frame}
    column = column_of(frame, by)
    rows = frame.explode(column) if frame.schema[column] == pl.List(pl.String) else frame
    parts = rows.drop_nulls(column).partition_by(column, as_dict=True)
    return {str(name): part for (name,), part in sorted(parts.items(), key=lambda p: str(p[0]))}


def correct(differences: Sequence[PairedDifference]) -> list[PairedDifference]:
    """Return the differences with p corrected by Holm's method over all of them."""
    corrected = holm([difference.p for difference in differences])
    return [
        replace(difference, holm=p) for difference, p in zip(differences, corrected, strict=True)
    ]


def compare_pairs(
    frame: pl.DataFrame, pairs: Iterable[tuple[str, str]], *, reading: str = ""
) -> list[PairedDifference]:
    """Compare pairs of judges that share items as `compare` does, before correction."""
    rows = _with_correctness(frame, reading)
    wide = rows.pivot("judge", index=["id", "group"], values="right", maintain_order=True)
    differences = []
    for a, b in pairs:
        if {a, b} <= set(wide.columns):
            both = wide.select("group", pl.col(a).alias("a"), pl.col(b).alias("b")).drop_nulls(
                ["a", "b"]
            )
            differences += [_compare_rows("", both, a, b)] if both.height else []
    return differences


def both_answered(frame: pl.DataFrame, a: str, b: str, reading: str) -> pl.DataFrame:
    """Return the items that both answered, with tags, and in `a` and `b` who is right."""
    rows = _with_correctness(frame, reading)
    rows_b = rows.filter(pl.col("judge") == b).select("id", pl.col("right").alias("b"))
    rows_a = rows.filter(pl.col("judge") == a).rename({"right": "a"})
    return rows_a.join(rows_b, on="id", how="inner", maintain_order="left")


def _with_correctness(frame: pl.DataFrame, reading: str) -> pl.DataFrame:
    """Return the rows whose answer is right or wrong, without their texts and probabilities."""
    right = (pl.col("answer") == pl.col(gold_column(frame, reading))).cast(pl.Int8)
    about = pl.col("^(id|group|judge|gold\\..*|tag\\..*)$")
    return frame.select(about, right.alias("right")).drop_nulls("right")


def _compare_rows(stratum: str, rows: pl.DataFrame, a: str, b: str) -> PairedDifference:
    better = rows["a"].to_numpy().astype(np.float64) - rows["b"].to_numpy()
    estimate, p, paradigms = difference(better, clusters(rows["group"]))
    only = int((better > 0).sum()), int((better < 0).sum())
    return PairedDifference(stratum, a, b, estimate, *only, p, p, paradigms)


def holm(ps: list[float]) -> list[float]:
    """Return p corrected by Holm's step-down method, in the order given."""
    order = np.argsort(ps, kind="stable")
    corrected = [0.0] * len(ps)
    highest = 0.0
    for rank, index in enumerate(order):
        highest = max(highest, min(1.0, (len(ps) - rank) * ps[index]))
        corrected[index] = highest
    return corrected
