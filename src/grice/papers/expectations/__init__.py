"""Hu, Levy, Degen & Schuster (2023): scalar inference rates of four studies and expectedness."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import polars as pl

from grice.core.dataset import Dataset
from grice.core.estimate import mean
from grice.core.files import read_table
from grice.papers.people import agreement_with_people, correlation
from grice.papers.texts import read_paper
from grice.tables.paper import Bench, Cell, rounds_to

STUDIES = ("rx22", "pvt21", "g18", "vt16")
# Figure 3a and the within-scale figure; the text layer of the figures has lost the minus signs.
SURPRISAL = {"rx22": -0.361, "pvt21": -0.180, "g18": -0.053, "vt16": -0.045}
FACTORS = {
    "rx22": ("accessibility", "distinctness", "negated_strong"),
    "g18": ("negative_strengthening", "distance"),
    "pvt21": ("cooccurrence", "similarity"),
    "vt16": ("distance", "lsa"),
}
THREE = rounds_to(3)


def _scales(data: Dataset) -> pl.DataFrame:
    """Return one row per scale: the sentences of a scale share its rate."""
    return data.frame.unique("tag.scale", maintain_order=True)


def rates(bench: Bench) -> Iterator[Cell]:
    """Yield the mean rate of each study, of bounded scales and others, and of every scale."""
    for study in STUDIES:
        frame = _scales(bench.data(f"scalar_diversity/{study}"))
        yield Cell.make("all scales", study, mean(frame["gold.rate"]))
        for word, title in (
            (("yes", "bounded scales"), ("no", "other scales"))
            if "tag.bounded" in frame.columns
            else ()
        ):
            yield Cell.make(
                title, study, mean(frame.filter(pl.col("tag.bounded") == word)["gold.rate"])
            )
        for scale, rate in frame.select("tag.scale", "gold.rate").sort("gold.rate").iter_rows():
            yield Cell.make(scale, study, rate, n=1, reading="by scale")


def factors(bench: Bench) -> Iterator[Cell]:
    """Yield correlations of a study's rates with its scale measures and with another study."""
    frames = {study: _scales(bench.data(f"scalar_diversity/{study}")) for study in FACTORS}
    for study, names in FACTORS.items():
        for name in names:
            rows = frames[study].drop_nulls(f"tag.{name}")
            yield Cell.make(
                f"{study}, {name}", "r", correlation(rows["gold.rate"], rows[f"tag.{name}"])
            )
    for first_study, second_study in (("g18", "vt16"), ("rx22", "vt16"), ("g18", "rx22")):
        both = frames[first_study].join(frames[second_study], on="tag.scale", maintain_order="left")
        yield Cell.make(
            f"{first_study} and {second_study}, same scales",
            "r",
            correlation(both["gold.rate"], both["gold.rate_right"]),
        )


def surprisal(bench: Bench) -> Iterator[Cell]:
    """Yield Figure 3a: GPT-2's surprisal of the stronger word, correlated with rates."""
    path = bench.file("scalar_diversity/gpt2_strong_surprisal.tsv", source="scalar_diversity")
    table = pl.DataFrame(
        [row for _, row in read_table(path, columns=("dataset", "scale_id", "surprisal"))]
    )
    table = table.group_by("dataset", "scale_id", maintain_order=True).agg(
        pl.col("surprisal").cast(pl.Float64).drop_nulls().mean()
    )
    for study, printed in SURPRISAL.items():
        frame = _scales(bench.data(f"scalar_diversity/{study}"))
        rows = frame.join(
            table.filter(pl.col("dataset") == study),
            left_on="tag.scale",
            right_on="scale_id",
            maintain_order="left",
        )
        rows = rows.drop_nulls("tag.lsa") if study == "vt16" else rows
        make = partial(Cell.make, agreed=THREE, judge="GPT-2")
        yield make(study, "r", correlation(rows["surprisal"], rows["gold.rate"]), printed)
        if study == "rx22":
            estimate = correlation(rows["surprisal"], rows["tag.accessibility"])
            yield make("rx22, accessibility", "r", estimate, -0.357)


def some(bench: Bench) -> Iterator[Cell]:
    """Yield BERT's surprisal of "all" in "some, but not all", correlated with human ratings."""
    frame = bench.data("some_corpus/context").frame
    path = bench.file("some_corpus/bert-base-uncased_all.csv", source="some_corpus")
    surprisals = {
        row["Item"]: float(row["surprisal_at_strong"]) for _, row in read_table(path, delimiter=",")
    }
    rows = frame.filter(pl.col("tag.item").is_in(list(surprisals)))
    estimate = correlation(
        pl.Series([surprisals[item] for item in rows["tag.item"]]), rows["gold.strength"]
    )
    yield Cell.make("some", "r", estimate, -0.400, agreed=THREE, judge="BERT")


expectations = read_paper(
    Path(__file__).with_name("paper.toml"),
    {
        "Rates": rates,
        "Factors": factors,
        "Figure 3a": surprisal,
        "Within scale": some,
        "Judges": agreement_with_people({f"scalar_diversity/{study}": "rate" for study in STUDIES}),
    },
)
