"""How much of a mean is the method's doing: variance components over ways of asking, and an interval for a new wording.

Levels of a factor are taken for draws from many that could have been used. The variance of their means is what the factor
adds and what a mean of so many items varies by anyway; the second part is known from the paradigms and taken off
(the usual analysis of variance, with intervals from chi-square; Searle, Casella and McCulloch 1992, chapter 3).
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
import polars as pl

from grice.core.distributions import chi_square_quantile, student_quantile
from grice.core.errors import InputError
from grice.core.estimate import Estimate, Floats, mean
from grice.core.methods import METHOD, MethodEffects, VarianceComponent

LEVEL = 0.95
VERDICTS = ("robust", "depends on the method", "cannot be told")


def effects(frame: pl.DataFrame, value: pl.Expr, *, what: str, threshold: float) -> MethodEffects:
    """What the mean of `value` rests on, over judgements that `expand_methods` gave, of one judge."""
    rows = frame.with_columns(value.cast(pl.Float64).alias("_y")).filter(pl.col("_y").is_not_null())
    rows = rows.with_columns(pl.coalesce("group", "id").alias("_group"))
    if rows[METHOD].n_unique() < 2:
        raise InputError("one method alone has answers, so that nothing can be told of methods; ask more items")
    factors = [c for c in rows.columns if c.startswith(f"{METHOD}.") and rows[c].n_unique() > 1]
    overall = mean(rows["_y"], rows["_group"])
    assert overall is not None
    parts = {name.removeprefix(f"{METHOD}."): _factor(rows, name) for name in factors}
    components = [part for part, _ in parts.values()]
    components += _nested(rows)
    new = _new_wording(rows, overall, parts)
    return MethodEffects(
        judge=str(rows["judge"][0]),
        what=what,
        threshold=threshold,
        mean=overall,
        new_wording=new,
        components=tuple(components),
        verdict=_verdict(overall, new, components, threshold),
        **_extremes(rows),
    )


def _factor(rows: pl.DataFrame, column: str) -> tuple[VarianceComponent, tuple[float, float, int]]:
    """The component of one factor; with it the variance of its level means, the part of it that is chance, and their number."""
    names = sorted(rows[column].unique().to_list())
    values, noise = _level_means(rows, column, names)
    count = len(names)
    spread = float(np.var(values, ddof=1))
    centred = noise - noise.mean(axis=0, keepdims=True)
    centred -= centred.mean(axis=1, keepdims=True)
    chance = float(np.trace(centred)) / (count - 1)
    levels = {
        name: mean(part["_y"], part["_group"]) for name in names for part in [rows.filter(pl.col(column) == name)]
    }
    kept = {name: one for name, one in levels.items() if one is not None}
    source = column.removeprefix(f"{METHOD}.")
    return VarianceComponent(source, _deviation(spread, chance, count), kept), (spread, chance, count)


def _level_means(rows: pl.DataFrame, column: str, names: list[str]) -> tuple[Floats, Floats]:
    """The mean of each level, and the covariance that these means have by the draw of paradigms."""
    place = {name: i for i, name in enumerate(names)}
    level = rows[column].replace_strict(place, return_dtype=pl.Int64).to_numpy()
    cluster = rows["_group"].rank("dense").to_numpy().astype(np.int64) - 1
    y = rows["_y"].to_numpy()
    sizes = np.bincount(level, minlength=len(names)).astype(float)
    values = np.bincount(level, weights=y, minlength=len(names)) / sizes
    residual = (y - values[level]) / sizes[level]
    clusters = int(cluster.max()) + 1
    sums = np.zeros((clusters, len(names)))
    np.add.at(sums, (cluster, level), residual)
    found: Floats = sums.T @ sums * (clusters / max(1, clusters - 1))
    return values, found


def _nested(rows: pl.DataFrame) -> list[VarianceComponent]:
    """How much paradigms differ, and items within a paradigm, beyond what their few answers vary by."""
    # In the order of the rows, so that the last digits are the same each time.
    items = rows.group_by("_group", "id", maintain_order=True).agg(
        pl.col("_y").mean().alias("mean"), pl.col("_y").var().fill_null(0.0).alias("var"), pl.len().alias("n")
    )
    free = items["n"].to_numpy() - 1
    answers = float(items["var"].to_numpy() @ free) / max(1, int(free.sum()))
    groups = items.group_by("_group", maintain_order=True).agg(
        pl.col("mean").mean().alias("of"), pl.col("mean").var().fill_null(0.0).alias("var"), pl.len().alias("n")
    )
    freedom = int((groups["n"] - 1).sum())
    within = float(groups["var"].to_numpy() @ (groups["n"].to_numpy() - 1)) / max(1, freedom)
    made = []
    if groups.height > 1:
        spread = float(np.var(groups["of"].to_numpy(), ddof=1))
        chance = within * float(np.mean(1 / groups["n"].to_numpy())) if freedom else 0.0
        made.append(VarianceComponent("paradigm", _deviation(spread, chance, groups.height), {}))
    if freedom:
        chance = answers * float(np.mean(1 / items["n"].to_numpy()))
        made.append(VarianceComponent("item", _deviation(within, chance, freedom + 1), {}))
    return made


def _deviation(spread: float, chance: float, count: int) -> Estimate:
    """The standard deviation that is left of a variance between `count` means once chance is taken off."""
    freedom = count - 1
    tail = (1 - LEVEL) / 2
    ends = [freedom * spread / chi_square_quantile(freedom, share) - chance for share in (1 - tail, tail)]
    low, high = (math.sqrt(max(0.0, end)) for end in ends)
    return Estimate(math.sqrt(max(0.0, spread - chance)), count, low, high)


def _new_wording(
    rows: pl.DataFrame, overall: Estimate, parts: Mapping[str, tuple[VarianceComponent, tuple[float, float, int]]]
) -> Estimate:
    """The interval in which the mean under a wording that was not asked will be, over items like these."""
    if "wording" not in parts:
        return Estimate(overall.value, overall.n)
    spread, chance, count = parts["wording"][1]
    clusters = rows["_group"].n_unique()
    shifted = (pl.col("_y") - overall.value).sum().alias("s")
    sums = rows.group_by("_group", maintain_order=True).agg(shifted)["s"].to_numpy()
    error = float(sums @ sums) * clusters / max(1, clusters - 1) / rows.height**2
    more = 1 + 1 / count
    variance = max(0.0, spread - chance) * more + error
    # Satterthwaite's degrees of freedom: a wording's share is known from few wordings, the items' from many paradigms.
    freedom = (
        variance**2 / ((spread * more) ** 2 / (count - 1) + error**2 / max(1, clusters - 1)) if spread else clusters
    )
    half = student_quantile(
        max(1, min(clusters - 1, math.floor(max(freedom, count - 1)))), 0.5 + LEVEL / 2
    ) * math.sqrt(variance)
    ends = (overall.value - half, overall.value + half)
    if rows["_y"].is_between(0, 1).all():
        ends = (max(0.0, ends[0]), min(1.0, ends[1]))
    return Estimate(overall.value, overall.n, *ends)


def _verdict(overall: Estimate, new: Estimate, components: list[VarianceComponent], threshold: float) -> str:
    """Whether the mean is on one side of the threshold however one asks."""
    sides = {_side(level, threshold) for one in components for level in one.levels.values()} - {0}
    if len(sides) == 2:
        return VERDICTS[1]
    if _side(new, threshold):
        return VERDICTS[0]
    moved = any(one.levels and (one.deviation.low or 0) > 0 for one in components)
    return VERDICTS[1] if _side(overall, threshold) and moved else VERDICTS[2]


def _side(one: Estimate, threshold: float) -> int:
    if one.low is None or one.high is None:
        return 0
    return 1 if one.low > threshold else -1 if one.high < threshold else 0


def _extremes(rows: pl.DataFrame) -> dict[str, tuple[str, Estimate]]:
    """The methods under which the mean is highest and lowest, each with its own interval."""
    parts = rows.partition_by(METHOD, as_dict=True)
    found = {str(key[0]): one for key, part in parts.items() if (one := mean(part["_y"], part["_group"])) is not None}
    ordered = sorted(found.items(), key=lambda one: (one[1].value, one[0]))
    return {"best": ordered[-1], "worst": ordered[0]}
