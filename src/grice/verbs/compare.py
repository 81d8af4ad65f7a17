"""Paired comparison of two judges: `grice compare`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Unpack

import polars as pl

from grice.analysis import brier, energy
from grice.analysis.accuracy import accuracy
from grice.analysis.statistics import paired
from grice.analysis.statistics.baselines import correctness, excess, set_column
from grice.analysis.statistics.jackknife import compare_measure
from grice.analysis.statistics.likeness import compare_people
from grice.analysis.statistics.methods import effects
from grice.analysis.statistics.readings import gold_column
from grice.core.errors import InputError
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
    if any(name.partition(":")[0] != "accuracy" for name in listed(measure)):
        if reading:
            raise InputError(
                "--reading is for accuracy; name the reading with the measure, as in"
                " --measure f1:logical"
            )
        return _compare_measures(chosen, (a, b), listed(measure), group_by, items)
    named = [reading] if isinstance(reading, str) and reading else reading
    readings = [*named, *(name.partition(":")[2] for name in listed(measure))] or [""]
    return _compare_accuracy(chosen, (a, b), readings, group_by, items)


def _compare_accuracy(
    chosen: Sequence[SameData],
    judges: tuple[str, str],
    readings: Sequence[str],
    group_by: str,
    items: int,
) -> Comparison:
    """Compare the accuracy under each reading."""
    a, b = judges
    total_rows: list[PairedDifference] = []
    parts: list[PairedDifference] = []
    rates, reading_names = {}, []
    blind: dict[str, float] = {}
    effects: list[MethodEffects] = []
    differing: list[dict[str, Any]] = []
    for same in chosen:
        frame = join(same.data, *same.runs)
        for reading in readings:
            name = gold_column(frame, reading).partition(".")[2]
            reading_names.append(name)
            stratum = " · ".join(
                [same.data.name] * (len(chosen) > 1) + [name] * (len(readings) > 1)
            )
            total_rows += _placed(paired.compare(frame, a, b, reading=reading), stratum)
            parts += (
                _placed(paired.compare(frame, a, b, reading=reading, by=group_by), stratum)
                if group_by
                else []
            )
            effects += _over_methods(
                frame, a, b, reading, " · ".join(filter(None, (stratum, f"{a} − {b}")))
            )
            for judge in (a, b):
                answers = frame.filter(pl.col("judge") == judge)
                key, without = (
                    f"{judge} · {stratum}" if stratum else judge,
                    _blind(answers, reading),
                )
                rates[key] = accuracy(reading)(answers)
                blind |= {key: without} if without is not None else {}
        differing += _differing(frame, a, b, items - len(differing))
    return Comparison(
        ", ".join(same.data.name for same in chosen),
        ", ".join(dict.fromkeys(reading_names)),
        a,
        b,
        group_by,
        rates,
        rows=(*_corrected(total_rows), *_corrected(parts)),
        items=tuple(differing),
        blind=blind,
        methods=tuple(effects),
    )


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


def _compare_measures(
    chosen: Sequence[SameData],
    judges: tuple[str, str],
    measures: Sequence[str],
    group_by: str,
    items: int,
) -> Comparison:
    """Compare by any measures of one judge, or one of agreement with people, each with its rows."""
    loaded = {name: load_measure(name) for name in measures}
    if len(measures) > 1 and any(map(_is_beside_people, measures)):
        raise InputError(
            f"compare takes one measure beside people at a time, not {', '.join(measures)}"
        )
    many = [name for name in measures if loaded[name].many and not _is_beside_people(name)]
    if many:
        raise InputError(
            f"'{many[0]}' already compares several judges; see: grice table -m {many[0]}"
        )
    a, b = judges
    total_rows: list[PairedDifference] = []
    parts: list[PairedDifference] = []
    values, differing = {}, list[dict[str, Any]]()
    for same in chosen:
        frame = join(same.data, *same.runs)
        for name, measure in loaded.items():
            stratum = " · ".join([same.data.name] * (len(chosen) > 1) + [name] * (len(loaded) > 1))
            for judge in judges:
                values[f"{judge} · {stratum}" if stratum else judge] = measure(
                    frame.filter(pl.col("judge") == judge)
                )
            total_rows += _placed(_difference(frame, judges, name, measure), stratum)
            if group_by:
                parts += _placed(_difference(frame, judges, name, measure, group_by), stratum)
        differing += _differing(frame, a, b, items - len(differing))
    if not total_rows:
        raise _no_number(chosen, measures)
    return Comparison(
        dataset=", ".join(same.data.name for same in chosen),
        reading="",
        a=a,
        b=b,
        group_by=group_by,
        accuracy=values,
        rows=(*_corrected(total_rows), *_corrected(parts)),
        items=tuple(differing),
        measure=", ".join(measures),
    )


def _is_beside_people(name: str) -> bool:
    return name.partition(":")[0] in BESIDE_PEOPLE


def _difference(
    frame: pl.DataFrame, judges: tuple[str, str], name: str, measure: Measure, by: str = ""
) -> Sequence[PairedDifference]:
    """Return the differences of two judges by a measure, overall or within a tag's values."""
    a, b = judges
    kind, _, tag = name.partition(":")
    if kind in BESIDE_PEOPLE:
        return compare_people(frame, a, b, tag, distances=BESIDE_PEOPLE[kind], by=by)
    return compare_measure(frame, a, b, measure, by=by)


def _no_number(chosen: Sequence[SameData], measures: Sequence[str]) -> InputError:
    named = ", ".join(same.data.name for same in chosen)
    return InputError(
        f"{named} has no {', '.join(measures)} for both judges; see: grice table -m {measures[0]}"
    )


def _blind(rows: pl.DataFrame, reading: str) -> float | None:
    """Return the shuffled-answer baseline of one judge."""
    by = set_column(rows)
    gold = gold_column(rows, reading)
    estimate = excess(rows.drop_nulls(gold), correctness(gold), over=[by] if by else [])
    return estimate.baseline if estimate else None


def _two(chosen: Sequence[SameData], patterns: Sequence[str]) -> tuple[str, str]:
    """Return the two judges, in the order of the patterns or of the runs.

    Each must have answered every dataset.
    """
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


def _corrected(rows: Sequence[PairedDifference]) -> list[PairedDifference]:
    return [
        replace(row, holm=p)
        for row, p in zip(rows, paired.holm([row.p for row in rows]), strict=True)
    ]


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
