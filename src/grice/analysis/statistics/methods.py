"""Prompt sensitivity of a mean: its components, an interval for a new wording, and a verdict."""

from __future__ import annotations

import math

import numpy as np
import polars as pl

from grice.analysis.statistics.components import (
    LEVEL,
    Component,
    combination_component,
    factor_component,
    fit,
    nested_components,
)
from grice.core.distributions import student_quantile
from grice.core.errors import InputError
from grice.core.estimate import Estimate, mean
from grice.core.methods import DEPENDS, METHOD, ROBUST, UNKNOWN, MethodEffects, VarianceComponent


def effects(frame: pl.DataFrame, value: pl.Expr, *, what: str, threshold: float) -> MethodEffects:
    """Estimate the prompt sensitivity of the mean of `value`, over judgements of one judge.

    The judgements are those of `expand_methods`. Rows of one item and method are samples of one
    prompt, and count as one answer, their mean.
    """
    rows = frame.with_columns(value.cast(pl.Float64).alias("_y")).filter(pl.col("_y").is_not_null())
    if rows[METHOD].n_unique() < 2:
        raise InputError(
            "only one prompt variant has answers, so variants cannot be compared; evaluate more"
            " items"
        )
    factors = [c for c in rows.columns if c.startswith(f"{METHOD}.") and rows[c].n_unique() > 1]
    # The standard deviation of bounded answers is at most half their range.
    outer_bound = float(np.ptp(rows["_y"].to_numpy())) / 2
    rows = rows.group_by("id", METHOD, maintain_order=True).agg(
        pl.coalesce("group", "id").first().alias("_group"),
        pl.col("judge", *factors).first(),
        pl.col("_y").mean(),
        pl.col("_y").var().fill_null(0.0).alias("_v"),
        pl.len().alias("_k"),
    )
    overall = mean(rows["_y"], rows["_group"])
    assert overall is not None
    model = fit(rows, factors)
    combined = combination_component(rows, model)
    parts = [
        factor_component(model, factor, rows[METHOD].n_unique(), combined) for factor in factors
    ]
    nested = nested_components(rows, model.residual)
    components = [
        VarianceComponent(
            part.source,
            part.deviation(outer_bound),
            _means_by(rows, f"{METHOD}.{part.source}") if part in parts else {},
        )
        for part in (*parts, *([combined] if combined else []), *nested)
    ]
    wording = next((part for part in parts if part.source == "wording"), None)
    new = _new_wording(rows, overall, wording)
    by_method = _means_by(rows, METHOD)
    return MethodEffects(
        judge=str(rows["judge"][0]),
        what=what,
        threshold=threshold,
        mean=overall,
        new_wording=new,
        components=tuple(components),
        verdict=_verdict(overall, new, components, threshold),
        methods=dict(sorted(by_method.items(), key=lambda entry: (entry[1].value, entry[0]))),
    )


def _means_by(rows: pl.DataFrame, column: str) -> dict[str, Estimate]:
    """Return the mean for each value of a column with its own interval, by name."""
    parts = rows.partition_by(column, as_dict=True)
    means = {str(key[0]): mean(part["_y"], part["_group"]) for key, part in sorted(parts.items())}
    return {name: estimate for name, estimate in means.items() if estimate is not None}


def _new_wording(rows: pl.DataFrame, overall: Estimate, wording: Component | None) -> Estimate:
    """Return the prediction interval of the mean under a new wording, over items like these."""
    if wording is None:
        return Estimate(overall.value, overall.n)
    spread, count = wording.spread, wording.count
    clusters = rows["_group"].n_unique()
    shifted = (pl.col("_y") - overall.value).drop_nulls().sum().alias("s")
    sums = rows.group_by("_group", maintain_order=True).agg(shifted)["s"].to_numpy()
    error = float(sums @ sums) * clusters / max(1, clusters - 1) / rows.height**2
    # The variance between wordings (a new one and the mean of those evaluated), and that of items,
    # which all wordings share. Chance is not subtracted from the spread: otherwise the interval is
    # too narrow if a few wordings are close by chance.
    between, shared = spread * (1 + 1 / count), max(0.0, error - wording.noise / count)
    variance = between + shared
    # Satterthwaite's degrees of freedom: the first variance is estimated from few wordings, the
    # second from many paradigms.
    parts = between**2 / (count - 1) + shared**2 / max(1, clusters - 1)
    freedom = max(1, min(clusters - 1, math.floor(variance**2 / parts) if parts else 1))
    half = student_quantile(freedom, 0.5 + LEVEL / 2) * math.sqrt(variance)
    ends = (overall.value - half, overall.value + half)
    if rows["_y"].is_between(0, 1).all():
        ends = (max(0.0, ends[0]), min(1.0, ends[1]))
    return Estimate(overall.value, overall.n, *ends)


def _verdict(
    overall: Estimate, new: Estimate, components: list[VarianceComponent], threshold: float
) -> str:
    """Return whether the mean is on one side of the threshold under all prompt variants.

    It is not if some levels are significantly above and others significantly below, nor if levels
    differ significantly and one of them, or a new wording, may be on the other side.
    """
    sides = {_side(level, threshold) for part in components for level in part.levels.values()} - {0}
    if len(sides) == 2:
        return DEPENDS
    moved = [part for part in components if part.levels and (part.deviation.low or 0) > 0]
    held = all(_side(level, threshold) for part in moved for level in part.levels.values())
    if _side(new, threshold):
        return ROBUST if held else DEPENDS
    return DEPENDS if _side(overall, threshold) and moved else UNKNOWN


def _side(estimate: Estimate, threshold: float) -> int:
    if estimate.low is None or estimate.high is None:
        return 0
    return 1 if estimate.low > threshold else -1 if estimate.high < threshold else 0
