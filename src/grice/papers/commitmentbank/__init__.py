"""De Marneffe, Simons & Tonhauser (2019): how far speakers are committed to what they embed, in naturally occurring text."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from grice.core.dataset import Dataset
from grice.core.estimate import mean
from grice.core.paper import Bench, Cell, Exhibit, Paper, rounds_to
from grice.papers.cells import find_data
from grice.papers.people import beside_people, people_mean, replies

OPERATORS = ("negation", "modal", "question", "conditional")
THINK = {"negation": 265, "question": 61, "modal": 39, "conditional": 21}
EXAMPLES = {"BNC-2375": 3.0, "BNC-2394": -0.25, "BNC-2630": 3.0, "BNC-428": -0.75}
WHOLE = rounds_to(0)


def _restricted(data: Dataset) -> pl.DataFrame:
    """The items of the paper's analyses: without modals other than epistemic ones."""
    return data.frame.filter(pl.col("tag.modal").is_null() | (pl.col("tag.modal") == "EP"))


def counts(bench: Bench) -> Iterator[Cell]:
    """Table 1's items and predicates, and those of the restricted set."""
    data, reason = find_data(bench, "commitmentbank")
    frame, kept = (None, None) if data is None else (data.frame, _restricted(data))
    numbers: dict[tuple[str, str], tuple[int | None, int]] = {
        ("all", "items"): (None if frame is None else frame.height, 1200),
        ("all", "predicates"): (None if frame is None else frame["tag.verb"].n_unique(), 48),
        ("restricted", "items"): (None if kept is None else kept.height, 982),
        ("restricted", "predicates"): (None if kept is None else kept["tag.verb"].n_unique(), 45),
        ("restricted know", "items"): (None if kept is None else int((kept["tag.verb"] == "know").sum()), 122),
    }
    for operator, printed in THINK.items():
        both = (
            None
            if frame is None
            else frame.filter((pl.col("tag.verb") == "think") & (pl.col("tag.embedding") == operator)).height
        )
        numbers["think", operator] = (both, printed)
    for genre, printed in (("WSJ", 100), ("BNC", 461), ("SWBD", 421)):
        numbers["restricted", genre] = (None if kept is None else int((kept["tag.genre"] == genre).sum()), printed)
    for (row, column), (ours, printed) in numbers.items():
        yield Cell.make(row, column, ours, printed, n=ours or 0, reason=reason, agreed=WHOLE)


def commitment(bench: Bench) -> Iterator[Cell]:
    """The printed examples, and the predicates of the lowest and the highest mean response in the restricted set."""
    data, reason = find_data(bench, "commitmentbank")
    for pair, printed in EXAMPLES.items():
        found = None if data is None else float(data.frame.filter(pl.col("tag.pair") == pair)["gold.commitment"][0])
        yield Cell.make(pair, "mean", found, printed, n=0 if found is None else 1, reason=reason)
    rows = None if data is None else replies(data).join(_restricted(data).select("id"), on="id", how="semi")
    for verb, printed in (("occur", -1.5), ("forget", 2.43)):
        ours = None if rows is None else people_mean(rows.filter(pl.col("tag.verb") == verb))
        # The mean of "forget" is 2.425, which the paper rounds up.
        yield Cell.make(verb, "mean", ours, printed, reason=reason, agreed=lambda a, b: abs(a - b) <= 0.005 + 1e-9)


def plausibility(bench: Bench) -> Iterator[Cell]:
    """How many clauses are likely or unlikely from the context alone (restricted, BNC and WSJ)."""
    data, reason = find_data(bench, "commitmentbank")
    kept = (
        None
        if data is None
        else _restricted(data).filter(pl.col("tag.genre") != "SWBD")["tag.plausibility"].drop_nulls().cast(pl.Float64)
    )
    for column, printed in (("up to -1", 9), ("between", 74), ("1 or more", 17)):
        low = None if kept is None else kept <= -1
        high = None if kept is None else kept >= 1
        share = (
            None
            if low is None or high is None
            else low
            if column == "up to -1"
            else high
            if column == "1 or more"
            else ~(low | high)
        )
        ours = None if share is None else 100 * float(share.cast(pl.Float64).to_numpy().mean())
        # 9.5 is printed as 9.
        yield Cell.make(
            "restricted, BNC and WSJ",
            column,
            ours,
            printed,
            n=0 if kept is None else len(kept),
            reason=reason,
            agreed=lambda a, b: abs(a - b) <= 0.5,
        )


def operators(bench: Bench) -> Iterator[Cell]:
    """Mean commitment by operator and factivity: all items, and the restricted ones."""
    data, reason = find_data(bench, "commitmentbank")
    frames = {"all": None, "restricted": None} if data is None else {"all": data.frame, "restricted": _restricted(data)}
    for reading, frame in frames.items():
        for operator in OPERATORS:
            rows = None if frame is None else frame.filter(pl.col("tag.embedding") == operator)
            for column, factive in (("mean", None), ("factive", "yes"), ("not factive", "no")):
                part = rows if rows is None or factive is None else rows.filter(pl.col("tag.factive") == factive)
                ours = None if part is None else mean(part["gold.commitment"])
                yield Cell.make(operator, column, ours, reading=reading, reason=reason)


commitmentbank = Paper(
    "commitmentbank",
    "The CommitmentBank: Investigating projection in naturally occurring discourse",
    "de Marneffe, Simons & Tonhauser (2019). The CommitmentBank: Investigating projection in naturally occurring discourse. Sinn und Bedeutung 23.",
    (
        Exhibit("Table 1", "Items and predicates", counts, ("The operator is the last of two columns of that name, which the paper counts.",), 0),
        Exhibit("Commitment", "Examples, and the ends of the list of predicates", commitment),
        Exhibit("Plausibility", "Clauses rated from the context alone, per cent", plausibility, digits=1),
        Exhibit("Operators", "Commitment by operator and factivity", operators, ("Drawn without numbers.",)),
        Exhibit("Judges", "Judges beside people", beside_people({"commitmentbank": "commitment"})),
    ),
)  # fmt: skip
