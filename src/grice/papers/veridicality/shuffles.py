"""Divergences expected by chance between few answers: shuffled answers and redrawn sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from grice.analysis.kl import answer_shares, divergence
from grice.analysis.statistics.paired import holm
from grice.core.estimate import Estimate, Floats

Indices = npt.NDArray[np.intp]
SIDES = ("positive", "negative")
LABELS = ("entailment", "neutral", "contradiction")
# Holm's correction over the 64 cells of Table 7 needs a p as small as .05/64.
SHUFFLES, REDRAWS = 1999, 500


@dataclass(frozen=True)
class Divergences:
    """D(sample ‖ reference) by pair of samples and environment: observed, shuffled, and redrawn.

    The first axis of the last two is the repeat. `n` counts the sentences of the sample; without
    any, a divergence is NaN.
    """

    observed: Floats
    shuffled: Floats
    redrawn: Floats
    n: Floats


@dataclass(frozen=True)
class CellByChance:
    """A mean divergence with its expectation by chance, the difference of the two, and p.

    The expectation is the mean and the middle 95% over shuffled answers.
    """

    observed: Estimate
    shuffled: Estimate
    above: Estimate
    p: float


# The pairs by name, and their divergences where there is any.
Divergent = tuple[list[str], Divergences | None]


def by_sentence(frame: pl.DataFrame, pair: str) -> tuple[pl.DataFrame, float]:
    """Return one row per sentence and `pair` with its answers in both environments.

    The second value is what is added to label sums.
    """
    rows = frame.filter(pl.col("answer").is_not_null())
    shares, added = answer_shares(rows, LABELS)
    wide = {
        f"{side} {label}": np.where(
            (rows["tag.environment"] == side).to_numpy(), shares[:, index], 0.0
        )
        for side in SIDES
        for index, label in enumerate(LABELS)
    }
    named = rows.select(pl.coalesce("group", "id").alias("sentence"), pl.col(pair).alias("pair"))
    rows = named.with_columns(**{name: pl.Series(values) for name, values in wide.items()})
    return rows.group_by("pair", "sentence", maintain_order=True).sum(), added


def against_own(sample: pl.DataFrame, reference: pl.DataFrame, added: float) -> Divergent:
    """Compare each pair of the sample with the same pair of the reference.

    Answers are shuffled between the two. A sentence that is in both keeps its two answers, in
    either order.
    """
    pairs = sorted(set(sample["pair"]) & set(reference["pair"]))
    if not pairs:
        return [], None
    pool = pl.concat([sample.with_columns(part=pl.lit(0)), reference.with_columns(part=pl.lit(1))])
    pool = pool.filter(pl.col("pair").is_in(pairs)).sort("pair", "part", maintain_order=True)
    both = pl.len().over("pair", "sentence") > 1
    named = pool.select(
        block=pl.struct("pair", "part").rank("dense"),
        stratum=pl.struct("pair", pl.when(both).then("sentence").otherwise(pl.lit(""))).rank(
            "dense"
        ),
        unit=pl.struct("pair", "sentence").rank("dense"),
        drawn_with=pl.struct("pair", pl.when(both).then(pl.lit(2)).otherwise("part")).rank("dense"),
    )
    samples = np.arange(0, 2 * len(pairs), 2)
    return pairs, _repeat(_values(pool), named, samples, samples + 1, added)


def against_all(sample: pl.DataFrame, reference: pl.DataFrame, added: float) -> Divergent:
    """Compare each pair of the sample with all of the reference.

    Answers are shuffled among all sentences: under the null hypothesis the pair is uninformative.
    """
    pairs = sorted(set(sample["pair"]))
    if not pairs:
        return [], None
    sorted_pairs = sample.sort("pair", maintain_order=True).with_columns(
        block=pl.col("pair").rank("dense").cast(pl.Int64)
    )
    pool = pl.concat([sorted_pairs, reference.with_columns(block=pl.lit(len(pairs) + 1, pl.Int64))])
    unit = pl.int_range(1, pl.len() + 1)
    named = pool.select("block", stratum=pl.lit(1), unit=unit, drawn_with="block")
    samples = np.arange(len(pairs))
    return pairs, _repeat(_values(pool), named, samples, np.full_like(samples, len(pairs)), added)


def _values(pool: pl.DataFrame) -> Floats:
    return (
        pool.select(f"{side} {label}" for side in SIDES for label in LABELS)
        .to_numpy()
        .astype(np.float64)
    )


def _repeat(
    values: Floats, named: pl.DataFrame, samples: Indices, references: Indices, added: float
) -> Divergences:
    """Shuffle answers within each `stratum`, and redraw the `unit`s of each `drawn_with`.

    The answers are summed by `block`.
    """
    columns = ("block", "stratum", "unit", "drawn_with")
    block, stratum, unit, drawn_with = (
        named[column].to_numpy().astype(np.intp) - 1 for column in columns
    )
    starts, rng = np.searchsorted(block, np.arange(block.max() + 1)), np.random.default_rng(0)
    is_answered = values.reshape(len(values), len(SIDES), -1).sum(axis=2) > 0
    n = np.add.reduceat(is_answered.astype(np.float64), starts)
    # A sentence without an answer in one environment changes places with its like, so that n stays.
    shuffled = _shuffle(values, stratum * 4 + is_answered @ (1, 2), starts, rng)
    redrawn = _redraw(values, unit, drawn_with, starts, rng)
    observed, chance, again = (
        _divergences(sums, samples, references, added)
        for sums in (np.add.reduceat(values, starts), shuffled, redrawn)
    )
    observed[(n[samples] == 0) | (n[references] == 0)] = np.nan
    return Divergences(observed, chance, again, n[samples])


def _shuffle(values: Floats, stratum: Indices, starts: Indices, rng: np.random.Generator) -> Floats:
    order = np.argsort(stratum, kind="stable")
    moved = np.empty(len(values), dtype=np.intp)
    sums = []
    for _ in range(SHUFFLES):
        moved[order] = np.argsort(stratum + rng.random(len(values)))
        sums.append(np.add.reduceat(values[moved], starts))
    return np.stack(sums)


def _redraw(
    values: Floats, unit: Indices, drawn_with: Indices, starts: Indices, rng: np.random.Generator
) -> Floats:
    units, first = np.unique(unit, return_index=True)
    order = np.argsort(drawn_with[first], kind="stable")
    _, size = np.unique(drawn_with[first][order], return_counts=True)
    begin, room, sums = np.repeat(np.cumsum(size) - size, size), np.repeat(size, size), []
    for _ in range(REDRAWS):
        drawn = order[begin + (rng.random(len(units)) * room).astype(np.intp)]
        times = np.bincount(drawn, minlength=len(units))[unit]
        sums.append(np.add.reduceat(values * times[:, None], starts))
    return np.stack(sums)


def _divergences(sums: Floats, samples: Indices, references: Indices, added: float) -> Floats:
    """Convert sums of answers to divergences.

    The shapes are (…, block, environment and label) and (…, pair, environment).
    """
    parts = sums.reshape(*sums.shape[:-1], len(SIDES), len(LABELS)) + added
    with np.errstate(all="ignore"):
        return divergence(parts[..., samples, :, :], parts[..., references, :, :])


def cell_by_chance(
    divergences: Divergences, pairs: Sequence[int], sides: Sequence[int]
) -> CellByChance | None:
    """Average over pairs and then over environments; None unless each environment has a pair."""
    rows, columns = list(pairs), list(sides)
    here = np.isfinite(divergences.observed[rows][:, columns])
    if not here.any(axis=0).all():
        return None

    def average(values: Floats) -> Floats:
        some = values[..., rows, :][..., columns]
        known = here & np.isfinite(some)
        with np.errstate(all="ignore"):
            by_side: Floats = np.where(known, some, 0.0).sum(axis=-2) / known.sum(axis=-2)
        return np.asarray(by_side.mean(axis=-1))

    value = float(average(divergences.observed))
    n = int((divergences.n[rows][:, columns] * here).sum())
    # A repeat may leave an environment without answers where there are few.
    shuffled, redrawn = (
        all_of[np.isfinite(all_of)]
        for all_of in (average(divergences.shuffled), average(divergences.redrawn))
    )
    by_chance = _middle(shuffled, n)
    above = value - by_chance.value
    low, high = (
        above + float(end) for end in np.quantile(redrawn - redrawn.mean(), (0.025, 0.975))
    )
    p = (1 + int((shuffled >= value - 1e-12).sum())) / (1 + SHUFFLES)
    return CellByChance(Estimate(value, n), by_chance, Estimate(above, n, low, high), p)


def _middle(repeats: Floats, n: int) -> Estimate:
    low, high = np.quantile(repeats, (0.025, 0.975))
    return Estimate(float(repeats.mean()), n, float(low), float(high))


def shuffled_mean(sample: pl.Series, reference: pl.Series) -> tuple[Estimate, float]:
    """Return the mean, middle 95% and p of a shuffled sample of `sample` and `reference`.

    The sample has the size of `sample`; p is that of the mean of `sample`.
    """
    pool, n = np.concatenate([sample.to_numpy(), reference.to_numpy()]), len(sample)
    rng = np.random.default_rng(0)
    drawn = np.array([pool[rng.permutation(len(pool))[:n]].mean() for _ in range(SHUFFLES)])
    value = float(sample.to_numpy().mean())
    beyond = min(int((drawn >= value - 1e-12).sum()), int((drawn <= value + 1e-12).sum()))
    return _middle(drawn, n), min(1.0, 2 * (1 + beyond) / (1 + SHUFFLES))


def holm_where(ps: Sequence[float | None]) -> list[float | None]:
    """Correct the p-values that are not None, by Holm's method."""
    corrected = iter(holm([p for p in ps if p is not None]))
    return [None if p is None else next(corrected) for p in ps]
