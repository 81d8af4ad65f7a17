"""Degen & Tonhauser (2022): projection, veridicality and contradictoriness of twenty predicates, and MegaVeridicality's."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import polars as pl

from grice.core.estimate import Estimate
from grice.core.paper import Bench, Cell, Exhibit, Paper, read_printed, rounds_to
from grice.papers.cells import find_data
from grice.papers.people import Compute, beside_people, correlation, mean_by, people_mean, replies

PRINTED = read_printed(Path(__file__).with_name("printed.txt"))
MEANS = PRINTED["MEANS"]
ROWS = tuple(dict.fromkeys(row for row, _ in MEANS))
PREDICATES = ROWS[:20]
PARTICIPANTS = {"exp1a": 266, "exp1b": 436, "exp2a": 259, "exp2b": 375, "exp3a": 263, "exp3b": 353}
# Spearman's ρ over the predicates; the last two with both pairs of controls, which the paper's text says.
RHO = {("exp1a", "exp1b"): 0.983, ("exp2a", "exp2b"): 0.989, ("exp3a", "exp3b"): 0.985}
WITH_CONTROLS = {("exp2a", "exp3a"): 0.954, ("exp2b", "exp3b"): 0.934}
CONTROLS = {"exp2": ("entailing C", "non-ent. C"), "exp3": ("contradictory C", "noncontrd. C")}
TWO, THREE = rounds_to(2), rounds_to(3)


def participants(bench: Bench) -> Iterator[Cell]:
    """Participants of each experiment after exclusions."""
    for part, printed in PARTICIPANTS.items():
        data, reason = find_data(bench, f"projection/{part}")
        ours = None if data is None else replies(data)["rater"].n_unique()
        yield Cell.make(part, "participants", ours, printed, n=ours or 0, reason=reason, agreed=rounds_to(0))


def means(*parts: str) -> Compute:
    """Mean responses by predicate and control, in the order of the paper's Figure 1."""

    def compute(bench: Bench) -> Iterator[Cell]:
        for part in parts:
            data, reason = find_data(bench, f"projection/{part}")
            rows = None if data is None else replies(data)
            here = set(ROWS) if rows is None else set(rows["tag.predicate"])
            shown = [name for name in ROWS if name in here and (name in PREDICATES or (name, f"{part[:4]}a") in MEANS)]
            yield from mean_by(rows, "predicate", shown, part, reason=reason, printed=MEANS, agreed=THREE)

    return compute


def _means(bench: Bench, part: str) -> tuple[dict[str, float], str]:
    data, reason = find_data(bench, f"projection/{part}")
    if data is None:
        return {}, reason
    return dict(replies(data).group_by("tag.predicate").agg(pl.col("value").mean()).iter_rows()), ""


def rank_correlations(bench: Bench) -> Iterator[Cell]:
    """How the experiments order the predicates: slider and yes/no, veridicality and contradictoriness, both measures."""
    pairs = {**RHO, **WITH_CONTROLS, ("exp1a", "exp2a"): None}
    for (one, other), printed in pairs.items():
        first, reason = _means(bench, one)
        second, _ = _means(bench, other)
        names = [(name, name) for name in PREDICATES]
        if (one, other) in WITH_CONTROLS:
            names += list(zip(CONTROLS[one[:4]], CONTROLS[other[:4]], strict=True))
        ours: Estimate | None = None
        if first and second:
            x, y = pl.Series([first[a] for a, _ in names]), pl.Series([second[b] for _, b in names])
            ours = correlation(x, y, ranked=True)
        yield Cell.make(f"{one} and {other}", "Spearman", ours, printed, reason=reason, agreed=THREE)


def mega(bench: Bench) -> Iterator[Cell]:
    """MegaVeridicality's verbs on -1 … 1: projection of some, and verbs to which everybody says yes."""
    data, reason = find_data(bench, "megaveridicality/v1")
    rows = None if data is None else replies(data).with_columns(pl.col("value") * 2 - 1)
    other = None if rows is None else rows.filter(pl.col("tag.kind") == "projection")
    names = list(dict.fromkeys(name for name, _ in PRINTED["MEGA"]))
    yield from mean_by(other, "verb", names, "projection", reason=reason, printed=PRINTED["MEGA"], agreed=TWO)
    sure: list[str] = []
    if rows is not None and other is not None:
        follows = rows.filter(pl.col("tag.kind") == "veridicality").group_by("tag.verb").agg(pl.col("value").mean())
        sure = follows.filter(pl.col("value") == 1)["tag.verb"].to_list()
        high = other.group_by("tag.verb").agg(pl.col("value").mean()).filter(pl.col("value") >= 0.3 - 1e-9)["tag.verb"]
    for row, printed in (("only yes", 97), ("only yes, projection of .3 or more", 92)):
        counted = None if rows is None else len(sure) if row == "only yes" else len(set(sure) & set(high))
        yield Cell.make(row, "verbs", counted, printed, n=counted or 0, reason=reason, agreed=rounds_to(0))
    yield Cell.make(
        "all",
        "mean veridicality",
        None if rows is None else people_mean(rows.filter(pl.col("tag.kind") == "veridicality")),
        reason=reason,
    )


factive_predicates = Paper(
    "factive_predicates",
    "Are there factive predicates? An empirical investigation",
    "Degen & Tonhauser (2022). Are there factive predicates? An empirical investigation. Language.",
    (
        Exhibit("Participants", "Participants after exclusions", participants, digits=0),
        Exhibit("Experiments 1", "Projection: is the speaker certain of the clause?", means("exp1a", "exp1b"),
                ("exp1a was answered on a slider from 0 to 1, exp1b by no (0) or yes (1). Printed for the sliders alone.",)),
        Exhibit("Experiments 2", "Veridicality: does the clause follow?", means("exp2a", "exp2b")),
        Exhibit("Experiments 3", "Contradictoriness of denying the clause", means("exp3a", "exp3b")),
        Exhibit("Correlations", "How the experiments order the predicates", rank_correlations,
                ("Veridicality and contradictoriness are correlated over the predicates and both pairs of controls; the authors' script notes .953 where the text prints .954.",)),
        Exhibit("MegaVeridicality", "The same measures of 517 verbs", mega, ("Coded yes 1, maybe 0, no -1.",)),
        Exhibit("Judges", "Judges beside people", beside_people({"projection/exp1a": "rating", "projection/exp2a": "rating"})),
    ),
    ("Printed numbers stand in the paper's source, some as comments.",),
)  # fmt: skip
