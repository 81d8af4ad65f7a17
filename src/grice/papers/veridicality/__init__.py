"""Ross & Pavlick (2019): How well do NLI models capture verb veridicality?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path

import numpy as np
import polars as pl

from grice.analysis.accuracy import accuracy
from grice.analysis.leave_one_out import leave_one_out
from grice.analysis.pearson import pearson
from grice.analysis.r2 import explained
from grice.analysis.signature import signature, soft_signatures
from grice.analysis.spearman import spearman
from grice.analysis.statistics.correlation import correlate, ranks
from grice.analysis.statistics.several import ratings
from grice.analysis.veridicality_bias import veridicality_bias
from grice.core.dataset import select
from grice.core.estimate import Estimate, mean
from grice.papers.cells import NO_JUDGE, PrintedExample, answers, find_data, find_example, find_rows
from grice.papers.texts import read_paper
from grice.papers.veridicality import swaps, text_numbers
from grice.papers.veridicality.experiment import EXPERIMENT, RECIPE
from grice.papers.veridicality.fresh import DESIGN
from grice.papers.veridicality.printed import EXAMPLES, TABLE_5, table_2
from grice.tables.paper import Bench, Cell, CellKind, Reference, rounds_to
from grice.tables.table import Measure
from grice.theory.signature import SIGNATURES

SIDES = ("positive", "negative")
PEOPLE, ABSENT = "people", "not in the data"


of_people = partial(Cell.make, judge=PEOPLE, kind="data")


def models(bench: Bench) -> tuple[dict[str, pl.DataFrame], str]:
    """Return the judges that answered with labels; the ranked ratings are human."""
    frames, reason = answers(bench, "veridicality")
    return {j: f for j, f in frames.items() if f["answer"].null_count() < f.height}, reason


def people(frame: pl.DataFrame) -> pl.DataFrame:
    """Return the mean ratings as if one judge had given them."""
    return frame.with_columns(
        pl.lit(PEOPLE).alias("judge"),
        pl.lit(None, dtype=pl.String).alias("answer"),
        pl.col("gold.human").alias("value"),
    )


def _kind(judge: str) -> CellKind:
    return "data" if judge == PEOPLE else "model"


def table_1(bench: Bench) -> Iterator[Cell]:
    """Yield whether each example has the printed signature in the data, and its mean ratings."""
    for example, pair, reason in _examples(bench, "Table 1"):
        row = example.premise
        same = None if pair is None else float(pair["tag.signature"][0] == example.label)
        make = partial(Cell.make, row, f"signature {example.label}", n=int(pair is not None))
        yield make(ours=same, printed=1.0, reason=reason)
        for side in SIDES if pair is not None else ():
            yield Cell.make(row, f"{side} mean rating", _rating(pair, side), n=3)


def rated_examples(bench: Bench, exhibit: str, digits: int) -> Iterator[Cell]:
    """Yield printed examples with their mean ratings."""
    for example, pair, reason in _examples(bench, exhibit):
        make = partial(Cell.make, f"{example.row}: {example.premise}", agreed=rounds_to(digits))
        for side, printed in zip(SIDES, example.numbers, strict=True):
            rating = _rating(pair, side)
            n = 0 if rating is None else 3
            yield make(f"{side} mean rating", rating, printed, n=n, reason=reason)


def table_6(bench: Bench) -> Iterator[Cell]:
    """Yield whether the original sentences of the printed manipulations are in the data.

    They must be there under the printed verb.
    """
    for example, pair, reason in _examples(bench, "Table 6"):
        same = None if pair is None else float(pair["tag.construction"][0] == example.row)
        make = partial(Cell.make, n=int(pair is not None), reason=reason)
        yield make(example.premise, example.row, same, 1.0)


Pair = pl.DataFrame | None


def _examples(bench: Bench, exhibit: str) -> Iterator[tuple[PrintedExample, Pair, str]]:
    """Yield each printed example with both environments of its sentence, or why it has none."""
    rows = find_rows(bench, "veridicality")
    for example in EXAMPLES[exhibit]:
        yield example, rows.apply(partial(_sentence, example=example)), rows.reason or ABSENT


def _sentence(frame: pl.DataFrame, example: PrintedExample) -> pl.DataFrame | None:
    """Return both environments of the first sentence whose positive premise matches."""
    positive = frame.filter(pl.col("tag.environment") == "positive")
    matches = find_example(positive, example)
    return None if matches.is_empty() else frame.filter(pl.col("group") == matches["group"][0])


def _rating(pair: Pair, side: str) -> float | None:
    """Return the mean rating of a sentence in an environment, if it is there."""
    if pair is None:
        return None
    return float(pair.filter(pl.col("tag.environment") == side)["gold.human"][0])


def counts_by_verb(bench: Bench) -> Iterator[Cell]:
    """Yield sentences of each construction under the printed signature.

    Constructions that the printed list lacks have no printed number.
    """
    data, reason = find_data(bench, "veridicality")
    counts: dict[str, tuple[str, int]] = {}
    if data is not None:
        verbs = (
            select(data.frame, {"environment": "positive"})
            .group_by("tag.construction", "tag.signature")
            .len()
        )
        counts = {verb: (kind, n) for verb, kind, n in verbs.sort(verbs.columns[:2]).iter_rows()}
    printed = table_2()
    for verb in [*printed, *(v for v in counts if v not in printed)]:
        kind, n = counts.get(verb, ("", 0))
        expected, number = printed.get(verb, (kind, None))
        count = None if not n else float(n) if expected == kind else 0.0
        row, printed_count = f"{expected} {verb}", None if number is None else float(number)
        yield Cell.make(row, "sentences", count, printed_count, n=n, reason=reason)


def agreement(bench: Bench) -> Iterator[Cell]:
    """Yield the correlation of each rating with the mean of the other two, as in §4.2.

    A second value ranks the ratings of all positions in one pool.
    """
    frames, reason = answers(bench, "veridicality")
    raters = [f for f in frames.values() if f["answer"].null_count() == f.height]
    for side, printed in zip(SIDES, (0.78, 0.74), strict=True):
        frame = _rated_thrice(select(pl.concat(raters), {"environment": side})) if raters else None
        for reading, measure in (
            ("columns as raters", leave_one_out("spearman")),
            ("one pool", _pooled),
        ):
            estimate = None if frame is None else measure(frame)
            make = partial(of_people, reading=reading, reason=reason or NO_JUDGE)
            yield make(side, "Spearman", estimate, printed)


def _rated_thrice(frame: pl.DataFrame) -> pl.DataFrame:
    """Return the items with three ratings.

    Four sentences have two positive ratings; §4.2 speaks of three for each.
    """
    return frame.filter(pl.col("value").count().over("id") == 3)


def _pooled(frame: pl.DataFrame) -> Estimate | None:
    """Correlate every rating with the mean of the item's other ratings, over all ratings at once.

    Unlike a correlation of columns, it does not depend on the order of an item's ratings.
    """
    table, groups = ratings(frame)
    is_rated = np.isfinite(table)
    count = is_rated.sum(axis=1, keepdims=True)
    total = np.where(is_rated, table, 0.0).sum(axis=1, keepdims=True)
    rest = np.divide(
        total - table, count - 1, where=is_rated & (count > 1), out=np.full_like(table, np.nan)
    )
    rows = np.isfinite(rest)
    items = pl.Series(np.broadcast_to(np.arange(len(table))[:, None], table.shape)[rows]).cast(
        pl.String
    )
    estimate = correlate(ranks(table[rows]), ranks(rest[rows]), items)
    return estimate and Estimate(estimate.value, len(groups), estimate.low, estimate.high)


def figure_1(bench: Bench) -> Iterator[Cell]:
    """Yield the mean score by signature, with intervals, then by verb.

    Soft signatures are used, for people and for every judge.
    """
    data, reason = find_data(bench, "veridicality")
    if data is None:
        for kind in SIGNATURES:
            for side in SIDES:
                yield of_people(kind, side, None, reason=reason)
        return
    rated = {PEOPLE: people(data.frame)} if "gold.human" in data.frame.columns else {}
    frames = {**rated, **models(bench)[0]}
    for judge, frame in frames.items():
        for kind in SIGNATURES:
            part = select(frame, {"signature": kind})
            for side in SIDES:
                yield Cell.make(kind, side, signature(side)(part), judge=judge, kind=_kind(judge))
    for judge, frame in frames.items():
        for row in soft_signatures(frame, ("signature", "construction")).iter_rows(named=True):
            name = f"{row['tag.signature']} {row['tag.construction']}"
            make = partial(Cell.make, n=row["n"], judge=judge, kind=_kind(judge))
            for side in SIDES:
                yield make(name, side, row[side], reading="by verb")


def section_5(bench: Bench) -> Iterator[Cell]:
    """Yield R² of verb and signature for human ratings, and the veridicality bias.

    R² is given in each way in which it could have been computed.
    """
    data, reason = find_data(bench, "veridicality")
    if data is None:
        yield of_people("verb type", "R²", None, 0.72, reason=reason)
        yield of_people("signature", "R²", None, 0.11, reason=reason)
        return
    three = pl.col("tag.signature").replace_strict(
        {"+/+": "factive", "o/o": "none"}, default="implicative"
    )
    frame = data.frame.with_columns(three.alias("tag.three"))
    for row, tag, printed, of in (
        ("verb type", "construction", 0.72, ""),
        ("signature", "signature", 0.11, ""),
        ("factive, implicative or none", "three", 0.11, "signature"),
    ):
        for reading, estimate in _explained(frame, f"tag.{tag}"):
            yield of_people(row, "R²", estimate, printed, reading=reading, printed_row=of)
    yield from text_numbers.spans(data.frame)
    yield from _biases(data.frame, models(bench)[0])


BINS = {"bins as stated": "stated", "bins that reproduce": "reproduced"}


def _biases(data: pl.DataFrame, judges: Mapping[str, pl.DataFrame]) -> Iterator[Cell]:
    """Yield the human bias under both bins, each judge's bias, and the difference of the two."""
    row, open_ = "veridicality bias", {"gold.signature": "neutral"}
    for side in SIDES:
        rated = data.filter(pl.col("tag.environment") == side, **open_)
        for reading, bins in BINS.items():
            labels = people(rated).with_columns(
                answer=f"gold.{bins}", value=pl.lit(None, pl.Float64)
            )
            yield of_people(row, side, veridicality_bias()(labels), reading=reading)
        for judge, frame in judges.items():
            answered = frame.filter(
                pl.col("tag.environment") == side, pl.col("answer").is_not_null(), **open_
            )
            yield Cell.make(row, side, veridicality_bias()(answered), judge=judge)
            for reading, bins in BINS.items():
                infers, rates = (pl.col(c) != "neutral" for c in ("answer", f"gold.{bins}"))
                more = answered.select(infers.cast(pl.Float64) - rates.cast(pl.Float64)).to_series()
                less = mean(more, answered["group"])
                yield Cell.make(f"{row} less people's", side, less, judge=judge, reading=reading)


def _explained(frame: pl.DataFrame, tag: str) -> Iterator[tuple[str, Estimate | None]]:
    for side in SIDES:
        part = select(frame, {"environment": side})
        yield side, explained(part["gold.human"], part[tag], part["group"])
    # Two outputs: each environment has its own means, and the explained sums of squares are added.
    centred = frame.select(
        (pl.col("gold.human") - pl.col("gold.human").mean().over("tag.environment")).alias("y")
    )
    both = frame.select(pl.format("{} {}", tag, "tag.environment").alias("kind"))["kind"]
    yield "both as two outputs", explained(centred["y"], both, frame["group"])
    yield "both stacked", explained(frame["gold.human"], frame[tag], frame["group"])


def table_5(bench: Bench) -> Iterator[Cell]:
    """Yield counts, then accuracy under both bins and both correlations.

    They are given for the released BERT and every judge.
    """
    rows = find_rows(bench, "veridicality")
    for kind in (*SIGNATURES, "overall"):
        frame = rows.apply(partial(_of, kind=kind))
        for column, tag in (("sentences", "tag.sentence"), ("verbs", "tag.construction")):
            count = None if frame is None else frame[tag].n_unique()
            make = partial(Cell.make, n=count or 0, reason=rows.reason)
            yield make(kind, column, count, TABLE_5[kind, column])
    frames, why = models(bench)
    for judge in dict.fromkeys(["BERT", *frames]):
        absent = why or f"{judge} has not answered veridicality"
        for kind in (*SIGNATURES, "overall"):
            for side in SIDES:
                yield from _performance(frames.get(judge), judge, kind, side, absent)


def _of(frame: pl.DataFrame, kind: str) -> pl.DataFrame:
    return frame if kind == "overall" else select(frame, {"signature": kind})


def _performance(
    frame: pl.DataFrame | None, judge: str, kind: str, side: str, reason: str
) -> Iterator[Cell]:
    rows = None if frame is None else select(_of(frame, kind), {"environment": side})
    printed = TABLE_5 if judge == "BERT" else {}
    readings: tuple[tuple[str, str, Measure, Reference], ...] = (
        ("accuracy", "bins as stated", accuracy("stated"), "printed"),
        ("accuracy", "bins that reproduce", accuracy("reproduced"), "fitted"),
        ("rho", "Spearman, as stated", spearman("human"), "printed"),
        ("rho", "Pearson, which reproduces", pearson("human"), "printed"),
    )
    for column, reading, measure, reference in readings:
        estimate = None if rows is None else measure(rows)
        why = reason if rows is None else "too few answers, or all the same"
        number = printed.get((kind, f"{side}-{column}"))
        make = partial(Cell.make, judge=judge, reading=reading, reference=reference)
        yield make(kind, f"{side} {column}", estimate, number, reason=why)


veridicality = read_paper(
    Path(__file__).with_name("paper.toml"),
    {
        "Table 1": table_1,
        "Table 2": counts_by_verb,
        "Section 4.1": text_numbers.sizes,
        "Footnote 10": text_numbers.tense_and_person,
        "Section 6.2": text_numbers.confidence,
        "Section 4.2": agreement,
        "Section 4.3": lambda bench: rated_examples(bench, "Section 4.3", 2),
        "Figure 1": figure_1,
        "Table 3": lambda bench: rated_examples(bench, "Table 3", 1),
        "Section 5": section_5,
        "Table 4": lambda bench: rated_examples(bench, "Table 4", 1),
        "Table 5": table_5,
        "Table 6": table_6,
        "Table 7": swaps.table_7,
        "Table 8": swaps.table_8,
        "Table 7 by verb": swaps.table_7_by_verb,
        "Table 8 by verb": swaps.table_8_by_verb,
        "Figure 2": swaps.figure_2,
    },
    experiment=EXPERIMENT,
    recipe=RECIPE,
    fresh=DESIGN,
)
