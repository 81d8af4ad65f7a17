"""Degen & Tonhauser (2021): the likelier a clause is beforehand, the more it projects."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import polars as pl

from grice.papers.cells import lies_within
from grice.papers.people import agreement_with_people, correlation, count_cell, people_mean, replies
from grice.papers.texts import read_paper
from grice.tables.paper import Bench, Cell, rounds_to

COUNTS = {"prior1": (286, 5_720), "prior2a": (75, 1_500), "prior2b": (266, 5_320)}
# The slopes of the paper's regressions on the kind of fact; a difference of means is the same up to
# their random effects.
SLOPES = {
    ("prior1", "priors"): 0.45,
    ("prior1", "people"): 0.14,
    ("prior2a", "people"): 0.54,
    ("prior2b", "people"): 0.18,
}


def counts(bench: Bench) -> Iterator[Cell]:
    """Yield participants and responses to targets."""
    for part, (people, targets) in COUNTS.items():
        rows = replies(bench.data(f"projection/{part}").where(role="target"))
        yield count_cell(part, "participants", rows["rater"].n_unique(), people)
        yield count_cell(part, "target responses", rows.height, targets)


def facts(bench: Bench) -> Iterator[Cell]:
    """Yield means with a fact that makes the clause likely or unlikely, and their difference."""
    for (part, tag), printed in SLOPES.items():
        rows = replies(bench.data(f"projection/{part}").where(role="target"), tag)
        row = f"{part}, {'prior' if tag == 'priors' or part == 'prior2a' else 'certainty'}"
        high, low = (
            people_mean(rows.filter(pl.col("tag.prior") == fact)) for fact in ("high", "low")
        )
        yield Cell.make(row, "high", high)
        yield Cell.make(row, "low", low)
        both = high.value - low.value if high and low else None
        yield Cell.make(row, "difference", both, printed, n=rows.height, agreed=lies_within(0.01))


def _by(bench: Bench, part: str, tag: str, by: list[str]) -> pl.DataFrame:
    data = bench.data(f"projection/{part}")
    rows = replies(data if by == ["tag.predicate"] else data.where(role="target"), tag)
    return rows.group_by(by, maintain_order=True).agg(pl.col("value").drop_nulls().mean()).sort(by)


def replications(bench: Bench) -> Iterator[Cell]:
    """Yield rank correlations of the predicates, and of the facts, between experiments."""
    for row, (first, second), by, printed in (
        (
            "certainty by predicate: 2022's exp1a and prior1",
            (("exp1a", "people"), ("prior1", "people")),
            ["tag.predicate"],
            0.991,
        ),
        (
            "prior by clause and fact: prior1 and prior2a",
            (("prior1", "priors"), ("prior2a", "people")),
            ["tag.content", "tag.prior"],
            0.977,
        ),
    ):
        both = _by(bench, *first, by).join(_by(bench, *second, by), on=by, maintain_order="left")
        estimate = correlation(both["value"], both["value_right"], ranked=True)
        yield Cell.make(row, "Spearman", estimate, printed, agreed=rounds_to(3))


prior_beliefs = read_paper(
    Path(__file__).with_name("paper.toml"),
    {
        "Participants": counts,
        "Facts": facts,
        "Correlations": replications,
        "Judges": agreement_with_people(
            {"projection/prior1": "rating", "projection/prior2a": "rating"}
        ),
    },
)
