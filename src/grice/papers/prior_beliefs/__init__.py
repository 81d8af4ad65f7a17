"""Degen & Tonhauser (2021): the likelier a clause is beforehand, the more it projects."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from grice.core.estimate import Estimate
from grice.core.paper import Bench, Cell, Exhibit, Paper, rounds_to
from grice.papers.cells import find_data, lies_within
from grice.papers.people import beside_people, correlation, people_mean, replies

COUNTS = {"prior1": (286, 5_720), "prior2a": (75, 1_500), "prior2b": (266, 5_320)}
# The slopes of the paper's regressions on the kind of fact; a difference of means is the same up to their random effects.
SLOPES = {
    ("prior1", "priors"): 0.45,
    ("prior1", "people"): 0.14,
    ("prior2a", "people"): 0.54,
    ("prior2b", "people"): 0.18,
}


def counts(bench: Bench) -> Iterator[Cell]:
    """Participants and responses to targets."""
    for part, (people, targets) in COUNTS.items():
        data, reason = find_data(bench, f"projection/{part}")
        rows = None if data is None else replies(data.where(role="target"))
        for column, printed in (("participants", people), ("target responses", targets)):
            ours = None if rows is None else rows["rater"].n_unique() if column == "participants" else rows.height
            yield Cell.make(part, column, ours, printed, n=ours or 0, reason=reason, agreed=rounds_to(0))


def facts(bench: Bench) -> Iterator[Cell]:
    """Means with a fact that makes the clause likely, with one that makes it unlikely, and their difference."""
    for (part, tag), printed in SLOPES.items():
        data, reason = find_data(bench, f"projection/{part}")
        rows = None if data is None else replies(data.where(role="target"), tag)
        row = f"{part}, {'prior' if tag == 'priors' or part == 'prior2a' else 'certainty'}"
        ends = {}
        for fact in ("high", "low"):
            ends[fact] = None if rows is None else people_mean(rows.filter(pl.col("tag.prior") == fact))
            yield Cell.make(row, fact, ends[fact], reason=reason)
        high, low = ends["high"], ends["low"]
        both = None if high is None or low is None else high.value - low.value
        n = 0 if high is None or low is None else high.n + low.n
        yield Cell.make(row, "difference", both, printed, n=n, reason=reason, agreed=lies_within(0.01))


def _by(bench: Bench, part: str, tag: str, by: list[str]) -> tuple[pl.DataFrame | None, str]:
    data, reason = find_data(bench, f"projection/{part}")
    if data is None:
        return None, reason
    rows = replies(data if by == ["tag.predicate"] else data.where(role="target"), tag)
    return rows.group_by(by).agg(pl.col("value").mean()).sort(by), ""


def replications(bench: Bench) -> Iterator[Cell]:
    """How the experiments order the predicates, and the facts."""
    for row, parts, by, printed in (
        ("certainty by predicate: 2022's exp1a and prior1", (("exp1a", "people"), ("prior1", "people")), ["tag.predicate"], 0.991),
        ("prior by clause and fact: prior1 and prior2a", (("prior1", "priors"), ("prior2a", "people")), ["tag.content", "tag.prior"], 0.977),
    ):  # fmt: skip
        (one, reason), (other, _) = (_by(bench, *part, by) for part in parts)
        ours: Estimate | None = None
        if one is not None and other is not None:
            both = one.join(other, on=by)
            ours = correlation(both["value"], both["value_right"], ranked=True)
        yield Cell.make(row, "Spearman", ours, printed, reason=reason, agreed=rounds_to(3))


prior_beliefs = Paper(
    "prior_beliefs",
    "Prior beliefs modulate projection",
    "Degen & Tonhauser (2021). Prior beliefs modulate projection. Open Mind.",
    (
        Exhibit("Participants", "Participants and responses", counts, digits=0),
        Exhibit("Facts", "With a fact that makes the clause likely, and one that does not", facts,
                ("Printed beside the difference is the slope of the paper's regression with random effects; it agrees if within .01.",)),
        Exhibit("Correlations", "How the experiments agree", replications, ("Predicates with the main-clause control.",)),
        Exhibit("Judges", "Judges beside people", beside_people({"projection/prior1": "rating", "projection/prior2a": "rating"})),
    ),
)  # fmt: skip
