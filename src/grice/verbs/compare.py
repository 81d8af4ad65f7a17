"""Paired comparison of two judges: `grice compare`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Unpack

import polars as pl

from grice.analysis import brier, energy
from grice.analysis.statistics import paired
from grice.analysis.statistics.baselines import correctness, excess, set_column
from grice.analysis.statistics.jackknife import compare_measure
from grice.analysis.statistics.likeness import compare_people
from grice.analysis.statistics.methods import effects
from grice.analysis.statistics.readings import gold_column
from grice.core.errors import InputError
from grice.core.estimate import Estimate
from grice.core.methods import METHOD, MethodEffects, expand_methods, has_methods
from grice.core.progress import say
from grice.loading import RunLike
from grice.storage.run import join
from grice.tables.comparison import Comparison, PairedDifference
from grice.tables.table import Measure, load_measure
from grice.verbs.run_filter import Names, RunFilter, SameData, choose_runs, listed

# Measures that hold judges against the people who answered the items, with the distances that they
# average, if they do.
BESIDE_PEOPLE = {"human_likeness": None, "energy": energy.distances, "brier": brier.distances}


def compare(
    *runs: RunLike,
    reading: Names = "",
    measure: Names = (),
    group_by: str = "",
    items: int = 0,
    **keep: Unpack[RunFilter],
) -> Comparison:
    """Compare two judges on the same items: the first minus the second, with intervals and tests.

    `runs` are runs of two judges, their folders, or a zip of `pack`; `judge=` and `dataset=` select
    among more, in the order of the patterns. `reading` names the gold answers to compare against
    (`measure="accuracy:READING"` is the same). `measure="human_likeness"`, `"energy"` or
    `"brier"` compares both with the people who answered the items, with intervals over items and
    people; any other measure of one judge is compared by a jackknife over paradigms.

    `group_by` is a tag within whose values to compare as well. Each dataset and each of several
    readings has rows of its own. `items` is the maximum number of differently answered items to
    return. Where both answered the same prompt variants, `methods` tells whether the difference
    holds over variants.

    >>> judges = ["baseline/overlap", "baseline/random"]
    >>> runs = grice.judge("quantifiers@7", judges, into=None, limit=24)
    >>> found = grice.compare(*runs, reading="logical")
    >>> found.a, found.rows[0].difference.n
    ('baseline/overlap', 24)
    """
    chosen = choose_runs(list(runs), keep)
    a, b = _two(chosen, listed(keep.get("judge", ())))
    for run in (run for same in chosen for run in same.runs if run.warning):
        say(f"{run.judge} on {run.dataset}: {run.warning.text}")  # type: ignore[union-attr]
    names = [*(f"accuracy:{name}" for name in listed(reading) if name), *listed(measure)]
    if reading and not _is_accuracy(names):
        raise InputError(
            "--reading is for accuracy; name the reading with the measure, as in"
            " --measure f1:logical"
        )
    return _compare(chosen, (a, b), names or ["accuracy"], group_by, items)


def _is_accuracy(names: Sequence[str]) -> bool:
    return all(name.partition(":")[0] == "accuracy" for name in names)


def _compare(
    chosen: Sequence[SameData],
    judges: tuple[str, str],
    names: Sequence[str],
    group_by: str,
    items: int,
) -> Comparison:
    """Compare by the measures of these names, each with rows of its own.

    Accuracy has its shuffled-answer baseline and the effects of the prompt in addition.
    """
    a, b = judges
    measures, by_accuracy = _load(names), _is_accuracy(names)
    rows: dict[str, list[PairedDifference]] = {"": [], group_by: []}
    values: dict[str, Estimate | None] = {}
    blind: dict[str, float] = {}
    readings: list[str] = []
    effects: list[MethodEffects] = []
    differing: list[dict[str, Any]] = []
    for same in chosen:
        frame = join(same.data, *same.runs)
        for name, measure in measures.items():
            label = name
            if by_accuracy:
                label = gold_column(frame, name.partition(":")[2]).partition(".")[2]
                readings.append(label)
            stratum = " · ".join([same.data.name] * (len(chosen) > 1) + [label] * (len(names) > 1))
            for by in rows:
                rows[by] += _placed(_difference(frame, judges, name, measure, by), stratum)
            if by_accuracy:
                what = " · ".join(filter(None, (stratum, f"{a} − {b}")))
                effects += _over_methods(frame, a, b, label, what)
            for judge in judges:
                answers = frame.filter(judge=judge)
                key = f"{judge} · {stratum}" if stratum else judge
                values[key] = measure(answers)
                if by_accuracy and (without := _blind(answers, label)) is not None:
                    blind[key] = without
        differing += _differing(frame, a, b, items - len(differing))
    if not rows[""]:
        datasets = ", ".join(same.data.name for same in chosen)
        remedy = f"see: grice table -m {names[0]}"
        raise InputError(f"{datasets} has no {', '.join(names)} for both judges; {remedy}")
    return Comparison(
        dataset=", ".join(same.data.name for same in chosen),
        reading=", ".join(dict.fromkeys(readings)),
        a=a,
        b=b,
        group_by=group_by,
        accuracy=values,
        rows=tuple(row for family in rows.values() for row in paired.correct(family)),
        items=tuple(differing),
        blind=blind,
        methods=tuple(effects),
        measure="accuracy" if by_accuracy else ", ".join(names),
    )


def _load(names: Sequence[str]) -> dict[str, Measure]:
    """Return the measures; refuse those that cannot be compared, alone or together."""
    measures = {name: load_measure(name) for name in names}
    beside = [name for name in names if name.partition(":")[0] in BESIDE_PEOPLE]
    if beside and len(names) > 1:
        raise InputError(
            f"compare takes one measure beside people at a time, not {', '.join(names)}"
        )
    many = [name for name in names if measures[name].many and name not in beside]
    if many:
        raise InputError(
            f"'{many[0]}' already compares several judges; see: grice table -m {many[0]}"
        )
    return measures


def _over_methods(
    frame: pl.DataFrame, a: str, b: str, reading: str, what: str
) -> list[MethodEffects]:
    """Estimate the effects of the prompt on the difference, over variants that both answered.

    Answers are paired by item and prompt variant.
    """
    if not all(has_methods(frame.filter(judge=judge)) for judge in (a, b)):
        return []
    rows = expand_methods(frame, samples=True)
    right = (pl.col("answer") == pl.col(gold_column(frame, reading))).cast(pl.Float64)
    rows = rows.with_columns(right.alias("right")).drop_nulls("right")
    # An asking with samples counts by their mean.
    right = pl.col("right").drop_nulls().mean()
    reference_rows = (
        rows.filter(judge=b).group_by("id", METHOD, maintain_order=True).agg(right.alias("other"))
    )
    both = rows.filter(judge=a).join(
        reference_rows, on=["id", METHOD], how="inner", maintain_order="left"
    )
    if both[METHOD].n_unique() < 2:
        return []
    return [effects(both, pl.col("right") - pl.col("other"), what=what, threshold=0.0)]


def _difference(
    frame: pl.DataFrame, judges: tuple[str, str], name: str, measure: Measure, by: str
) -> Sequence[PairedDifference]:
    """Return the differences of two judges by a measure, overall or within a tag's values."""
    a, b = judges
    kind, _, argument = name.partition(":")
    if kind == "accuracy":
        return paired.compare(frame, a, b, reading=argument, by=by)
    if kind in BESIDE_PEOPLE:
        return compare_people(frame, a, b, argument, distances=BESIDE_PEOPLE[kind], by=by)
    return compare_measure(frame, a, b, measure, by=by)


def _blind(rows: pl.DataFrame, reading: str) -> float | None:
    """Return the shuffled-answer baseline of one judge."""
    by = set_column(rows)
    gold = gold_column(rows, reading)
    estimate = excess(rows.drop_nulls(gold), correctness(gold), over=[by] if by else [])
    return estimate.baseline if estimate else None


def _two(chosen: Sequence[SameData], patterns: Sequence[str]) -> tuple[str, str]:
    """Return the two judges of every dataset, in the order of the patterns or of the runs."""
    judges = list(dict.fromkeys(run.judge for same in chosen for run in same.runs))
    if len(judges) != 2:
        raise InputError(
            f"compare needs two models, found {len(judges)}: {', '.join(judges)}; select them with"
            " --judge PATTERN"
        )
    for same in chosen:
        if len(same.runs) < 2:
            raise InputError(
                f"'{same.runs[0].judge}' alone answered {same.data.name}; leave it out with"
                " --dataset"
            )
    if len(patterns) == 2 and patterns[0] in judges:
        judges.sort(key=lambda judge: judge != patterns[0])
    return judges[0], judges[1]


def _placed(rows: Sequence[PairedDifference], prefix: str) -> list[PairedDifference]:
    """Prefix the stratum of the rows with their dataset or reading."""
    return [replace(row, stratum=" · ".join(filter(None, (prefix, row.stratum)))) for row in rows]


def _differing(frame: pl.DataFrame, a: str, b: str, most: int) -> list[dict[str, Any]]:
    """List at most so many items that two judges answer differently, in the dataset's order."""
    if most <= 0:
        return []
    second_answers = frame.filter(pl.col("judge") == b).select("id", pl.col("answer").alias(b))
    first_answers = frame.filter(pl.col("judge") == a).rename({"answer": a})
    both = first_answers.join(second_answers, on="id", how="inner", maintain_order="left")
    golds = [c for c in frame.columns if c.startswith("gold.")]
    return (
        both.filter(pl.col(a) != pl.col(b))
        .head(most)
        .select("id", "premise", "hypothesis", *golds, a, b)
        .to_dicts()
    )
