"""Degen (2015): how strongly "some" implies "not all" in 1,362 sentences of telephone speech."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import polars as pl

from grice.core.estimate import mean
from grice.papers.cells import percent
from grice.papers.people import agreement_with_people, correlation, count_cell, replies
from grice.papers.texts import read_paper
from grice.tables.paper import Bench, Cell, rounds_to

FEATURES = {
    "partitive": ("yes", "no"),
    "mention": ("old", "med", "new"),
    "subjecthood": ("subject", "other"),
    "modification": ("unmodified", "modified"),
}


def ratings(bench: Bench) -> Iterator[Cell]:
    """Yield numbers of ratings, sentences and raters, and how often each point was chosen.

    The last is the share of ratings where "all" is possible too.
    """
    data = bench.data("some_corpus/context")
    rows = replies(data)
    yield count_cell("all", "ratings", rows.height, 13_630)
    yield count_cell("all", "sentences", len(data), 1_362)
    yield count_cell("all", "raters", rows["rater"].n_unique())
    for point in range(1, 8):
        yield count_cell("all", f"rated {point}", rows.filter(pl.col("value") == point).height)
    possible = rows["tag.knows"].is_not_null()
    yield count_cell("'all' possible", "ratings", int(possible.sum()), 5_830)
    share = percent(mean(possible.cast(pl.Float64)))
    yield Cell.make("'all' possible", "per cent", share, 43, agreed=rounds_to(0))


def features(bench: Bench) -> Iterator[Cell]:
    """Yield mean strength by feature of the sentence, and correlations with numeric features."""
    frame = bench.data("some_corpus/context").frame
    for feature, values in FEATURES.items():
        for value in values:
            strength = mean(frame.filter(pl.col(f"tag.{feature}") == value)["gold.strength"])
            yield Cell.make(f"{feature}: {value}", "strength", strength)
    for row, tag in (("similarity without 'some'", "weakness"), ("speaker's knowledge", "knows")):
        rows = frame.drop_nulls(f"tag.{tag}")
        yield Cell.make(row, "r", correlation(rows[f"tag.{tag}"], rows["gold.strength"]))
    for row, null in (("'all' possible", False), ("'all' not possible", True)):
        strength = mean(frame.filter(pl.col("tag.knows").is_null() == null)["gold.strength"])
        yield Cell.make(row, "strength", strength)


some_corpus = read_paper(
    Path(__file__).with_name("paper.toml"),
    {
        "Ratings": ratings,
        "Features": features,
        "Judges": agreement_with_people({"some_corpus/context": "strength"}),
    },
)
