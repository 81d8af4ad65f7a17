"""How often intervals hold the truth and tests raise false alarms with 8, 20 and 100 paradigms, on
data whose truth is known.

python -m benchmarks.coverage [--trials 2000]            (some minutes)
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl
from scipy.special import betaincinv, ndtr

from grice.analysis.calibration import calibration
from grice.analysis.projection import projection
from grice.analysis.share import share
from grice.analysis.statistics.swaps import swap_interval, swap_test
from grice.core.distributions import student_quantile
from grice.core.estimate import Floats
from grice.tables.table import Measure

Column = npt.NDArray[Any]
COUNTS = (8, 20, 100)
# How much the items of a paradigm are alike: the correlation of two of them is 1 / (1 + LOOSE).
LOOSE = 4.0
# The spread of a judge's confidence between 1/3 and 1.
SURE = (5, 1.5)
POWERS = ((8, (0.8, 0.6)), (20, (0.8, 0.65)), (100, (0.75, 0.68)))
PAIRS = ((0.7, 0.7), (0.7, 0.6), (0.95, 0.2), (0.9, 0.8), (0.98, 0.9), (0.98, 0.03), (0.98, 0.98))


@dataclass(frozen=True)
class Coverage:
    """The share of trials whose interval lay below the truth, and above it, and of those whose test
    rejected no difference.
    """

    below: float
    above: float
    alarms: float = float("nan")

    @property
    def coverage(self) -> float:
        """The share of trials whose interval holds the truth."""
        return 1 - self.below - self.above


def count_misses(
    truth: float, found: Iterable[tuple[float | None, float | None, float]]
) -> Coverage:
    """Of the two ends and the p of each trial."""
    ends = np.array([(low, high, p) for low, high, p in found], dtype=np.float64)
    assert not np.isnan(ends[:, :2]).any()
    misses = (
        (ends[:, 1] < truth - 1e-12).mean(),
        (ends[:, 0] > truth + 1e-12).mean(),
        (ends[:, 2] < 0.05).mean(),
    )
    return Coverage(*map(float, misses))


def draw_abilities(count: int, means: Iterable[float], draw: np.random.Generator) -> list[Floats]:
    """For each judge how likely it is right in each paradigm; half of a paradigm's difficulty is
    shared by the judges.
    """
    shared = draw.normal(size=count)
    places = [ndtr(np.sqrt(0.5) * (shared + draw.normal(size=count))) for _ in means]
    return [
        betaincinv(LOOSE * m, LOOSE * (1 - m), place)
        for place, m in zip(places, means, strict=True)
    ]


def simulate_difference(count: int, means: tuple[float, float], *, trials: int) -> Coverage:
    """Two judges on paradigms of 6 to 14 items, compared as `grice compare` does."""
    draw = np.random.default_rng([count, 7])

    def trial() -> tuple[float | None, float | None, float]:
        sizes = draw.integers(6, 15, size=count)
        place = np.repeat(np.arange(count), sizes)
        one, two = (
            (draw.random(len(place)) < each[place]) for each in draw_abilities(count, means, draw)
        )
        better = one.astype(np.float64) - two
        sums = np.bincount(place, better).astype(np.float64)
        p = swap_test(sums)
        low, high = swap_interval(sums, sizes.astype(np.float64), float(np.abs(better).sum()), p)
        assert low is not None and high is not None and -1 <= low <= better.mean() <= high <= 1
        assert (low > 0 or high < 0) == (p < 0.05), "interval and test never disagree"
        return low, high, p

    return count_misses(means[0] - means[1], (trial() for _ in range(trials)))


def simulate_power(count: int, means: tuple[float, float], *, trials: int) -> tuple[float, float]:
    """How often two judges are found to differ: by `swap_test`, and by a logistic model of answers
    with correlated paradigms.

    The model is statsmodels' GEE with exchangeable correlation and the bias-reduced variance that
    few paradigms need.
    """
    from statsmodels.api import GEE, cov_struct, families

    draw, found = np.random.default_rng([count, 5]), []
    for _ in range(trials):
        place = np.repeat(np.arange(count), draw.integers(6, 15, size=count))
        one, two = (
            draw.random(len(place)) < each[place] for each in draw_abilities(count, means, draw)
        )
        p = swap_test(np.bincount(place, one.astype(np.float64) - two).astype(np.float64))
        judge = np.repeat([1.0, 0.0], len(place))
        model = GEE(
            np.concatenate([one, two]).astype(np.float64),
            np.column_stack([np.ones_like(judge), judge]),
            groups=np.tile(place, 2),
            family=families.Binomial(),
            cov_struct=cov_struct.Exchangeable(),
        )
        fitted = model.fit(cov_type="bias_reduced")
        score = abs(fitted.params[1] / fitted.bse[1])
        found.append((p < 0.05, score > student_quantile(count - 1, 0.975)))
    ours, theirs = np.mean(found, axis=0)
    return float(ours), float(theirs)


def simulate_measure(
    measure: Measure,
    truth: float,
    rows: Callable[[np.random.Generator], pl.DataFrame],
    *,
    trials: int,
) -> Coverage:
    """A measure on frames that `rows` draws."""
    draw = np.random.default_rng([trials, 7])

    def trial() -> tuple[float | None, float | None, float]:
        found = measure(rows(draw))
        while found is None or found.low is None:
            # Fewer than two paradigms: there is no interval that could miss.
            found = measure(rows(draw))
        return found.low, found.high, float("nan")

    return count_misses(truth, (trial() for _ in range(trials)))


def simulate_share(count: int, mean: float, *, trials: int) -> Coverage:
    """A judge that follows the pragmatic reading in this share of items, the logical one in the
    others.
    """

    def rows(draw: np.random.Generator) -> pl.DataFrame:
        place, right = _answers(count, mean, draw)
        answers = np.where(right, "neutral", "entailment")
        golds = {"gold.logical": "entailment", "gold.pragmatic": "neutral"}
        return _frame(place, answers).with_columns(
            **{name: pl.lit(label) for name, label in golds.items()}
        )

    return simulate_measure(share("pragmatic"), mean, rows, trials=trials)


def simulate_projection(count: int, mean: float, *, trials: int) -> Coverage:
    """Paradigms of four operators with a control and three targets each, and the unembedded
    trigger, all as hard as each other.

    Targets count where two other items of their paradigm are right, so the truth is E[ability³] /
    E[ability²].
    """
    operators = np.repeat(["negated", "modal", "question", "if", "unembedded"], [4, 4, 4, 4, 1])
    roles = np.array([*(["control", "target", "target", "target"] * 4), "target"])

    def rows(draw: np.random.Generator) -> pl.DataFrame:
        place = np.repeat(np.arange(count), len(roles))
        right = draw.random(len(place)) < draw.beta(LOOSE * mean, LOOSE * (1 - mean), count)[place]
        tags = {"tag.operator": np.tile(operators, count), "tag.role": np.tile(roles, count)}
        columns = {name: pl.Series(values) for name, values in tags.items()}
        frame = _frame(place, np.where(right, "entailment", "neutral"))
        return frame.with_columns(
            pl.lit("entailment").alias("gold.label"),
            pl.lit("positive").alias("tag.presupposition"),
            **columns,
        )

    return simulate_measure(projection(), (LOOSE * mean + 2) / (LOOSE + 2), rows, trials=trials)


def simulate_calibration(kind: str, count: int, slope: float, *, trials: int) -> Coverage:
    """A judge whose accuracy rises with its confidence by this slope, from 1/3: 1 is calibrated,
    less is too sure.
    """

    def rows(draw: np.random.Generator) -> pl.DataFrame:
        place = np.repeat(np.arange(count), draw.integers(6, 15, size=count))
        sure = 1 / 3 + 2 / 3 * draw.beta(*SURE, len(place))
        toss = ndtr(
            np.sqrt(0.2) * draw.normal(size=count)[place]
            + np.sqrt(0.8) * draw.normal(size=len(place))
        )
        gold = np.where(toss < 1 / 3 + (sure - 1 / 3) * slope, "entailment", "neutral")
        probs = {
            "p.entailment": sure,
            "p.neutral": (1 - sure) / 2,
            "p.contradiction": (1 - sure) / 2,
        }
        columns = {"gold.label": gold, **probs}
        frame = _frame(place, np.full(len(place), "entailment"))
        return frame.with_columns(**{name: pl.Series(values) for name, values in columns.items()})

    sure = 1 / 3 + 2 / 3 * betaincinv(*SURE, (np.arange(100_000) + 0.5) / 100_000)
    right, other = 1 / 3 + (sure - 1 / 3) * slope, (1 - sure) / 2
    # Confidence is over accuracy in every bin, so the gap is the mean of what it is over.
    truth = sure - right
    if kind == "brier":
        truth = right * ((1 - sure) ** 2 + 2 * other**2) + (1 - right) * (
            sure**2 + (1 - other) ** 2 + other**2
        )
    return simulate_measure(calibration(kind), float(truth.mean()), rows, trials=trials)


def _answers(count: int, mean: float, draw: np.random.Generator) -> tuple[Column, Column]:
    """The paradigm of each item, and whether it is answered right."""
    place = np.repeat(np.arange(count), draw.integers(6, 15, size=count))
    return (
        place,
        draw.random(len(place)) < draw.beta(LOOSE * mean, LOOSE * (1 - mean), count)[place],
    )


def _frame(place: Column, answers: Column) -> pl.DataFrame:
    return pl.DataFrame(
        {"group": place.astype(str), "judge": "drawn", "answer": answers.astype(str)}
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, default=2000)
    trials = parser.parse_args().trials
    print(f"{'':24}" + "".join(f"{count:>4} paradigms (below + above)" for count in COUNTS))
    cases: list[tuple[str, Callable[[int], Coverage]]] = [
        *(
            (f"difference {a} {b}", lambda c, m=(a, b): simulate_difference(c, m, trials=trials))
            for a, b in PAIRS
        ),
        *(
            (f"share {m}", lambda c, m=m: simulate_share(c, m, trials=trials))
            for m in (0.5, 0.7, 0.9)
        ),
        *(
            (f"projection {m}", lambda c, m=m: simulate_projection(c, m, trials=trials))
            for m in (0.6, 0.8)
        ),
        *(
            (
                f"calibration:{kind} slope {s}",
                lambda c, k=kind, s=s: simulate_calibration(k, c, s, trials=trials),
            )
            for kind in ("ece", "brier")
            for s in (1.0, 0.9, 0.6)
        ),
    ]
    for name, simulate in cases:
        each = [simulate(count) for count in COUNTS]
        cells = [
            f"{one.coverage:7.1%} ({one.below:.1%} + {one.above:.1%}) {_alarms(name, one):>12}"
            for one in each
        ]
        print(f"{name:26}" + "".join(cells), flush=True)
    for count, means in POWERS:
        ours, theirs = simulate_power(count, means, trials=min(trials, 400))
        print(
            f"power, {count} paradigms, {means[0]} and {means[1]}: {ours:.1%}, logistic model"
            f" {theirs:.1%}",
            flush=True,
        )


def _alarms(name: str, found: Coverage) -> str:
    return (
        f"alarms {found.alarms:.1%}"
        if name in ("difference 0.7 0.7", "difference 0.98 0.98")
        else ""
    )


if __name__ == "__main__":
    main()
