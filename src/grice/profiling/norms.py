"""Model answers compared with human norms by word: scales, projection and veridicality."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from grice.analysis.statistics.correlation import correlate, ranks
from grice.analysis.statistics.likeness import ceiling_of
from grice.analysis.statistics.readings import score_of
from grice.core.estimate import Estimate, mean
from grice.theory.norms import (
    OPERATORS,
    Norm,
    NormSource,
    norm_sources,
    norms,
    predicate_key,
    scale_key,
)

# The condition of a scalar paradigm that people were asked about: from the weak sentence to the
# negated strong one.
WEAK = "W/not S"
# Phenomena whose word embeds the clause that the hypothesis states.
CLAUSES = ("factives", "predicates")
# Tags that select the items under an operator.
UNDER = ("operator", "presupposition", "role")


@dataclass(frozen=True)
class NormRow:
    """One word in one environment: the model's mean, people's mean, and the tags of its items."""

    judge: str
    model_mean: Estimate
    people: Norm
    where: Mapping[str, str]

    @property
    def difference(self) -> float:
        """The model's mean minus people's."""
        return self.model_mean.value - self.people.mean


@dataclass(frozen=True)
class NormComparison:
    """A model compared with people over all words of a kind in one environment.

    `condition` is empty where the comparison is over all environments.

    `pearson` and `spearman` are over words, with intervals over words; `ceiling` is the highest
    correlation to be expected, since other people would give other means. Rows of classes of words
    are in `classes`, outside of both.
    """

    kind: str
    condition: str
    judge: str
    rows: tuple[NormRow, ...]
    classes: tuple[NormRow, ...]
    pearson: Estimate | None
    spearman: Estimate | None
    ceiling: float | None
    source: NormSource


def compare_with_norms(frame: pl.DataFrame, kinds: Collection[str] = ()) -> list[NormComparison]:
    """Return every comparison with norms that the tags allow, by kind, then by model.

    `kinds` limits them to these kinds.

    A scale is read from pairs of a weak sentence and the negated strong one: the rate of
    entailment. Projection is the rate of entailment of the clause, or the presupposition, under an
    operator. Veridicality counts entailment 1, neutral one half and contradiction 0, as people's
    yes, maybe and no.
    """
    comparisons = []
    for kind, select in KINDS.items():
        keyed = select(frame) if not kinds or kind in kinds else None
        if keyed is None or keyed.is_empty():
            continue
        for (judge,), part in keyed.partition_by(
            "judge", as_dict=True, maintain_order=True
        ).items():
            rows = tuple(_rows(kind, str(judge), part))
            conditions = list(dict.fromkeys(row.people.condition for row in rows))
            comparisons += [
                _comparison(kind, condition, str(judge), rows)
                for condition in (*conditions, *([""] if len(conditions) > 1 else []))
            ]
    return comparisons


def known_norms(comparisons: Iterable[NormComparison], judge: str) -> dict[str, NormComparison]:
    """Return a judge's comparison over all environments for each kind of norms."""
    return {
        comparison.kind: comparison
        for comparison in comparisons
        if comparison.judge == judge and (comparison.rows or comparison.classes)
    }


def within(estimate: Estimate) -> Estimate:
    """Return an estimate with its interval cut to the range from 0 to 1.

    The standard error includes the noise of people's ratings, so the interval can extend further.
    """
    if estimate.low is None or estimate.high is None:
        return estimate
    return replace(estimate, low=max(estimate.low, 0.0), high=min(estimate.high, 1.0))


def _rows(kind: str, judge: str, part: pl.DataFrame) -> Iterator[NormRow]:
    known = norms(kind)
    for (key, condition), rows in part.partition_by(
        "key", "condition", as_dict=True, maintain_order=True
    ).items():
        norm = known.get((str(key), str(condition)))
        judge_mean = mean(rows["score"], rows["group"])
        if norm is not None and judge_mean is not None:
            yield NormRow(judge, judge_mean, norm, _where(rows))


def _where(rows: pl.DataFrame) -> dict[str, str]:
    """Return the tags that select these items; empty where words of several tags share a key."""
    several = rows["where"].unique(maintain_order=True)
    return (
        {f"tag.{tag}": value for tag, value in json.loads(several[0]).items()}
        if len(several) == 1
        else {}
    )


def _comparison(kind: str, condition: str, judge: str, rows: tuple[NormRow, ...]) -> NormComparison:
    here = [row for row in rows if condition in ("", row.people.condition)]
    word_rows = tuple(row for row in here if ": " not in row.people.key and row.people.key != "all")
    judge_means = np.array([row.model_mean.value for row in word_rows], dtype=np.float64)
    people = np.array([row.people.mean for row in word_rows], dtype=np.float64)
    alone = pl.Series([None] * len(word_rows), dtype=pl.String)
    top = ceiling_of(people, [row.people.noise for row in word_rows])
    return NormComparison(
        kind,
        condition,
        judge,
        word_rows,
        tuple(row for row in here if row not in word_rows),
        correlate(judge_means, people, alone),
        correlate(ranks(judge_means), ranks(people), alone) if len(word_rows) else None,
        top,
        norm_sources()[kind],
    )


def _keyed(
    frame: pl.DataFrame,
    keys: Mapping[str, Callable[[str], str]],
    condition: pl.Expr,
    score: pl.Expr,
    also: Sequence[str] = (),
) -> pl.DataFrame:
    """Return the rows with the keys of their words, their environment and their score.

    `keys` has the function from a word to its key for each tag that names one. The values of the
    tag and of `also` are stored in `where`, to select the rows again.
    """
    parts = []
    for tag, key in keys.items():
        if f"tag.{tag}" not in frame.columns:
            continue
        tags = [name for name in (tag, *also) if f"tag.{name}" in frame.columns]
        where = pl.struct(pl.col(f"tag.{name}").alias(name) for name in tags)
        word_key = pl.col(f"tag.{tag}").map_elements(key, return_dtype=pl.String)
        rows = frame.drop_nulls(f"tag.{tag}").select(
            "judge",
            "group",
            word_key.alias("key"),
            condition.alias("condition"),
            score.alias("score"),
            where.struct.json_encode().alias("where"),
        )
        parts.append(rows.drop_nulls(["key", "condition"]))
    return pl.concat(parts)


def _entailed() -> pl.Expr:
    return (pl.col("answer") == "entailment").cast(pl.Float64)


def _only(frame: pl.DataFrame, tag: str, *values: str) -> pl.DataFrame:
    """Return the rows with one of these values of a tag; all rows if the data do not have it."""
    column = f"tag.{tag}"
    return frame.filter(pl.col(column).is_in(values)) if column in frame.columns else frame


def weak_pairs(frame: pl.DataFrame) -> pl.DataFrame:
    """Return the rows from the weak sentence to the negated strong one."""
    return _only(frame, "condition", WEAK)


def _scales(frame: pl.DataFrame) -> pl.DataFrame | None:
    if "tag.scale" not in frame.columns:
        return None
    keys = {"scale": scale_key}
    return _keyed(weak_pairs(frame), keys, pl.lit("weak"), _entailed(), ("condition",))


def _projected(frame: pl.DataFrame) -> pl.DataFrame | None:
    """Return the answers on clauses under an operator, keyed by predicate and by predicate class.

    Factives of the generator are compared with people's class of factive predicates. In other
    phenomena the tag names another kind of word ("establish when").
    """
    word = next((tag for tag in ("predicate", "word") if f"tag.{tag}" in frame.columns), None)
    if word is None or "tag.operator" not in frame.columns:
        return None
    frame = _only(_only(frame, "phenomenon", *CLAUSES), "presupposition", "positive")
    frame = _only(frame, "role", "target")
    return _by_predicate(frame, word, pl.col("tag.operator").replace(OPERATORS))


def _by_predicate(frame: pl.DataFrame, word: str, condition: pl.Expr) -> pl.DataFrame:
    keys = {word: predicate_key, "class": lambda name: f"class: {name}"}
    rows = _keyed(frame, keys, condition, _entailed(), UNDER)
    if "tag.phenomenon" not in frame.columns:
        return rows
    factives = frame.filter(pl.col("tag.phenomenon") == "factives")
    to_class = {"phenomenon": lambda _: "class: factive"}
    return pl.concat([rows, _keyed(factives, to_class, condition, _entailed(), UNDER)])


def _followed(frame: pl.DataFrame) -> pl.DataFrame | None:
    """Return clauses under a predicate in an unembedded sentence."""
    if not {"tag.word", "tag.operator", "tag.presupposition"} <= set(frame.columns):
        return None
    frame = _only(_only(frame, "phenomenon", *CLAUSES), "operator", "unembedded")
    return _by_predicate(_only(frame, "presupposition", "positive"), "word", pl.lit("positive"))


def _happened(frame: pl.DataFrame) -> pl.DataFrame | None:
    if not {"tag.construction", "tag.environment"} <= set(frame.columns):
        return None
    halfway = (score_of(frame) + 1) / 2
    keys = {"construction": str.lower, "signature": lambda sign: f"signature: {sign}"}
    return _keyed(frame, keys, pl.col("tag.environment"), halfway, ("environment",))


KINDS: Mapping[str, Callable[[pl.DataFrame], pl.DataFrame | None]] = {
    "scale": _scales,
    "projection": _projected,
    "follows": _followed,
    "happened": _happened,
}
