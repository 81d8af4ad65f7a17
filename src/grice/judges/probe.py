"""Choice of the answer extraction of a language model before a run, by a few of its items.

Chosen is the readout with the largest share of valid responses, label mass and evenness over the
positions of the options. Whether answers are right is not looked at.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, runtime_checkable

from grice.core.dataset import Dataset, questions_of
from grice.core.errors import GriceError
from grice.core.item import Question
from grice.core.judgement import Judge, Learner
from grice.core.progress import say
from grice.core.sampling import limit_items
from grice.core.scale import Scale
from grice.storage.evaluation import unasked_questions

# Items asked by each readout.
PAIRS = 24
# A shorter run is not probed: a probe would be more than a tenth of it.
MIN_ITEMS = 10 * PAIRS
# Another readout replaces the default if its score is higher by this.
ADVANTAGE = 0.05


@runtime_checkable
class Probes(Protocol):
    """A language model that can be read in several ways."""

    def candidates(self, scale: Scale) -> Mapping[str, ProbedJudge]:
        """Return a judge for each readout to try, the default first; none if one was chosen."""


class ProbedJudge(Judge, Protocol):
    """A judge of one readout that shows the labels in balanced orders."""

    probed: str

    def in_orders(self, ids: Sequence[str], scale: Scale) -> ProbedJudge:
        """Return a copy that shows the labels in balanced orders, whatever its readout."""

    def order_of(self, item: str) -> int | None:
        """Return the order in which an item's labels are shown; None if there is none."""


@dataclass(frozen=True)
class ProbeResult:
    """What a few items show of a readout; `mass` and `order_bias` are None if unknown."""

    readout: str
    n: int
    n_valid: int
    mass: float | None
    order_bias: float | None

    @property
    def score(self) -> float:
        """Share of valid responses × mean label mass × evenness over positions."""
        valid = self.n_valid / self.n if self.n else 0.0
        return valid * (1.0 if self.mass is None else self.mass) * (1 - (self.order_bias or 0.0))

    def __str__(self) -> str:
        mass = "" if self.mass is None else f", label mass {self.mass:.2g}"
        bias = "" if self.order_bias is None else f", order bias {self.order_bias:.2f}"
        return f"{self.readout}: {self.n_valid} of {self.n} valid{mass}{bias}"


def choose_readout(
    judge: Judge | Learner,
    data: Dataset,
    *,
    into: Path | None,
    limit: int | None,
    seed: int,
    name: str,
) -> Judge | Learner:
    """Return the judge with the readout that a probe chooses; a run that was begun keeps its own.

    The line of what was tried is printed, and stored among the run's notes.
    """
    n_items = limit_items(data, limit, seed).height
    if not isinstance(judge, Probes) or n_items < MIN_ITEMS:
        return judge
    candidates = judge.candidates(data.scale)
    if len(candidates) < 2:
        return judge
    for candidate in candidates.values() if into is not None else ():
        left = unasked_questions(data, candidate, into=into, seed=seed, name=name)  # type: ignore[arg-type]
        if len(left) < len(data):
            return candidate
    sample = list(questions_of(limit_items(data, PAIRS, seed)))
    results: list[ProbeResult] = []
    for readout, candidate in candidates.items():
        try:
            results.append(probe(readout, candidate, sample, data.scale))
        except GriceError:
            # The default has to work; another readout may be more than a server can do.
            if not results:
                raise
            results.append(ProbeResult(readout, len(sample), 0, None, None))
    default = results[0]
    highest = max(results, key=lambda result: result.score)
    chosen = highest if highest.score > default.score + ADVANTAGE else default
    tried = "; ".join(map(str, results))
    line = f"readout={chosen.readout}, from a probe of {len(sample)} items ({tried})"
    say(f"{next(iter(candidates.values())).name}: {line}; -M readout=… or --no-probe overrides")
    picked = candidates[chosen.readout]
    picked.probed = line
    return picked


def probe(
    readout: str, judge: ProbedJudge, sample: Sequence[Question], scale: Scale
) -> ProbeResult:
    """Ask a few items and return what they show of a readout."""
    bound = judge.in_orders([question.id for question in sample], scale)
    # It takes 40 ms to import, and most judges have one readout.
    from grice.judges.positions import PositionCounts

    positions, masses, n_valid = PositionCounts(), list[float](), 0
    for reply in bound.judge(sample, scale):
        n_valid += reply.fault is None
        masses += [] if reply.mass is None else [reply.mass]
        order = bound.order_of(reply.item)
        if order is not None and reply.answer is not None:
            positions.add(scale.labels, order, reply.answer)
    mass = math.fsum(masses) / len(masses) if masses else None
    return ProbeResult(readout, len(sample), n_valid, mass, positions.bias)
