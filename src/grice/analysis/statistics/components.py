"""Variance components over prompt variants: wording, answer extraction, label words, order, items.

The levels of a factor are taken for draws from many that could have been used. Their effects are
those of one additive model of all factors, so that unbalanced combinations of levels do not
confound the factors. The variance of a factor's effects is what the factor adds plus what effects
vary by anyway; the second part is known from the paradigms and subtracted (the analysis of variance
of Searle, Casella and McCulloch 1992, chapter 3). Intervals are chi-square with Satterthwaite's
degrees of freedom, estimated from the paradigms, so that answers of 0 and 1 are not treated as
normal.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from grice.core.distributions import chi_square_quantile
from grice.core.estimate import Estimate, Floats
from grice.core.methods import METHOD

LEVEL = 0.95
COMBINATION = "combination"


@dataclass(frozen=True)
class Component:
    """A variance `spread` between `count` means, and the part of it that is `chance`.

    `variance` is that of the difference of the two. `noise` is the part of chance that comes from
    the draw of paradigms alone.
    """

    source: str
    spread: float
    chance: float
    variance: float
    count: int
    noise: float

    def deviation(self, most: float) -> Estimate:
        """Return the standard deviation without chance, with its interval, at most `most`."""
        variances = [self.spread - self.chance, 0.0, 0.0]
        if self.spread > 0:
            freedom = 2 * self.spread**2 / max(self.variance, 1e-300)
            tail = (1 - LEVEL) / 2
            factors = (scaled(freedom, share) for share in (1 - tail, tail))
            variances[1:] = [self.spread * factor - self.chance for factor in factors]
        value, low, high = (min(most, math.sqrt(max(0.0, v))) for v in variances)
        return Estimate(value, self.count, low, high)


def scaled(freedom: float, share: float) -> float:
    """Return the ratio of one end of a variance's interval to its estimate."""
    freedom = round(max(freedom, 0.5), 2)
    return freedom / chi_square_quantile(freedom, share)


@dataclass(frozen=True)
class AdditiveModel:
    """The effects of all factors by least squares, and each paradigm's influence on them."""

    blocks: dict[str, list[str]]
    effects: Floats
    influence: Floats
    residual: Floats
    rank: int

    def effects_of(self, factor: str) -> tuple[Floats, Floats]:
        """Return the centred effects of a factor's levels, and their covariance over paradigms."""
        names = list(self.blocks)
        start = 1 + sum(len(self.blocks[name]) for name in names[: names.index(factor)])
        stop = start + len(self.blocks[factor])
        effects, moved = self.effects[start:stop], self.influence[:, start:stop]
        moved = moved - moved.mean(axis=1, keepdims=True)
        return effects - effects.mean(), moved.T @ moved


def fit(rows: pl.DataFrame, factors: Sequence[str]) -> AdditiveModel:
    """Fit the additive model of the answers `_y` by these columns, with clusters `_group`."""
    blocks = {factor: sorted(rows[factor].unique().to_list()) for factor in factors}
    columns = [np.ones(rows.height)]
    columns += [
        (rows[factor] == level).to_numpy().astype(float)
        for factor in factors
        for level in blocks[factor]
    ]
    design, y = np.column_stack(columns), rows["_y"].to_numpy()
    inverse = np.linalg.pinv(design.T @ design, rcond=1e-10, hermitian=True)
    coefficients = inverse @ (design.T @ y)
    residual = y - design @ coefficients
    cluster = cluster_of(rows)
    clusters = int(cluster.max()) + 1
    rank = int(np.linalg.matrix_rank(design.T @ design, hermitian=True))
    sums = np.zeros((clusters, design.shape[1]))
    np.add.at(sums, cluster, design * residual[:, None])
    grow = clusters / max(1, clusters - 1) * rows.height / max(1, rows.height - rank)
    return AdditiveModel(blocks, coefficients, sums @ inverse * math.sqrt(grow), residual, rank)


def cluster_of(rows: pl.DataFrame) -> npt.NDArray[np.int64]:
    """Return a number for each row's paradigm, from 0."""
    return rows["_group"].rank("dense").to_numpy().astype(np.int64) - 1


def factor_component(
    model: AdditiveModel, factor: str, cells: int, combined: Component | None
) -> Component:
    """Return the component of one factor, such as the wording.

    `combined` is the component of combinations of levels of several factors. There are `cells`
    combinations, so the mean of a level is over `cells` / levels of them.
    """
    effects, noise = model.effects_of(factor)
    count = len(effects)
    spread, chance = float(np.var(effects, ddof=1)), float(np.trace(noise)) / (count - 1)
    free = len(model.influence) - 1
    mixed = 0.0
    if combined is not None and combined.deviation(math.inf).low:
        mixed = (combined.spread - combined.chance) * count / cells
    # A spread that is small by chance does not make `chance` less certain, so its share is that of
    # a spread as large as `chance`.
    share = chance / max(spread, chance, 1e-300)
    variance = 2 * spread**2 * (1 / (count - 1) + share**2 / max(1, free))
    name = factor.removeprefix(f"{METHOD}.")
    return Component(name, spread, chance + mixed, variance, count, chance)


def combination_component(rows: pl.DataFrame, model: AdditiveModel) -> Component | None:
    """Return the component of combinations of levels; None with no more methods than effects."""
    method = rows[METHOD].rank("dense").to_numpy().astype(np.int64) - 1
    count = int(method.max()) + 1
    free = count - model.rank
    if free < 1:
        return None
    sizes = np.bincount(method).astype(float)
    means = np.bincount(method, weights=model.residual) / sizes
    paired = pl.DataFrame(
        {"m": method, "g": cluster_of(rows), "r": (model.residual - means[method]) / sizes[method]}
    )
    sums = paired.group_by("m", "g", maintain_order=True).agg(pl.col("r").drop_nulls().sum())
    squares = (pl.col("r") ** 2).drop_nulls().sum().alias("v")
    stats = (
        sums.group_by("m", maintain_order=True)
        .agg(squares, pl.len().alias("n"))
        .filter(pl.col("n") > 1)
    )
    if stats.is_empty():
        return None
    chance = float((stats["v"] * stats["n"] / (stats["n"] - 1)).mean())  # type: ignore[arg-type]
    spread = float(means @ means) / free
    known = (chance / max(spread, chance, 1e-300)) ** 2 / max(1, len(model.influence) - 1)
    variance = 2 * spread**2 * (1 / free + known)
    return Component(COMBINATION, spread, chance, variance, free + 1, chance)


def nested_components(rows: pl.DataFrame, residual: Floats) -> list[Component]:
    """Return the components of paradigms, of items within a paradigm, and of repeated samples.

    The variance expected from their few answers is subtracted.
    """
    residual_rows = rows.select("_group", "id", "_v", "_k").with_columns(pl.Series("_r", residual))
    items = residual_rows.group_by("_group", "id", maintain_order=True).agg(
        pl.col("_r").mean().alias("mean"),
        ((pl.col("_r") - pl.col("_r").mean()) ** 2).sum().alias("within"),
        pl.len().alias("n"),
    )
    groups = items.group_by("_group", maintain_order=True).agg(
        pl.col("mean").mean().alias("mean"),
        ((pl.col("mean") - pl.col("mean").mean()) ** 2).sum().alias("between"),
        pl.col("within").sum(),
        (pl.col("n") - 1).sum().alias("free"),
        (pl.len() - 1).alias("more"),
        (1 / pl.len()).alias("share"),
        (1 / pl.col("n")).sum().alias("parts"),
        pl.len().alias("items"),
    )
    column = {
        name: groups[name].to_numpy().astype(float) for name in groups.columns if name != "_group"
    }
    count = groups.height
    answers, by_answers = _pooled(column["within"], column["free"])
    within, by_items = _pooled(column["between"], column["more"])
    components = []
    if count > 1:
        centre = column["mean"] - column["mean"].mean()
        spread = float(centre @ centre) / (count - 1)
        share = float(column["share"].mean())
        moved = (centre**2 - spread * (count - 1) / count) / (count - 1) - by_items * share
        # With few paradigms the variance of their squares is underestimated; it is at least that of
        # normal ones.
        variance = max(_squared(moved), 2 * spread**2 / (count - 1))
        components.append(Component("paradigm", spread, within * share, variance, count, 0.0))
    if column["more"].sum():
        share = float(column["parts"].sum() / column["items"].sum())
        moved = by_items - by_answers * share
        components.append(
            Component(
                "item", within, answers * share, _squared(moved), int(column["more"].sum()) + 1, 0.0
            )
        )
    return components + _samples(residual_rows)


def _samples(residual_rows: pl.DataFrame) -> list[Component]:
    """Return the component of repeated samples of one prompt, if there are any."""
    drawn = residual_rows.filter(pl.col("_k") > 1)
    if drawn.is_empty():
        return []
    per_paradigm = drawn.group_by("_group", maintain_order=True).agg(
        pl.col("_v").drop_nulls().sum(), pl.len().alias("n")
    )
    spread, moved = _pooled(
        per_paradigm["_v"].to_numpy(), per_paradigm["n"].to_numpy().astype(float)
    )
    return [Component("sample", spread, 0.0, _squared(moved), int(drawn["_k"].sum()), 0.0)]


def _pooled(sums: Floats, free: Floats) -> tuple[float, Floats]:
    """Return a variance pooled over paradigms, and each paradigm's contribution to its error."""
    total = max(1.0, float(free.sum()))
    value = float(sums.sum()) / total
    return value, (sums - value * free) / total


def _squared(moved: Floats) -> float:
    return float(moved @ moved) * len(moved) / max(1, len(moved) - 1)
