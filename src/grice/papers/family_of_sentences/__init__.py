"""Hofmann, de Marneffe & Tonhauser (2024): projection under four operators.

The operators are question, negation, modal and conditional.
"""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from grice.core.paper import Bench, Cell, Exhibit, Paper
from grice.papers.factive_predicates import PREDICATES
from grice.papers.people import (
    beside_people,
    correlation,
    count_cell,
    mean_by,
    people_mean,
    replies,
)

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


family_of_sentences = Paper(
    "family_of_sentences",
    "Projection variation: Is the family of sentences really a family?",
    "Hofmann, de Marneffe & Tonhauser (2024). Projection variation: Is the family of sentences"
    " really a family? Sinn und Bedeutung.",
    (
        Exhibit(
            "Figure 2",
            "Certainty by operator",
            by_operator,
            (
                (
                    "Printed participants are the sums of the paper's table of experiments, 2,858"
                    " in all; its running text says 2,682."
                ),
            ),
        ),
        Exhibit(
            "Predicates",
            "Certainty by predicate and operator",
            by_predicate,
            ("Drawn without numbers.",),
        ),
        Exhibit(
            "Judges",
            "Judges beside people",
            beside_people({f"projection/{operator}": "rating" for operator in OPERATORS}),
        ),
    ),
)
