"""Divergences of §6.3 with their expectation by chance: shuffled answers, redrawn sentences.

A judge's answers are tensors of sentences × verbs × environments × labels. A sentence has its
answers under every verb that was put in, so sentences are redrawn for all verbs at once.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import numpy.typing as npt
import polars as pl

from grice.analysis.statistics.paired import holm
from grice.analysis.statistics.shares import answer_shares, divergence
from grice.core.estimate import Estimate, Floats

EffectKey = TypeVar("EffectKey", bound=Hashable)
Indices = npt.NDArray[np.intp]
SIDES = ("positive", "negative")
LABELS = ("entailment", "neutral", "contradiction")
# Holm's correction over the 64 cells of Table 7 needs a p as small as .05/64.
SHUFFLES, REDRAWS = 1999, 500
LEVEL = 0.95


@dataclass(frozen=True)
class Divergences:
    """D(D* ‖ reference) by verb and environment: observed, shuffled, and redrawn.

    The first axis of the last two is the repeat. `n` counts the sentences of D*; without any, a
    divergence is NaN.
    """

    verbs: tuple[str, ...]
    observed: Floats
    shuffled: Floats
    redrawn: Floats
    n: Floats


@dataclass(frozen=True)
class MeanDivergence:
    """The mean of some divergences, with those of shuffled answers and redrawn sentences."""

    observed: Estimate
    shuffled: Floats
    redrawn: Floats

    @property
    def by_chance(self) -> Estimate:
        """The mean over shuffled answers, with the middle 95%."""
        low, high = np.nanquantile(self.shuffled, (0.025, 0.975))
        return Estimate(float(np.nanmean(self.shuffled)), self.observed.n, float(low), float(high))

    @property
    def p(self) -> float:
        """The share of shuffled answers that diverge as much."""
        return (1 + int((self.shuffled >= self.observed.value - 1e-12).sum())) / (1 + SHUFFLES)

    @property
    def scale(self) -> float:
        """The larger standard deviation of the two repeats."""
        return max(float(np.nanstd(self.shuffled)), float(np.nanstd(self.redrawn)), 1e-12)


@dataclass(frozen=True)
class Effect:
    """What a divergence is above chance, with its simultaneous interval and corrected p."""

    mean: MeanDivergence
    above: Estimate
    corrected_p: float


class SwapAnswers:
    """One judge's answers to the published sentences and to those with other verbs, as tensors."""

    def __init__(self, plain: pl.DataFrame, changed: pl.DataFrame) -> None:
        plain, changed = (
            frame.filter(pl.col("answer").is_not_null()).with_columns(
                pl.coalesce("group", "id").alias("sentence")
            )
            for frame in (plain, changed)
        )
        verbs = set(plain["tag.construction"]) | set(changed["tag.target"])
        self.verbs = tuple(sorted(verbs))
        self.sentences = tuple(dict.fromkeys([*plain["sentence"], *changed["sentence"]]))
        self.plain, self.added = self._tensor(plain, "tag.construction")
        self._changed = {
            str(kind): part
            for (kind,), part in changed.partition_by("tag.swap", as_dict=True).items()
        }
        self._weights = self._redraw_weights(plain, changed)
        self._computed: dict[tuple[str, bool], Divergences | None] = {}

    def divergences(self, swap: str, *, baseline: bool = False) -> Divergences | None:
        """Return D(D* ‖ D_vt) of each verb that this swap puts in, or D(D* ‖ D); computed once."""
        key = (swap, baseline)
        if key not in self._computed:
            self._computed[key] = self._divergences(swap, baseline)
        return self._computed[key]

    def _divergences(self, swap: str, baseline: bool) -> Divergences | None:
        if swap not in self._changed:
            return None
        changed, added = self._tensor(self._changed[swap], "tag.target")
        rng = np.random.default_rng(0)
        reference = self.plain.sum(axis=1, keepdims=True) if baseline else self.plain
        sums, own = changed.sum(axis=0), reference.sum(axis=0)
        n = _is_answered(changed).sum(axis=0).astype(np.float64)
        observed = _divergence(sums, own, added, self.added)
        observed[(n == 0) | (own.sum(axis=-1) == 0)] = np.nan
        if baseline:
            shuffled = _divergence(_shuffle_verbs(changed, rng), own, added, self.added)
        else:
            shuffled = np.full((SHUFFLES, *observed.shape), np.nan)
            for verb in np.flatnonzero(np.isfinite(observed).any(axis=-1)):
                halves = _shuffle_between(changed[:, verb], self.plain[:, verb], rng)
                shuffled[:, verb] = _divergence(*halves, added, self.added)
        redrawn = _divergence(self._redraw(changed), self._redraw(reference), added, self.added)
        return Divergences(self.verbs, observed, shuffled, redrawn, n)

    def _tensor(self, frame: pl.DataFrame, verb: str) -> tuple[Floats, float]:
        """Return sentences × verbs × environments × labels, and what is added to label sums."""
        shares, added = answer_shares(frame, LABELS)
        values = np.zeros((len(self.sentences), len(self.verbs), len(SIDES), len(LABELS)))
        places = (
            _positions(frame["sentence"], self.sentences),
            _positions(frame[verb], self.verbs),
            _positions(frame["tag.environment"], SIDES),
        )
        np.add.at(values, places, shares)
        return values, added

    def _redraw_weights(self, plain: pl.DataFrame, changed: pl.DataFrame) -> Floats:
        """Return how often each redraw has each sentence; each verb keeps its number of them."""
        own = dict(plain.select("sentence", "tag.construction").iter_rows())
        other = dict(changed.select("sentence", "tag.target").iter_rows())
        strata = np.array([own.get(s) or f"with {other[s]}" for s in self.sentences])
        weights = np.zeros((REDRAWS, len(self.sentences)))
        rng = np.random.default_rng(1)
        for stratum in np.unique(strata):
            members = np.flatnonzero(strata == stratum)
            chances = np.full(len(members), 1 / len(members))
            weights[:, members] = rng.multinomial(len(members), chances, size=REDRAWS)
        return weights

    def _redraw(self, values: Floats) -> Floats:
        flat = self._weights @ values.reshape(len(values), -1)
        return np.asarray(flat.reshape(REDRAWS, *values.shape[1:]))


def _positions(column: pl.Series, values: Sequence[str]) -> Indices:
    position = {value: i for i, value in enumerate(values)}
    return column.replace_strict(position, return_dtype=pl.Int64).to_numpy().astype(np.intp)


def _is_answered(values: Floats) -> npt.NDArray[np.bool_]:
    return np.asarray(values.sum(axis=-1) > 0)


def _divergence(sample: Floats, reference: Floats, added: float, also_added: float) -> Floats:
    with np.errstate(all="ignore"):
        return divergence(sample + added, reference + also_added)


def _shuffle_verbs(changed: Floats, rng: np.random.Generator) -> Floats:
    """Return the sums of each verb's answers, with the answers of all verbs shuffled."""
    verb, sentence = np.nonzero(_is_answered(changed).any(axis=-1).T)
    values = changed[sentence, verb].reshape(len(verb), -1)
    present, starts = np.unique(verb, return_index=True)
    sums = np.zeros((SHUFFLES, changed.shape[1], values.shape[1]))
    for repeat in range(SHUFFLES):
        sums[repeat, present] = np.add.reduceat(values[rng.permutation(len(values))], starts)
    return sums.reshape(SHUFFLES, *changed.shape[1:])


def _shuffle_between(
    sample: Floats, reference: Floats, rng: np.random.Generator
) -> tuple[Floats, Floats]:
    """Return sums of both sets of answers, shuffled between the two.

    A sentence that is in both keeps its two answers, in either order.
    """
    in_sample, in_reference = (_is_answered(part).any(axis=-1) for part in (sample, reference))
    both = in_sample & in_reference
    flips = rng.random((SHUFFLES, int(both.sum()))) < 0.5
    n_labels = sample.shape[1] * sample.shape[2]
    change = (reference - sample)[both].reshape(-1, n_labels)
    moved = flips.astype(np.float64) @ change
    pool = np.concatenate([sample[in_sample & ~both], reference[in_reference & ~both]])
    pool = pool.reshape(len(pool), n_labels)
    size = int((in_reference & ~both).sum())
    drawn = np.zeros((SHUFFLES, n_labels))
    if 0 < size < len(pool):
        keys = rng.random((SHUFFLES, len(pool)), dtype=np.float32)
        drawn = pool[np.argpartition(keys, size, axis=1)[:, :size]].sum(axis=1)
    elif size:
        drawn += pool.sum(axis=0)
    first = sample[both].reshape(-1, n_labels).sum(axis=0) + moved + pool.sum(axis=0) - drawn
    second = reference[both].reshape(-1, n_labels).sum(axis=0) - moved + drawn
    shape = (SHUFFLES, *sample.shape[1:])
    # Sums of shares: what is left of a rounding error is no answer.
    return np.maximum(first, 0).reshape(shape), np.maximum(second, 0).reshape(shape)


def mean_divergence(
    divergences: Divergences | None, verbs: Collection[str], sides: Sequence[int]
) -> MeanDivergence | None:
    """Average over verbs and then over environments; None unless each environment has a verb."""
    if divergences is None:
        return None
    rows = [i for i, verb in enumerate(divergences.verbs) if verb in verbs]
    columns = list(sides)
    here = np.isfinite(divergences.observed[rows][:, columns])
    if not rows or not here.any(axis=0).all():
        return None

    def average(values: Floats) -> Floats:
        some = values[..., rows, :][..., columns]
        known = here & np.isfinite(some)
        with np.errstate(all="ignore"):
            by_side: Floats = np.where(known, some, 0.0).sum(axis=-2) / known.sum(axis=-2)
        return np.asarray(by_side.mean(axis=-1))

    n = int((divergences.n[rows][:, columns] * here).sum())
    observed = Estimate(float(average(divergences.observed)), n)
    return MeanDivergence(observed, average(divergences.shuffled), average(divergences.redrawn))


def effects(means: Mapping[EffectKey, MeanDivergence | None]) -> dict[EffectKey, Effect]:
    """Return what each mean is above chance, with intervals that hold together.

    A half-width is a number of standard deviations, the same for all: within it 95% of the redrawn
    sentences, and 95% of the shuffled answers, have all their deviations.
    """
    known = {key: mean for key, mean in means.items() if mean is not None}
    if not known:
        return {}
    width = max(
        _largest_deviation((mean.shuffled, mean.scale) for mean in known.values()),
        _largest_deviation((mean.redrawn, mean.scale) for mean in known.values()),
    )
    corrected = holm([mean.p for mean in known.values()])
    return {
        key: Effect(mean, _above(mean, width * mean.scale), p)
        for (key, mean), p in zip(known.items(), corrected, strict=True)
    }


def _largest_deviation(repeats: Iterable[tuple[Floats, float]]) -> float:
    deviations = [np.abs(values - np.nanmean(values)) / scale for values, scale in repeats]
    return float(np.quantile(np.fmax.reduce(deviations), LEVEL))


def _above(mean: MeanDivergence, half: float) -> Estimate:
    above = mean.observed.value - mean.by_chance.value
    return Estimate(above, mean.observed.n, above - half, above + half)


@dataclass(frozen=True)
class PairedChange:
    """The mean change of a share over sentences, with its simultaneous interval and p."""

    change: Estimate
    corrected_p: float


def paired_changes(changes: Mapping[EffectKey, Floats]) -> dict[EffectKey, PairedChange]:
    """Return the mean of each set of changes; signs are flipped by chance, one per sentence."""
    rng = np.random.default_rng(0)
    flipped, observed = {}, {}
    for key, values in changes.items():
        scale = max(float(np.sqrt((values**2).mean() / len(values))), 1e-12)
        signs = rng.integers(0, 2, (SHUFFLES, len(values)), dtype=np.int8) * 2 - 1
        flipped[key] = np.abs(signs @ values) / len(values) / scale
        observed[key] = (float(values.mean()), scale, len(values))
    if not flipped:
        return {}
    width = float(np.quantile(np.max(list(flipped.values()), axis=0), LEVEL))
    ps = [
        (1 + int((flipped[key] >= abs(value) / scale - 1e-12).sum())) / (1 + SHUFFLES)
        for key, (value, scale, _) in observed.items()
    ]
    return {
        key: PairedChange(Estimate(value, n, value - width * scale, value + width * scale), p)
        for (key, (value, scale, n)), p in zip(observed.items(), holm(ps), strict=True)
    }
