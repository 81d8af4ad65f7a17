"""Schuster, Chen & Degen (2020): a network that predicts how strongly "some" implies "not all"."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from grice.core.estimate import mean
from grice.papers.people import agreement_with_people, correlation, count_cell, replies
from grice.papers.texts import read_paper
from grice.tables.paper import Bench, Cell


def contexts(bench: Bench) -> Iterator[Cell]:
    """Yield raters without context, and the correlation of the means with those in context."""
    frames = {
        f"with{out} context": bench.data(f"some_corpus/{'no_' if out else ''}context")
        for out in ("", "out")
    }
    isolated = frames["without context"]
    yield count_cell("without context", "raters", replies(isolated)["rater"].n_unique(), 680)
    estimate = correlation(
        frames["with context"].frame["gold.strength"], isolated.frame["gold.strength"]
    )
    yield Cell.make("with and without context", "r", estimate, 0.68)
    for name, data in frames.items():
        for value in ("yes", "no"):
            yield Cell.make(
                f"{name}, partitive {value}",
                "strength",
                mean(data.where(partitive=value).frame["gold.strength"]),
            )


harnessing = read_paper(
    Path(__file__).with_name("paper.toml"),
    {
        "Contexts": contexts,
        "Models": agreement_with_people(
            {"some_corpus/context": "strength"}, {("BERT-large LSTM", "r"): 0.78}
        ),
    },
)
