"""Premise-swap test: a model that gives the same answers to other premises does not read them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import polars as pl

from grice.analysis.statistics.baselines import set_column
from grice.core.dataset import Dataset
from grice.core.errors import InputError
from grice.core.estimate import Estimate, mean
from grice.core.item import Card
from grice.core.judgement import (
    Asker,
    BindsItems,
    EstimatesCost,
    HasRecordedAnswers,
    Judge,
    Learner,
)
from grice.core.progress import bar
from grice.profiling.phrases import is_above
from grice.reporting.formats import percent, round_percent
from grice.storage.evaluation import evaluate
from grice.storage.run import Run

# A model that keeps significantly more than this share of its answers does not read the premise.
KEPT = 0.9
EXCHANGED = " with other premises"
DEFAULT = 200


@dataclass(frozen=True)
class Exchange:
    """Rate at which answers stay the same with a premise from another paradigm.

    `chance` is the rate expected by chance, from the frequencies of the answers alone.
    """

    data: str
    same: Estimate
    chance: float

    @property
    def unread(self) -> bool:
        """Whether significantly more than `KEPT` of its answers stay the same."""
        return is_above(self.same, KEPT)

    @property
    def text(self) -> str:
        """The sentence of the page on the test."""
        rate = percent(self.same)
        start = f"With the premise of another paradigm, its answer stays the same on {rate}"
        if self.unread:
            return f"{start}: it does not read the premise."
        return (
            f"{start} of the items it does not call neutral; {round_percent(self.chance)} are"
            " expected by chance."
        )


def free_to_ask(judge: Judge | Learner) -> bool:
    """Return whether a model can be evaluated on new items at no cost."""
    return isinstance(judge, Judge) and not isinstance(judge, HasRecordedAnswers | EstimatesCost)


def ask_exchanged(
    data: Dataset,
    run: Run,
    judge: Judge | Learner,
    *,
    count: int,
    into: Path | None,
    seed: int = 0,
    items: bool = True,
    ask: Asker | None = None,
) -> Exchange | None:
    """Evaluate a model on items with swapped premises.

    None where the data have no paradigms to take premises from.
    """
    if isinstance(judge, HasRecordedAnswers) or not isinstance(judge, Judge):
        raise InputError(
            f"{run.judge} has recorded answers only, so the premise-swap test cannot query it;"
            " use --exchange 0"
        )
    swapped = exchange_premises(data, run, count, seed)
    if swapped is None:
        return None
    # Use the prompt variants of the first run; otherwise a change could be due to the variant.
    same_ways = judge.bind(data.ids, data.scale) if isinstance(judge, BindsItems) else judge
    with bar(f"{run.judge} on {swapped.name}") as progress:
        again = evaluate(
            swapped,
            same_ways,
            into=into,
            seed=seed,
            items=items,
            keep_going=True,
            progress=progress,
            ask=ask,
        )
    both = again.frame.select("id", pl.col("answer").alias("again")).join(
        run.frame.select("id", "answer"), on="id", maintain_order="left"
    )
    both = both.drop_nulls(["again", "answer"]).join(
        data.frame.select("id", "group"), on="id", maintain_order="left"
    )
    same = mean((both["again"] == both["answer"]).cast(pl.Float64), both["group"])
    if same is None:
        return None
    rates, rates_again = (
        dict(both[column].value_counts(normalize=True).sort(column).iter_rows())
        for column in ("answer", "again")
    )
    chance = sum(rate * rates_again.get(label, 0.0) for label, rate in rates.items())
    return Exchange(data.name, same, chance)


def exchange_premises(data: Dataset, run: Run, count: int, seed: int) -> Dataset | None:
    """Draw at most `count` items and give each the premise of another paradigm.

    The other paradigm is of the same set and condition; items are drawn over all sets.

    Items that the run answered neutral are left out: with an unrelated premise they would be
    neutral again.
    """
    if data.scale.numeric:
        return None
    answered = run.frame.filter(
        pl.col("answer").is_not_null() & (pl.col("answer") != "neutral")
    ).select("id")
    rows = data.frame.filter(pl.col("hypothesis").is_not_null() & pl.col("group").is_not_null())
    tags = (set_column(rows), "tag.role", "tag.condition", "tag.operator", "tag.environment")
    like = [tag for tag in tags if tag in rows.columns]

    def of_next(column: str) -> pl.Expr:
        """Return a column of the next row alike; after the last, that of the first."""
        shifted = pl.col(column).shift(-1)
        if not like:
            return shifted
        return shifted.over(like).fill_null(pl.col(column).first().over(like))

    rows = rows.with_columns(of_next("premise").alias("other"), of_next("group").alias("from"))
    rows = rows.filter((pl.col("from") != pl.col("group")) & (pl.col("other") != pl.col("premise")))
    rows = rows.join(answered, on="id", how="semi", maintain_order="left")
    if rows.is_empty():
        return None
    drawn = rows.sample(min(count, rows.height), seed=seed).sort("id")
    frame = drawn.with_columns(pl.col("other").alias("premise")).drop("other", "from")
    frame = frame.drop([column for column in frame.columns if column.startswith("gold.")])
    return replace(
        data,
        name=data.name + EXCHANGED,
        frame=frame,
        readings={},
        card=Card("premises exchanged"),
        read_as={},
    )
