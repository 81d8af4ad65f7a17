"""De Marneffe, Simons & Tonhauser (2019): speaker commitment in naturally occurring text."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import polars as pl

from grice.core.dataset import Dataset
from grice.core.estimate import mean
from grice.papers.cells import lies_within, percent
from grice.papers.people import agreement_with_people, count_cell, people_mean, replies
from grice.papers.texts import read_paper
from grice.tables.paper import Bench, Cell

OPERATORS = ("negation", "modal", "question", "conditional")
THINK = {"negation": 265, "question": 61, "modal": 39, "conditional": 21}
EXAMPLES = {"BNC-2375": 3.0, "BNC-2394": -0.25, "BNC-2630": 3.0, "BNC-428": -0.75}


def _restricted(data: Dataset) -> pl.DataFrame:
    """Return the items of the paper's analyses: without modals other than epistemic ones."""
    return data.frame.filter(pl.col("tag.modal").is_null() | (pl.col("tag.modal") == "EP"))


def counts(bench: Bench) -> Iterator[Cell]:
    """Yield Table 1's items and predicates, and those of the restricted set."""
    data = bench.data("commitmentbank")
    restricted = _restricted(data)
    yield count_cell("all", "items", len(data), 1200)
    yield count_cell("all", "predicates", data.frame["tag.verb"].n_unique(), 48)
    for operator, printed in THINK.items():
        n = len(data.where(verb="think", embedding=operator))
        yield count_cell("think", operator, n, printed)
    yield count_cell("restricted", "items", restricted.height, 982)
    yield count_cell("restricted", "predicates", restricted["tag.verb"].n_unique(), 45)
    n_know = restricted.filter(pl.col("tag.verb") == "know").height
    yield count_cell("restricted know", "items", n_know, 122)
    for genre, printed in (("WSJ", 100), ("BNC", 461), ("SWBD", 421)):
        n = restricted.filter(pl.col("tag.genre") == genre).height
        yield count_cell("restricted", genre, n, printed)


def commitment(bench: Bench) -> Iterator[Cell]:
    """Yield the printed examples, and the means of the restricted set's extreme predicates."""
    data = bench.data("commitmentbank")
    means = dict(data.frame.select("tag.pair", "gold.commitment").iter_rows())
    for pair, printed in EXAMPLES.items():
        response, reason = means.get(pair), "not in the data"
        yield Cell.make(pair, "mean", response, printed, n=int(response is not None), reason=reason)
    rows = replies(data).join(
        _restricted(data).select("id"), on="id", how="semi", maintain_order="left"
    )
    for verb, printed in (("occur", -1.5), ("forget", 2.43)):
        # The mean of "forget" is 2.425, which the paper rounds up.
        estimate = people_mean(rows.filter(pl.col("tag.verb") == verb))
        yield Cell.make(verb, "mean", estimate, printed, agreed=lies_within(0.005))


def plausibility(bench: Bench) -> Iterator[Cell]:
    """Yield how many clauses are likely or unlikely from the context (restricted, BNC and WSJ)."""
    rated_items = (
        _restricted(bench.data("commitmentbank"))
        .filter(pl.col("tag.genre") != "SWBD")
        .drop_nulls("tag.plausibility")
    )
    rated = rated_items["tag.plausibility"].cast(pl.Float64)
    low, high = rated <= -1, rated >= 1
    for column, share, printed in (
        ("up to -1", low, 9),
        ("between", ~(low | high), 74),
        ("1 or more", high, 17),
    ):
        # 9.5 is printed as 9.
        estimate = percent(mean(share.cast(pl.Float64)))
        make = partial(Cell.make, "restricted, BNC and WSJ", agreed=lies_within(0.5))
        yield make(column, estimate, printed)


def operators(bench: Bench) -> Iterator[Cell]:
    """Yield mean commitment by operator and factivity: all items, and the restricted ones."""
    data = bench.data("commitmentbank")
    for reading, frame in (("all", data.frame), ("restricted", _restricted(data))):
        for operator in OPERATORS:
            rows = frame.filter(pl.col("tag.embedding") == operator)
            for column, factive in (
                ("mean", ["yes", "no"]),
                ("factive", ["yes"]),
                ("not factive", ["no"]),
            ):
                part = rows.filter(pl.col("tag.factive").is_in(factive))
                yield Cell.make(operator, column, mean(part["gold.commitment"]), reading=reading)


commitmentbank = read_paper(
    Path(__file__).with_name("paper.toml"),
    {
        "Table 1": counts,
        "Commitment": commitment,
        "Plausibility": plausibility,
        "Operators": operators,
        "Judges": agreement_with_people({"commitmentbank": "commitment"}),
    },
)
