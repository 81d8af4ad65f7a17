"""Parrish et al. (2021): naturally occurring presuppositions, negation, and four models."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path

import polars as pl

from grice.analysis.accuracy import accuracy
from grice.core.dataset import Dataset
from grice.core.estimate import Estimate, mean
from grice.papers.cells import average, lies_within, percent
from grice.papers.people import agreement_with_people, answers_of_models, count_cell, replies
from grice.papers.texts import read_paper
from grice.tables.paper import Bench, Cell, read_printed, rounds_to

PRINTED = read_printed(Path(__file__).with_name("printed.txt"))
TRIGGERS = tuple(dict.fromkeys(row for row, _ in PRINTED["CHANGES"]))
COLUMNS = ("same", "E-NC", "NC-E", "other")
ROBERTA = "RoBERTa-large (all)"
BOTH = "mean of both polarities"
ONE_DIGIT = rounds_to(1)


def corpus(bench: Bench) -> Iterator[Cell]:
    """Yield the items, and how far the five annotators agree."""
    parts = {part: bench.data(f"nope/{part}") for part in ("main", "adv", "priors")}
    yield count_cell("main", "items", len(parts["main"]), 2_386)
    yield count_cell("adv", "items", len(parts["adv"]), 346)
    rows = pl.concat([replies(parts[part], "votes") for part in ("main", "adv")], how="diagonal")
    alike = rows.group_by("id", "group", maintain_order=True).agg(
        (pl.col("answer").n_unique() == 1).cast(pl.Float64).alias("alike")
    )
    same = (rows["answer"] == rows["gold.label"]).cast(pl.Float64)
    make = partial(Cell.make, "main and adv", agreed=ONE_DIGIT)
    yield make("unanimous", percent(mean(alike["alike"], alike["group"])), 38.7)
    yield make("label of the majority", percent(mean(same, rows["group"])), 81.5)
    for part, data in parts.items():
        yield Cell.make(part, "mean rating", mean(data.frame["gold.rating"], data.frame["group"]))


def _twins(data: Dataset) -> pl.DataFrame:
    """Return one row per pair of twins: ids and labels of both, and how the label changes."""
    sides = [
        data.frame.filter(pl.col("tag.polarity") == side).select(
            "group",
            "tag.trigger",
            pl.col("gold.label").alias(side),
            pl.col("id").alias(f"{side} id"),
        )
        for side in ("plain", "negated")
    ]
    both = sides[0].join(sides[1].drop("tag.trigger"), on="group")
    entailed, after = pl.col("plain") == "entailment", pl.col("negated") == "entailment"
    kind = (
        pl.when(pl.col("plain") == pl.col("negated"))
        .then(pl.lit("same"))
        .when(entailed)
        .then(pl.lit("E-NC"))
        .when(after)
        .then(pl.lit("NC-E"))
        .otherwise(pl.lit("other"))
    )
    return both.with_columns(kind.alias("kind"))


def changes(bench: Bench) -> Iterator[Cell]:
    """Yield how often the label changes between a premise and its negated twin, by trigger."""
    twins, printed = _twins(bench.data("nope/main")), PRINTED["CHANGES"]
    for trigger in TRIGGERS:
        rows = twins.filter(pl.col("tag.trigger") == trigger)
        yield count_cell(trigger, "pairs", rows.height, int(printed[trigger, "pairs"]))
        for column in COLUMNS:
            share = percent(mean((rows["kind"] == column).cast(pl.Float64)))
            number = printed[trigger, column]
            yield Cell.make(trigger, column, share, number, agreed=lies_within(0.1))


def _pair_scores(frame: pl.DataFrame, twins: pl.DataFrame) -> Mapping[str, Estimate | None]:
    """Return a judge's accuracy in per cent by label change, and on items with neutral gold."""
    kinds = {
        "EE": (pl.col("plain") == "entailment") & (pl.col("negated") == "entailment"),
        "ENC": pl.col("kind") == "E-NC",
        "NCE": pl.col("kind") == "NC-E",
    }
    scores = {}
    for name, chosen in kinds.items():
        for side in ("plain", "negated"):
            rows = (
                twins.filter(chosen).select(pl.col(f"{side} id").alias("id")).join(frame, on="id")
            )
            scores[f"{name}-{side}"] = percent(accuracy("label")(rows))
    neutral = frame.filter(pl.col("gold.label") == "neutral")
    scores["neutral"] = percent(accuracy("label")(neutral))
    sides = [neutral.filter(pl.col("tag.polarity") == side) for side in ("plain", "negated")]
    scores[BOTH] = average([percent(accuracy("label")(side)) for side in sides])
    return scores


def pairs(bench: Bench) -> Iterator[Cell]:
    """Yield accuracy on premises and their negated twins by label change, and on neutral items.

    RoBERTa's numbers are means of its five runs.
    """
    frames, why = answers_of_models(bench, "nope/main")
    scores = {
        judge: _pair_scores(frame, _twins(bench.data("nope/main")))
        for judge, frame in frames.items()
    }
    runs = [score for judge, score in scores.items() if judge.startswith(ROBERTA)]
    for row, column in PRINTED["PAIRS"]:
        # RoBERTa's number for neutral items is the mean of both polarities, DeBERTa's that of the
        # items.
        key, reading = (BOTH, BOTH) if (row, column) == (ROBERTA, "neutral") else (column, "")
        mean_score = (
            average([run[key] for run in runs])
            if row == ROBERTA and runs
            else scores.get(row, {}).get(key)
        )
        make = partial(Cell.make, judge=row, reading=reading, agreed=ONE_DIGIT)
        absent = why or "no recorded predictions"
        yield make(row, column, mean_score, PRINTED["PAIRS"][row, column], reason=absent)
    for judge, score in scores.items():
        if (judge, "neutral") not in PRINTED["PAIRS"] and " run " not in judge:
            for column, estimate in score.items():
                yield Cell.make(judge, column, estimate, judge=judge)


def models(bench: Bench) -> Iterator[Cell]:
    """Yield the accuracy of every model and judge, over all items and by trigger."""
    for part in ("main", "adv"):
        frames, reason = answers_of_models(bench, f"nope/{part}")
        if not frames:
            yield Cell.make("", part, None, reason=reason)
        for judge, frame in frames.items():
            yield Cell.make(judge, part, percent(accuracy("label")(frame)), judge=judge)
            for trigger in TRIGGERS if part == "main" else ():
                right = percent(accuracy("label")(frame.filter(pl.col("tag.trigger") == trigger)))
                yield Cell.make(trigger, part, right, judge=judge, reading="by trigger")


def on_imppres(bench: Bench) -> Iterator[Cell]:
    """Yield accuracy on the presuppositions of IMPPRES: targets and controls."""
    frames, reason = answers_of_models(bench, "imppres/presupposition")
    if not frames:
        yield Cell.make("", "target", None, reason=reason)
    for judge, frame in frames.items():
        for role in ("target", "control"):
            right = percent(accuracy("label")(frame.filter(pl.col("tag.role") == role)))
            yield Cell.make(judge, role, right, judge=judge)


nope = read_paper(
    Path(__file__).with_name("paper.toml"),
    {
        "Corpus": corpus,
        "Label changes": changes,
        "Pairs": pairs,
        "Models": models,
        "IMPPRES": on_imppres,
        "Judges": agreement_with_people({"nope/main": "rating", "nope/adv": "rating"}),
    },
)
