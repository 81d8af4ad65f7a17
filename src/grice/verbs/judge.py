"""Evaluation of judges on data: `grice judge`."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypedDict, Unpack, overload

from grice import loading
from grice.cluster import Cluster
from grice.cluster.judging import asker
from grice.core.dataset import Dataset
from grice.core.item import Question
from grice.core.judge_spec import JudgeSpec
from grice.core.judgement import BindsItems, EstimatesCost, Judge, Learner
from grice.core.progress import bar, say
from grice.core.sampling import Slice
from grice.core.scale import Scale
from grice.judges.probe import choose_readout
from grice.loading import HeldRows, JudgeLike, SettingValue
from grice.storage.evaluation import evaluate, unasked_questions
from grice.storage.run import Run

# Items by which the time of a local model is measured, after as many that load it.
TIMED = 8


class JudgeOptions(TypedDict, total=False):
    """Keywords of `judge`, for type checkers."""

    into: str | Path | None
    limit: int | None
    seed: int
    part: str
    again: str
    settings: Mapping[str, SettingValue] | None
    engine: str
    workers: int
    gpus: float
    items: bool
    keep_going: bool
    probe: bool
    premise: str
    hypothesis: str
    label: str
    labels: str
    groups: str


@overload
def judge(  # type: ignore[overload-overlap]  # a string is a sequence of strings, and here one name
    dataset: str | Path | Dataset | HeldRows, by: JudgeLike, **options: Unpack[JudgeOptions]
) -> Run:
    """Evaluate one judge and return its run."""


@overload
def judge(
    dataset: str | Path | Dataset | HeldRows,
    by: Sequence[JudgeLike],
    **options: Unpack[JudgeOptions],
) -> list[Run]:
    """Evaluate several judges and return a run for each."""


def judge(
    dataset: str | Path | Dataset | HeldRows,
    by: JudgeLike | Sequence[JudgeLike],
    *,
    into: str | Path | None = "runs",
    limit: int | None = None,
    seed: int = 0,
    part: str = "",
    again: str = "",
    settings: Mapping[str, SettingValue] | None = None,
    engine: str = "local",
    workers: int = 2,
    gpus: float = 0.0,
    items: bool = True,
    keep_going: bool = False,
    probe: bool = True,
    **columns: str,
) -> Run | list[Run]:
    """Evaluate a judge, or each of several, on every item of a dataset; return a run for each.

    `by` is `NAME=provider/name,key=value` (name and settings optional), a judge, a function of
    premise and hypothesis that returns a label or a dict of probabilities, or a list of these and
    of TOML files of judges. `recorded/BERT*` selects predictions published with a dataset.

    Each response is saved in a folder below `into` as it arrives, and the same call resumes after a
    crash; `into=None` keeps the run in memory. `limit`, `seed`, `again`, `items` and `keep_going`
    are those of `evaluate`; `part="2/4"` is one of four that `merge` joins. `engine="ray"` uses
    `workers`, each with `gpus`. `columns` are those of `load`. A language model whose readout was
    not chosen is first asked 24 items by each (`probe`), if the run has at least 240.

    >>> run = grice.judge("quantifiers@7", "baseline/overlap", limit=6, into=None)
    >>> run.answered, run.open
    (6, 1494)
    """
    data = loading.load(dataset, **columns)
    named = loading.listed_judges(by)
    published = [name for name in named if loading.is_recorded(_spec_string(name))]
    rest = [entry for entry in named if entry not in published]
    unpublished = loading.load_judges(rest, settings)
    for _, judge in unpublished:
        if isinstance(judge, BindsItems):
            judge.bind(data.ids, data.scale)
    output_dir = Path(into) if into is not None else None
    runs = _published_runs(data, published)
    runs = [run.write(output_dir, items=items) if output_dir else run for run in runs]
    options: dict[str, Any] = {"limit": limit, "seed": seed, "again": again, "items": items}
    options["part"] = Slice.parse(part) if part else None
    options |= {"into": output_dir, "keep_going": keep_going}
    cluster = Cluster(engine, workers, gpus)
    for name, judge in unpublished:
        if probe:
            judge = choose_readout(judge, data, into=output_dir, limit=limit, seed=seed, name=name)
        with bar(_name(name, judge)) as progress:
            ask = asker(judge, cluster)
            run = evaluate(data, judge, name=name, progress=progress, ask=ask, **options)
        runs.append(run)
        if run.warning:
            say(f"{run.judge}: {run.warning.text}")
    several = isinstance(by, Sequence) and not isinstance(by, str)
    return runs if several or len(runs) != 1 else runs[0]


def _published_runs(data: Dataset, names: Sequence[JudgeLike]) -> list[Run]:
    """Return the published predictions that the names select, each once."""
    runs = [run for name in names for run in loading.recorded_runs(data, _spec_string(name))]
    settings = {"published with": data.name.partition("/")[0]}
    by_judge = {run.judge: replace(run, settings=settings) for run in runs}
    return list(by_judge.values())


def _spec_string(judge: JudgeLike) -> str:
    """Return the provider and name of a judge that is given by them; else an empty string."""
    if isinstance(judge, JudgeSpec):
        return judge.judge
    return judge if isinstance(judge, str) else ""


def forecast(
    dataset: str | Path | Dataset,
    by: JudgeLike | Sequence[JudgeLike],
    *,
    into: str | Path = "runs",
    limit: int | None = None,
    seed: int = 0,
    part: str = "",
    again: str = "",
    settings: Mapping[str, SettingValue] | None = None,
    **columns: str,
) -> list[dict[str, Any]]:
    """Estimate requests, tokens, cost and time of the pending items of the same `judge` call.

    Output tokens, and with them the cost, are upper bounds. The time of a local model is measured
    on a few items.
    """
    data = loading.load(dataset, **columns)
    options: dict[str, Any] = {"into": Path(into), "limit": limit, "seed": seed, "again": again}
    options["part"] = Slice.parse(part) if part else None
    rows = []
    for name, judge in loading.load_judges(by, settings):
        questions = unasked_questions(data, judge, name=name, **options)
        rows.append(
            {"judge": _name(name, judge), "dataset": data.name, "items": len(questions)}
            | _estimate(judge, questions, data.scale)
        )
    return rows


def _name(name: str, judge: Judge | Learner) -> str:
    return name or (judge.name if isinstance(judge, Judge) else type(judge).__name__)


def _estimate(
    judge: Judge | Learner, questions: Sequence[Question], scale: Scale
) -> dict[str, Any]:
    """Return the requests, tokens and cost of a server, or the time of a model on this machine."""
    if isinstance(judge, EstimatesCost):
        return judge.estimate(questions, scale)
    seconds = _time(judge, questions, scale) if isinstance(judge, Judge) else None
    return {"requests": 0, "cost, at most": 0.0, "seconds, about": seconds}


def _time(judge: Judge, questions: Sequence[Question], scale: Scale) -> float | None:
    """Return about how long the questions take, from a few of them after the model is loaded."""
    sample = questions[:: max(1, len(questions) // (2 * TIMED))][: 2 * TIMED]
    if len(sample) < 2 * TIMED:
        return None
    bound = judge.bind([q.id for q in questions], scale) if isinstance(judge, BindsItems) else judge
    list(bound.judge(sample[:TIMED], scale))
    start = time.perf_counter()
    list(bound.judge(sample[TIMED:], scale))
    return round((time.perf_counter() - start) / TIMED * len(questions), 1)
