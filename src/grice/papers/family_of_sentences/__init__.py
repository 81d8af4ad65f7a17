"""Hofmann, de Marneffe & Tonhauser (2024): projection under four operators.

The operators are question, negation, modal and conditional.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import polars as pl

from grice.papers.factive_predicates import PREDICATES
from grice.papers.people import (
    agreement_with_people,
    correlation,
    count_cell,
    mean_by,
    people_mean,
    replies,
)
from grice.papers.texts import read_paper
from grice.tables.paper import Bench, Cell

OPERATORS = {"question": 0.52, "negation": 0.48, "modal": 0.48, "conditional": 0.56}
PARTICIPANTS = {"question": 687, "negation": 717, "modal": 734, "conditional": 720}


def by_operator(bench: Bench) -> Iterator[Cell]:
    """Yield participants and mean certainty under each operator."""
    for operator, printed in OPERATORS.items():
        rows = replies(bench.data(f"projection/{operator}").where(role="target"))
        yield count_cell(operator, "participants", rows["rater"].n_unique(), PARTICIPANTS[operator])
        yield Cell.make(operator, "mean certainty", people_mean(rows), printed)


def by_predicate(bench: Bench) -> Iterator[Cell]:
    """Yield each predicate's mean certainty by operator, and rank correlations of operators."""
    certainty: dict[str, pl.Series] = {}
    for operator in OPERATORS:
        rows = replies(bench.data(f"projection/{operator}").where(role="target"))
        means = rows.group_by("tag.predicate", maintain_order=True).agg(
            pl.col("value").drop_nulls().mean()
        )
        certainty[operator] = means.sort("tag.predicate")["value"]
        yield from mean_by(rows, "predicate", PREDICATES, operator)
    for operator in [name for name in OPERATORS if name != "question"]:
        rho = correlation(certainty["question"], certainty[operator], ranked=True)
        yield Cell.make(f"question and {operator}", "Spearman", rho)


family_of_sentences = read_paper(
    Path(__file__).with_name("paper.toml"),
    {
        "Figure 2": by_operator,
        "Predicates": by_predicate,
        "Judges": agreement_with_people(
            {f"projection/{operator}": "rating" for operator in OPERATORS}
        ),
    },
)
