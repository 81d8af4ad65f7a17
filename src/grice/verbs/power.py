"""Power analysis of comparisons: `grice power`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from grice.analysis.statistics.crossed import crossed_difference
from grice.analysis.statistics.paired import both_answered
from grice.analysis.statistics.planning import (
    Spread,
    measure_spread,
    paradigms_needed,
    smallest_difference,
)
from grice.analysis.statistics.readings import gold_column
from grice.analysis.statistics.resample import clusters
from grice.core.errors import InputError
from grice.core.estimate import Estimate, wilson
from grice.storage.run import join
from grice.tables.plan import Plan, PlannedSize
from grice.verbs.run_filter import choose_runs

if TYPE_CHECKING:
    from grice.loading import RunLike

DIFFERENCES = (0.01, 0.02, 0.05, 0.1, 0.2)
PARADIGMS = (8, 20, 100, 500)
ACCURACY, ITEMS, ICC = 0.8, 6.0, 0.2


def power(
    runs: RunLike | Sequence[RunLike] = (),
    *,
    reading: str = "",
    accuracy: float | None = None,
    discordance: float | None = None,
    items: float | None = None,
    icc: float | None = None,
    differences: Sequence[float] = (),
    paradigms: Sequence[int] = (),
    target: float = 0.8,
    level: float = 0.05,
) -> Plan:
    """Return the paradigms needed to detect differences, and the differences detectable.

    Two pilot `runs` on the same data give the discordance of the judges and the correlation of
    items within a paradigm. One run gives them for a second judge that is as accurate and errs
    independently. Without runs, `accuracy` (the average of both), `items` and `icc` are assumed.
    Arguments override what is measured. `target` is the power, `level` the significance level: for
    k comparisons corrected together, pass 0.05 / k.

    >>> grice.power(accuracy=0.8, items=6, icc=0.2, differences=[0.05]).sizes[0].paradigms
    337
    """
    _check(accuracy=accuracy, discordance=discordance, target=target, level=level)
    if not differences and not paradigms:
        differences, paradigms = DIFFERENCES, PARADIGMS
    for difference in differences:
        _check(difference=difference)
    source, pilot, spread = _measured(runs, reading)
    if accuracy is not None and discordance is None:
        discordance = _apart(accuracy)
    spread = _override(spread, items=items, icc=icc, variance=discordance)
    pairs: list[tuple[float | None, int | None]] = [
        (difference, paradigms_needed(difference, spread, power=target, level=level))
        for difference in differences
    ]
    pairs += [
        (smallest_difference(count, spread, power=target, level=level), count)
        for count in paradigms
    ]
    sizes = [
        PlannedSize(d, count, None if count is None else math.ceil(count * spread.items))
        for d, count in pairs
    ]
    sizes.sort(key=lambda size: math.inf if size.difference is None else size.difference)
    return Plan(
        source,
        spread.variance,
        spread.items,
        spread.icc,
        spread.design_effect,
        pilot,
        target,
        level,
        tuple(sizes),
    )


def power_of_study(
    people: int,
    paradigms: int,
    *,
    effect: float = 0.4,
    conditions: int = 2,
    person_sd: float = 0.7,
    item_sd: float = 0.5,
    slope_sd: float = 0.3,
    draws: int = 400,
    seed: int = 0,
) -> Estimate:
    """Return the power of a Latin-square study with people, by simulation.

    It is the share of simulated studies whose interval of the difference of two neighbouring
    conditions excludes 0. `effect` is that difference in standard deviations of a single answer;
    people and items vary by `person_sd` and `item_sd`, their effects of the condition by
    `slope_sd`.

    >>> power_of_study(30, 12, effect=0.6, draws=50).value > 0.7
    True
    """
    if people < 2 or paradigms < 2 or conditions < 2 or draws < 1:
        raise InputError(
            f"{people} people, {paradigms} paradigms, {conditions} conditions: give two or more"
        )
    draw = np.random.default_rng(seed)
    item, person = (axis.ravel() for axis in np.indices((paradigms, people)))
    condition = (item + person) % conditions
    is_shown = condition < 2
    n_significant = 0
    for _ in range(draws):
        values = effect * condition + draw.normal(0, 1, len(item))
        for unit, n, spread in ((item, paradigms, item_sd), (person, people, person_sd)):
            values += draw.normal(0, spread, n)[unit]
            values += draw.normal(0, slope_sd, (n, conditions))[unit, condition]
        factors = [item[is_shown], person[is_shown]]
        difference, error = crossed_difference(values[is_shown], condition[is_shown] == 1, factors)
        n_significant += error is not None and error.p_value(difference.value) < 0.05
    share = n_significant / draws
    return Estimate(share, draws, *wilson(share, draws))


def _override(spread: Spread, **values: float | None) -> Spread:
    """Return the spread with the values that are given in place of measured ones."""
    icc = values["icc"]
    spread = replace(spread, **{name: value for name, value in values.items() if value is not None})
    if not 1 <= spread.items <= 1e9 or not -1 <= spread.icc <= 1:
        raise InputError(
            f"{spread.items:g} items per paradigm with correlation {spread.icc:g} are out of range;"
            " give --items from 1 to 1e9 and --icc from -1 to 1"
        )
    if icc is not None and 1 + (spread.items - 1) * icc < 1e-9:
        lowest = -1 / (spread.items - 1)
        raise InputError(
            f"icc is {icc:g}; {spread.items:g} items correlate by more than {lowest:.3g}, so give"
            " --icc above it"
        )
    return spread


def _check(**shares: float | None) -> None:
    for name, share in shares.items():
        if share is not None and not 1e-12 <= share < 1:
            raise InputError(f"{name} is {share:g}; give a share between 0 and 1")


def _apart(accuracy: float) -> float:
    """Return the discordance of two judges with this accuracy whose errors are independent."""
    return 2 * accuracy * (1 - accuracy)


def _measured(runs: RunLike | Sequence[RunLike], reading: str) -> tuple[str, int, Spread]:
    """Return what the sizes are for, the paradigms of the pilot, and the spread of its items."""
    if isinstance(runs, Sequence) and not runs:
        return "assumed judges", 0, Spread(ITEMS, _apart(ACCURACY), ICC)
    chosen = choose_runs(runs, {})
    if len(chosen) > 1:
        raise InputError(
            "the pilot runs are on several datasets"
            f" ({', '.join(same.data.name for same in chosen)}); give runs on one"
        )
    data, frame = chosen[0].data, join(chosen[0].data, *chosen[0].runs)
    judges = frame["judge"].unique(maintain_order=True).to_list()
    if len(judges) > 2:
        raise InputError(
            f"a pilot has one or two judges, found {len(judges)}: {', '.join(judges)}; leave some"
            " out"
        )
    if len(judges) == 2:
        rows = both_answered(frame, judges[0], judges[1], reading)
        values, other = rows["a"].cast(pl.Float64) - rows["b"], judges[1]
    else:
        gold = gold_column(frame, reading)
        rows = frame.drop_nulls(["answer", gold])
        values = (rows["answer"] == rows[gold]).cast(pl.Float64)
        other = "a judge like it"
    spread = measure_spread(values, rows["group"])
    if spread is None:
        raise InputError(
            f"the pilot on {data.name} has fewer than two paradigms that were answered; judge more"
            " of it"
        )
    if len(judges) == 1:
        spread = replace(spread, variance=_apart(spread.variance))
    source = f"{judges[0]} and {other} on {data.name}"
    return source, int(clusters(rows["group"]).max()) + 1, spread
