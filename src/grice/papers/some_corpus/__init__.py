"""Degen (2015): how strongly "some" says "not all" in 1,362 sentences of telephone speech, and what goes with it."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from grice.core.estimate import mean
from grice.core.paper import Bench, Cell, Exhibit, Paper, rounds_to
from grice.papers.cells import find_data
from grice.papers.people import beside_people, correlation, replies

FEATURES = {
    "partitive": ("yes", "no"),
    "mention": ("old", "med", "new"),
    "subjecthood": ("subject", "other"),
    "modification": ("unmodified", "modified"),
}
WHOLE = rounds_to(0)


def ratings(bench: Bench) -> Iterator[Cell]:
    """Ratings, sentences and raters; how often each point was chosen; the share of ratings where "all" could stand too."""
    data, reason = find_data(bench, "some_corpus/context")
    rows = None if data is None else replies(data)
    counts = {"ratings": 13_630, "sentences": 1_362, "raters": None}
    for column, printed in counts.items():
        ours = (
            None
            if data is None or rows is None
            else {"ratings": rows.height, "sentences": len(data), "raters": rows["rater"].n_unique()}[column]
        )
        yield Cell.make("all", column, ours, printed, n=ours or 0, reason=reason, agreed=WHOLE)
    for point in range(1, 8):
        n = None if rows is None else int((rows["value"] == point).sum())
        yield Cell.make("all", f"rated {point}", n, n=n or 0, reason=reason)
    possible = None if rows is None else rows["tag.knows"].is_not_null()
    n = None if possible is None else int(possible.sum())
    yield Cell.make("'all' possible", "ratings", n, 5_830, n=n or 0, reason=reason, agreed=WHOLE)
    share = None if n is None or rows is None else 100 * n / rows.height
    yield Cell.make("'all' possible", "per cent", share, 43, n=n or 0, reason=reason, agreed=WHOLE)


def features(bench: Bench) -> Iterator[Cell]:
    """Mean strength by feature of the sentence, and the correlations with numbers that go with it."""
    data, reason = find_data(bench, "some_corpus/context")
    frame = None if data is None else data.frame
    for feature, values in FEATURES.items():
        for value in values:
            part = None if frame is None else frame.filter(pl.col(f"tag.{feature}") == value)["gold.strength"]
            yield Cell.make(f"{feature}: {value}", "strength", None if part is None else mean(part), reason=reason)
    for row, tag in (("similarity without 'some'", "weakness"), ("speaker's knowledge", "knows")):
        rows = None if frame is None else frame.drop_nulls(f"tag.{tag}")
        yield Cell.make(
            row, "r", None if rows is None else correlation(rows[f"tag.{tag}"], rows["gold.strength"]), reason=reason
        )
    for row, null in (("'all' possible", False), ("'all' not possible", True)):
        part = None if frame is None else frame.filter(pl.col("tag.knows").is_null() == null)["gold.strength"]
        yield Cell.make(row, "strength", None if part is None else mean(part), reason=reason)


some_corpus = Paper(
    "some_corpus",
    "Investigating the distribution of some (but not all) implicatures using corpora and web-based methods",
    "Degen (2015). Investigating the distribution of some (but not all) implicatures using corpora and web-based methods. Semantics and Pragmatics.",
    (
        Exhibit("Ratings", "Ratings and raters", ratings, digits=0,
                notes=("One item has twenty ratings. 'all' is possible where two annotators said so: those sentences were also rated for the speaker's knowledge.",)),
        Exhibit("Features", "Strength by what the sentence is like", features, ("From 1 to 7; printed as figures.",)),
        Exhibit("Judges", "Judges beside people", beside_people({"some_corpus/context": "strength"})),
    ),
)  # fmt: skip
