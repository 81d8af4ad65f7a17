"""Degen & Tonhauser (2022): projection, veridicality and contradictoriness of twenty predicates.

It includes MegaVeridicality's predicates.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import polars as pl

from grice.papers.people import (
    agreement_with_people,
    correlation,
    count_cell,
    mean_by,
    people_mean,
    replies,
)
from grice.papers.texts import Compute, read_paper
from grice.tables.paper import Bench, Cell, read_printed, rounds_to

PRINTED = read_printed(Path(__file__).with_name("printed.txt"))
MEANS = PRINTED["MEANS"]
ROWS = tuple(dict.fromkeys(row for row, _ in MEANS))
PREDICATES = ROWS[:20]
PARTICIPANTS = {"exp1a": 266, "exp1b": 436, "exp2a": 259, "exp2b": 375, "exp3a": 263, "exp3b": 353}
# Spearman's ρ over the predicates; the last two with both pairs of controls, which the paper's text
# says.
RHO = {("exp1a", "exp1b"): 0.983, ("exp2a", "exp2b"): 0.989, ("exp3a", "exp3b"): 0.985}
WITH_CONTROLS = {("exp2a", "exp3a"): 0.954, ("exp2b", "exp3b"): 0.934}
CONTROLS = {"exp2": ("entailing C", "non-ent. C"), "exp3": ("contradictory C", "noncontrd. C")}


def participants(bench: Bench) -> Iterator[Cell]:
    """Yield the participants of each experiment after exclusions."""
    for part, printed in PARTICIPANTS.items():
        yield count_cell(
            part,
            "participants",
            replies(bench.data(f"projection/{part}"))["rater"].n_unique(),
            printed,
        )


def means(*parts: str) -> Compute:
    """Return a computation of mean responses by predicate and control, ordered as in Figure 1."""

    def compute(bench: Bench) -> Iterator[Cell]:
        for part in parts:
            rows = replies(bench.data(f"projection/{part}"))
            here = set(rows["tag.predicate"])
            yield from mean_by(
                rows, "predicate", [name for name in ROWS if name in here], part, MEANS
            )

    return compute


def rank_correlations(bench: Bench) -> Iterator[Cell]:
    """Yield rank correlations of the predicates between experiments.

    They compare slider and yes/no, veridicality and contradictoriness, and both measures.
    """
    for (part, reference_part), printed in {
        **RHO,
        **WITH_CONTROLS,
        ("exp1a", "exp2a"): None,
    }.items():
        first, second = (
            dict(
                replies(bench.data(f"projection/{experiment}"))
                .group_by("tag.predicate", maintain_order=True)
                .agg(pl.col("value").drop_nulls().mean())
                .iter_rows()
            )
            for experiment in (part, reference_part)
        )
        names = [(name, name) for name in PREDICATES]
        if (part, reference_part) in WITH_CONTROLS:
            names += list(zip(CONTROLS[part[:4]], CONTROLS[reference_part[:4]], strict=True))
        both = [(first[a], second[b]) for a, b in names if a in first and b in second]
        estimate = correlation(
            pl.Series([a for a, _ in both]), pl.Series([b for _, b in both]), ranked=True
        )
        yield Cell.make(
            f"{part} and {reference_part}", "Spearman", estimate, printed, agreed=rounds_to(3)
        )


def mega(bench: Bench) -> Iterator[Cell]:
    """Yield MegaVeridicality's verbs on -1 … 1.

    The cells are the projection of some verbs, and numbers of verbs that everybody affirms.
    """
    rows = replies(bench.data("megaveridicality/v1")).with_columns(pl.col("value") * 2 - 1)
    follows, projects = (
        rows.filter(pl.col("tag.kind") == kind) for kind in ("veridicality", "projection")
    )
    names = list(dict.fromkeys(name for name, _ in PRINTED["MEGA"]))
    yield from mean_by(projects, "verb", names, "projection", PRINTED["MEGA"])
    sure, high = (
        part.group_by("tag.verb", maintain_order=True).agg(pl.col("value").drop_nulls().mean())
        for part in (follows, projects)
    )
    only = set(sure.filter(pl.col("value") == 1)["tag.verb"])
    yield count_cell("only yes", "verbs", len(only), 97)
    both = only & set(high.filter(pl.col("value") >= 0.3 - 1e-9)["tag.verb"])
    yield count_cell("only yes, projection of .3 or more", "verbs", len(both), 92)
    yield Cell.make("all", "mean veridicality", people_mean(follows))


factive_predicates = read_paper(
    Path(__file__).with_name("paper.toml"),
    {
        "Participants": participants,
        "Experiments 1": means("exp1a", "exp1b"),
        "Experiments 2": means("exp2a", "exp2b"),
        "Experiments 3": means("exp3a", "exp3b"),
        "Correlations": rank_correlations,
        "MegaVeridicality": mega,
        "Judges": agreement_with_people(
            {"projection/exp1a": "rating", "projection/exp2a": "rating"}
        ),
    },
)
