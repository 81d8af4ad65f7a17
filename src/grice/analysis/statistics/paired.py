"""Two judges on the same items: how much better one is, and whether that could be chance."""

from __future__ import annotations

import numpy as np
import polars as pl

from grice.analysis.statistics.readings import gold_column
from grice.analysis.statistics.resample import clusters, mean_difference
from grice.core.comparison import PairedDifference
from grice.core.dataset import column_of
from grice.core.distributions import fair_coin_cdf
from grice.core.errors import unknown
from grice.core.estimate import Floats

FEW, SWAPS = 12, 9999


def compare(frame: pl.DataFrame, a: str, b: str, *, reading: str = "", by: str = "") -> list[PairedDifference]:
    """Compare two judges in a joined frame, overall or within each value of the tag `by`.

    The interval draws whole paradigms again, both judges on the same draw. A stratum without shared items is left out.
    """
    judges = frame["judge"].unique().to_list()
    for judge in (a, b):
        if judge not in judges:
            raise unknown("judge", judge, judges)
    both = _both(frame, a, b, reading)
    strata = {"": both}
    if by:
        column = column_of(both, by)
        if both.schema[column] == pl.List(pl.String):
            both = both.explode(column)
        parts = both.drop_nulls(column).partition_by(column, as_dict=True)
        strata = {str(name): part for (name,), part in sorted(parts.items(), key=lambda p: str(p[0]))}
    kept = {name: part for name, part in strata.items() if part.height}
    ps = [chance(part) for part in kept.values()]
    corrected = holm(ps)
    return [_comparison(name, part, a, b, p, h) for (name, part), p, h in zip(kept.items(), ps, corrected, strict=True)]


def _both(frame: pl.DataFrame, a: str, b: str, reading: str) -> pl.DataFrame:
    """One row an item both answered: `a` and `b` whether each is right, with the item's group and tags."""
    right = (pl.col("answer") == pl.col(gold_column(frame, reading))).cast(pl.Int8)
    rows = frame.with_columns(right.alias("right")).drop_nulls("right")
    other = rows.filter(pl.col("judge") == b).select("id", pl.col("right").alias("b"))
    return rows.filter(pl.col("judge") == a).rename({"right": "a"}).join(other, on="id", how="inner")


def _discordant(rows: pl.DataFrame) -> tuple[int, int]:
    only_a = int(((rows["a"] == 1) & (rows["b"] == 0)).sum())
    return only_a, int(((rows["a"] == 0) & (rows["b"] == 1)).sum())


def chance(rows: pl.DataFrame) -> float:
    """How likely so large a difference is if the two are alike; items of a paradigm are not counted as independent."""
    place = clusters(rows["group"])
    if int(place.max()) + 1 == rows.height:
        return _mcnemar(rows)
    better = rows["a"].to_numpy().astype(np.float64) - rows["b"].to_numpy().astype(np.float64)
    return _swapped(np.bincount(place, better).astype(np.float64))


def _swapped(better: Floats, *, seed: int = 0) -> float:
    """Swap the two judges in each cluster or not: in all ways where these are few, else in as many as SWAPS drawn."""
    better = better[better != 0]
    if not len(better):
        return 1.0
    found = abs(float(better.sum())) - 1e-9
    if len(better) <= FEW:
        ways = (np.arange(2 ** len(better))[:, None] >> np.arange(len(better))) & 1
        return float((np.abs((2.0 * ways - 1.0) @ better) >= found).mean())
    signs = 2.0 * np.random.default_rng([seed, len(better)]).integers(2, size=(SWAPS, len(better)), dtype=np.int8) - 1.0
    return float(((np.abs(signs @ better) >= found).sum() + 1) / (SWAPS + 1))


def _mcnemar(rows: pl.DataFrame) -> float:
    """The exact binomial test that each of the two is as likely to be the only one right."""
    only_a, only_b = _discordant(rows)
    if only_a + only_b == 0:
        return 1.0
    return min(1.0, 2 * fair_coin_cdf(min(only_a, only_b), only_a + only_b))


def _comparison(name: str, rows: pl.DataFrame, a: str, b: str, p: float, corrected: float) -> PairedDifference:
    better = rows["a"].cast(pl.Float64) - rows["b"].cast(pl.Float64)
    difference = mean_difference(better, rows["group"])
    assert difference is not None
    return PairedDifference(name, a, b, difference, *_discordant(rows), p, corrected)


def holm(ps: list[float]) -> list[float]:
    """Holm's step-down correction, in the order given."""
    order = np.argsort(ps, kind="stable")
    corrected = [0.0] * len(ps)
    highest = 0.0
    for rank, place in enumerate(order):
        highest = max(highest, min(1.0, (len(ps) - rank) * ps[place]))
        corrected[place] = highest
    return corrected
