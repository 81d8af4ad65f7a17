"""Schuster, Chen & Degen (2020): a network that predicts how strongly "some" says "not all", with context and without."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from grice.core.paper import Bench, Cell, Exhibit, Paper, rounds_to
from grice.papers.cells import find_data
from grice.papers.people import beside_people, correlation, replies


def contexts(bench: Bench) -> Iterator[Cell]:
    """Raters without context, and how the means go with those of the sentences in context."""
    bare, reason = find_data(bench, "some_corpus/no_context")
    data, _ = find_data(bench, "some_corpus/context")
    raters = None if bare is None else replies(bare)["rater"].n_unique()
    yield Cell.make("without context", "raters", raters, 680, n=raters or 0, reason=reason, agreed=rounds_to(0))
    ours = (
        None if bare is None or data is None else correlation(data.frame["gold.strength"], bare.frame["gold.strength"])
    )
    yield Cell.make("with and without context", "r", ours, 0.68, reason=reason)
    for name, one in (("with context", data), ("without context", bare)):
        for value in ("yes", "no"):
            part = None if one is None else one.frame.filter(pl.col("tag.partitive") == value)["gold.strength"]
            strength = None if part is None else float(part.to_numpy().mean())
            yield Cell.make(
                f"{name}, partitive {value}", "strength", strength, n=0 if part is None else len(part), reason=reason
            )


harnessing = Paper(
    "harnessing",
    "Harnessing the linguistic signal to predict scalar inferences",
    "Schuster, Chen & Degen (2020). Harnessing the linguistic signal to predict scalar inferences. ACL.",
    (
        Exhibit("Contexts", "Ratings with context and without", contexts,
                ("The paper prints 680 raters without context; the file has 690, of whom none is excluded.",)),
        Exhibit("Models", "The network on the sentences held out, and judges, beside people",
                beside_people({"some_corpus/context": "strength"}, {("BERT-large LSTM", "r"): 0.78}),
                ("The network's correlation is printed as .78, and as .7758 in its log.",)),
    ),
)  # fmt: skip
