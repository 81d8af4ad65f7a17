"""Numbers in the running text of Ross & Pavlick: sizes, spans, tense and person, confidence."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import polars as pl

from grice.analysis.r2 import explained
from grice.core.estimate import mean
from grice.papers.cells import NO_JUDGE, answers, find_data, find_rows
from grice.tables.paper import Bench, Cell, rounds_to
from grice.theory.signature import SIGNATURES

SIDES = ("positive", "negative")
LABELS = ("entailment", "neutral", "contradiction")
# A verb with fewer sentences was left out; an answer with this probability is sure.
FEWEST, SURE = 4, 0.99


def sizes(bench: Bench) -> Iterator[Cell]:
    """Yield Section 4.1: verbs, sentences and pairs, and verbs with the fewest sentences."""
    rows = find_rows(bench, "veridicality")
    counts = rows.apply(_sizes) or {}
    for row, printed in SIZES.items():
        make = partial(Cell.make, agreed=rounds_to(0), reason=rows.reason)
        yield make(row, "count", counts.get(row), printed)


SIZES = {
    "verb types": 137,
    "sentences": 1498,
    "pairs": 2996,
    f"verbs with at least {FEWEST} sentences": 137,
    "fewest sentences of a verb": None,
}


def _sizes(frame: pl.DataFrame) -> dict[str, int]:
    verbs = frame.group_by("tag.construction").agg(pl.col("tag.sentence").n_unique())
    per_verb: list[int] = verbs["tag.sentence"].to_list()
    enough = sum(n >= FEWEST for n in per_verb)
    values = (len(verbs), sum(per_verb), len(frame), enough, min(per_verb, default=0))
    return dict(zip(SIZES, values, strict=True))


def spans(frame: pl.DataFrame) -> Iterator[Cell]:
    """Yield for each signature how far the mean ratings of its sentences spread.

    The text says that each spans at least 2 of the 4 points.
    """
    for signature in SIGNATURES:
        for side in SIDES:
            ratings = frame.filter(
                pl.col("tag.environment") == side, pl.col("tag.signature") == signature
            )["gold.human"].drop_nulls()
            width = float(ratings.max() - ratings.min()) if len(ratings) else None  # type: ignore[operator,arg-type]
            yield Cell.make(f"{signature} span of ratings", side, width, n=len(ratings))


def tense_and_person(bench: Bench) -> Iterator[Cell]:
    """Yield R² of the verb alone, and with tense or person added."""
    data, reason = find_data(bench, "veridicality")
    for side in SIDES:
        part = None if data is None else _with_features(data.frame, side)
        for row, columns in (
            ("verb", []),
            ("verb and tense", ["tense"]),
            ("verb and person", ["person"]),
            ("tense alone", None),
            ("person alone", None),
        ):
            if part is None:
                yield Cell.make(row, side, None, reason=reason)
                continue
            keys = [row.partition(" ")[0]] if columns is None else ["tag.construction", *columns]
            kind = part.select(pl.concat_str(keys, separator=" ").alias("kind"))["kind"]
            yield Cell.make(row, side, explained(part["gold.human"], kind, part["group"]))


def _with_features(frame: pl.DataFrame, side: str) -> pl.DataFrame:
    negated = frame.filter(pl.col("tag.environment") == "negative").select(
        "tag.sentence", pl.col("premise").alias("negated")
    )
    past, present = (
        pl.col("negated").str.contains(pattern)
        for pattern in (r"\bdid(n't| not)\b", r"\bdo(es)?(n't| not)\b")
    )
    person = pl.col("premise").str.contains(r"\b(I|[Ww]e)\b")
    tense = pl.when(past).then(pl.lit("past")).when(present).then(pl.lit("present"))
    return (
        frame.filter(pl.col("tag.environment") == side)
        .join(negated, on="tag.sentence", maintain_order="left")
        .with_columns(
            tense.otherwise(pl.lit("other")).alias("tense"),
            pl.when(person).then(pl.lit("first")).otherwise(pl.lit("other")).alias("person"),
        )
    )


def confidence(bench: Bench) -> Iterator[Cell]:
    """Yield the share of answers whose label has a probability of .99 or more."""
    frames, reason = answers(bench, "veridicality")
    is_empty = True
    for judge, frame in frames.items():
        columns = [f"p.{label}" for label in LABELS]
        if not set(columns) <= set(frame.columns) or frame[columns[0]].null_count() == len(frame):
            continue
        is_empty = False
        for side in SIDES:
            rows = frame.filter(pl.col("tag.environment") == side)
            is_sure = rows.select((pl.max_horizontal(columns) >= SURE).cast(pl.Float64).alias("p"))
            yield Cell.make(
                "at least 99% sure", side, mean(is_sure["p"], rows["group"]), judge=judge
            )
    if is_empty:
        yield Cell.make("at least 99% sure", "", None, reason=reason or NO_JUDGE)
