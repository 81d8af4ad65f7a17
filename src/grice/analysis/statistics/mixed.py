"""A linear mixed model with people and items as crossed random effects: what a judge's numbers tell of people's replies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from grice.analysis.statistics.raters import graded
from grice.analysis.statistics.resample import Z95
from grice.core.errors import InputError
from grice.core.estimate import Estimate, Floats
from grice.core.ratings import read_replies

# The search over the ratios of variances, in logarithms: its first step, where it ends, and how far it goes.
STEP, END, FARTHEST = 1.0, 0.01, 12.0


@dataclass(frozen=True)
class MixedFit:
    """reply = intercept + slope · what the judge said + a person's own shift + an item's own shift + the rest, by REML.

    `said` is in its standard deviations over items, so `slope` is in points of people's scale. `person`, `item` and
    `rest` are variances; `item_alone` is that of items without the judge's numbers, and `known` the share of it that they
    explain.
    """

    slope: Estimate
    intercept: float
    person: float
    item: float
    rest: float
    item_alone: float
    people: int
    items: int

    @property
    def known(self) -> float:
        """The share of what sets items apart that the judge's numbers tell."""
        return 1 - self.item / self.item_alone if self.item_alone > 0 else float("nan")

    def to_json(self) -> dict[str, Any]:
        """All fields by name, and `known`."""
        return {**vars(self), "slope": self.slope.to_json(), "known": self.known}


def fit_mixed(frame: pl.DataFrame, tag: str = "") -> MixedFit:
    """Fit the model to the joined answers of one judge, whose items keep the replies of persons who are told apart."""
    said = frame.select("id", graded(frame).alias("said")).drop_nulls("said")
    replies = read_replies(frame, tag).drop_nulls("value").join(said, on="id", maintain_order="left")
    replies = replies.sort("id", "rater", maintain_order=True)
    if replies.is_empty() or (replies["rater"] == "").any():
        raise InputError("a mixed model needs replies of persons who are told apart; this set does not say who replied")
    spread = replies.unique("id", maintain_order=True)["said"].std()
    if not spread:
        raise InputError("the judge says the same of every item; there is nothing to fit")
    judge = (replies["said"] - replies["said"].mean()).to_numpy() / float(str(spread))
    model = _Crossed(replies)
    alone, full = model.fit(np.ones((len(judge), 1))), model.fit(np.stack([np.ones_like(judge), judge], axis=1))
    value, half = float(full.fixed[1]), Z95 * float(np.sqrt(full.covariance[1, 1]))
    slope = Estimate(value, replies.height, value - half, value + half)
    person, item = full.ratios * full.rest
    apart = float(alone.ratios[1] * alone.rest)
    return MixedFit(slope, float(full.fixed[0]), float(person), float(item), full.rest, apart, *model.shape)


@dataclass(frozen=True)
class _Solution:
    deviance: float
    ratios: Floats
    rest: float
    fixed: Floats
    covariance: Floats


class _Crossed:
    """Replies by person and item; the equations of the model are solved with the items, whose block is diagonal, eliminated."""

    def __init__(self, replies: pl.DataFrame) -> None:
        person, item = (replies[name].rank("dense").to_numpy().astype(np.intp) - 1 for name in ("rater", "id"))
        self.shape = int(person.max()) + 1, int(item.max()) + 1
        self.item, self.person, self.value = item, person, replies["value"].to_numpy().astype(np.float64)
        place = person * self.shape[1] + item
        self.both = np.bincount(place, minlength=self.shape[0] * self.shape[1]).reshape(self.shape).astype(np.float64)

    def fit(self, fixed: Floats) -> _Solution:
        """The ratios of the variances of persons and items to the rest that make the replies likeliest (REML)."""
        at, step = np.zeros(2), STEP
        best = self._solve(fixed, np.exp(at))
        while step > END:
            moves = [at + step * np.array(move) for move in ((1, 0), (-1, 0), (0, 1), (0, -1))]
            tried = [(self._solve(fixed, np.exp(move)), move) for move in moves if np.abs(move).max() <= FARTHEST]
            found, move = min(tried, key=lambda one: one[0].deviance)
            if found.deviance < best.deviance:
                best, at = found, move
            else:
                step /= 2
        return best

    def _solve(self, fixed: Floats, ratios: Floats) -> _Solution:
        """The fixed effects under these ratios, and minus twice the restricted log-likelihood (Henderson's equations)."""
        n, p = fixed.shape
        persons, items = self.shape
        per_item = self.both.sum(axis=0) + 1 / ratios[1]
        # Sums over the replies of an item, and of a person, of every other column: the fixed ones, then the values.
        columns = (*fixed.T, self.value)
        over = np.stack([np.bincount(self.item, column, minlength=items) for column in columns])
        theirs = np.stack([np.bincount(self.person, column, minlength=persons) for column in columns])
        sums, within = np.concatenate([self.both, over]), np.stack(columns)
        corner = np.diag(self.both.sum(axis=1) + 1 / ratios[0])
        whole = np.block([[corner, theirs.T], [theirs, within @ within.T]]) - (sums / per_item) @ sums.T
        left, right, square = whole[:-1, :-1], whole[:-1, -1], float(whole[-1, -1])
        solved = np.linalg.solve(left, right)
        rest = (square - float(right @ solved)) / (n - p)
        logs = (
            np.linalg.slogdet(left)[1]
            + np.log(per_item).sum()
            + persons * np.log(ratios[0])
            + items * np.log(ratios[1])
        )
        covariance = np.linalg.inv(left)[persons:, persons:] * rest
        return _Solution((n - p) * float(np.log(rest)) + float(logs), ratios, rest, solved[persons:], covariance)
