"""Whether what `grice methods` says of a mean holds for a simulated model whose answers depend on
the way of asking by known amounts.

python -m benchmarks.components [--trials 1000] [--methods standard]            (some minutes)

Each trial draws new effects of wordings, label words, orders and readouts, new paradigms and items,
deals the methods out as `grice judge` does, and draws each answer (several samples of it) as 0 or
1. Printed: how often the interval of each deviation holds the true one, how often that of a new
wording holds the mean under a further wording, and the verdicts on claims whose truth is known.
"""

from __future__ import annotations

import argparse
import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, fields

import numpy as np
import polars as pl

from grice.analysis.statistics.methods import effects
from grice.core.estimate import Floats
from grice.core.methods import METHOD
from grice.judges.methods import Method, MethodSet

# Standard deviations on the scale of a share; "sample" follows from the others.
DEVIATIONS = {
    "wording": 0.08,
    "readout": 0.05,
    "labels": 0.05,
    "order": 0.04,
    "paradigm": 0.10,
    "item": 0.08,
}
FACTORS = [field.name for field in fields(Method)]
MEAN = 0.5


@dataclass(frozen=True)
class SimulatedModel:
    """A model that is right in a share of `mean`, moved by what it is asked about and how, by these
    standard deviations.
    """

    deviations: Mapping[str, float]
    methods: MethodSet
    paradigms: int = 60
    size: int = 4
    samples: int = 4
    mean: float = MEAN

    def draw(self, drawn: np.random.Generator) -> tuple[pl.DataFrame, dict[str, float], float]:
        """Answers in rows, the true deviations, and the mean that a further wording would have."""
        levels = {
            factor: {
                level: drawn.normal(0, self.deviations.get(factor, 0.0))
                for level in sorted({getattr(m, factor) for m in self.methods.methods})
            }
            for factor in FACTORS
        }
        moves = {
            m: sum(levels[factor][getattr(m, factor)] for factor in FACTORS)
            for m in self.methods.methods
        }
        further = sum(
            np.mean(list(one.values())) for factor, one in levels.items() if factor != "wording"
        )
        new = self.mean + float(further) + drawn.normal(0, self.deviations.get("wording", 0.0))
        frame = self.answers(drawn, moves)
        shares = self.mean + np.array(list(moves.values()))
        nested = self.deviations["paradigm"] ** 2 + self.deviations["item"] ** 2
        sample = math.sqrt(float(np.mean(shares * (1 - shares))) - nested)
        return frame, {**self.deviations, "sample": sample}, new

    def answers(self, drawn: np.random.Generator, moves: Mapping[Method, float]) -> pl.DataFrame:
        """Each item by the methods dealt to it, each asking as often as there are samples."""
        count = self.paradigms * self.size
        dealt = self.methods.assign([f"i{i}" for i in range(count)], int(drawn.integers(1 << 30)))
        place = np.repeat(np.arange(count), self.methods.each)
        ways = [method for some in dealt.values() for method in some]
        base = self.mean + np.repeat(
            drawn.normal(0, self.deviations["paradigm"], self.paradigms), self.size
        )
        share: Floats = (base + drawn.normal(0, self.deviations["item"], count))[place] + [
            moves[m] for m in ways
        ]
        y = drawn.random((len(place), self.samples)) < share[:, None]
        rows = pl.DataFrame(
            {
                "judge": ["m"] * len(place),
                "id": [f"i{i}" for i in place],
                "group": [f"g{i // self.size}" for i in place],
                METHOD: [m.name for m in ways],
                **{f"{METHOD}.{factor}": [getattr(m, factor) for m in ways] for factor in FACTORS},
            }
        )
        return pl.concat(
            [rows.with_columns(pl.Series("y", y[:, k].astype(float))) for k in range(self.samples)]
        )


def coverage(model: SimulatedModel, trials: int, seed: int = 7) -> dict[str, float]:
    """How often each interval holds the truth."""
    drawn = np.random.default_rng([seed, trials])
    held: Counter[str] = Counter()
    for _ in range(trials):
        frame, truth, new = model.draw(drawn)
        told = effects(frame, pl.col("y"), what="y", threshold=0.5)
        for one in told.components:
            held[one.source] += (
                (one.deviation.low or 0) <= truth.get(one.source, 0.0) <= (one.deviation.high or 0)
            )
        held["a new wording"] += (told.new_wording.low or 0) <= new <= (told.new_wording.high or 0)
    return {name: count / trials for name, count in held.items()}


def verdicts(
    model: SimulatedModel, moves: Mapping[str, float], trials: int, *, threshold: float
) -> Counter[str]:
    """What is said of a model that `moves` by wording as given, and by nothing else."""
    drawn = np.random.default_rng([trials, 3])
    found: Counter[str] = Counter()
    for _ in range(trials):
        frame = model.answers(
            drawn, {m: moves.get(m.wording, moves.get("", 0.0)) for m in model.methods.methods}
        )
        found[effects(frame, pl.col("y"), what="y", threshold=threshold).verdict] += 1
    return found


def crossed(name: str) -> MethodSet:
    """A built-in set, or six wordings, two readouts, two sets of label words and three orders, of
    which an item gets four.
    """
    if name:
        return MethodSet.read(name)
    ways = [
        Method(str(w), r, n, str(o))
        for w in range(6)
        for r in ("words", "letter")
        for n in ("own", "plain")
        for o in range(3)
    ]
    return MethodSet(tuple(ways), 4)


def main() -> None:
    flags = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    flags.add_argument("--trials", type=int, default=1000)
    flags.add_argument(
        "--methods",
        default="",
        help="a built-in set of methods; without, six wordings by all other factors",
    )
    flags.add_argument("--paradigms", type=int, nargs="*", default=[60])
    flags.add_argument("--samples", type=int, nargs="*", default=[1, 4])
    given = flags.parse_args()
    for paradigms in given.paradigms:
        for samples in given.samples:
            model = SimulatedModel(
                DEVIATIONS, crossed(given.methods), paradigms=paradigms, samples=samples
            )
            print(
                f"{paradigms} paradigms of {model.size} items, {samples} samples; {given.trials}"
                " trials"
            )
            for name, share in coverage(model, given.trials).items():
                print(f"  {name:16s} {share:.3f}")
            one = {"": -0.2, model.methods.methods[0].wording: 0.3}
            for words, moves, threshold in (
                ("one wording only", one, 0.5),
                ("all wordings", {"": 0.3}, 0.5),
                ("none", {"": 0.0}, 0.5),
            ):
                print(
                    f"  a claim that holds under {words}:"
                    f" {dict(verdicts(model, moves, given.trials // 2, threshold=threshold))}"
                )


if __name__ == "__main__":
    main()
