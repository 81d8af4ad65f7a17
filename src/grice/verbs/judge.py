"""Evaluation of judges on data: `grice judge`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, overload

from grice import loading
from grice.cluster import Cluster
from grice.core.dataset import Dataset
from grice.core.item import Question
from grice.core.judge_spec import JudgeSpec
from grice.core.judgement import BindsItems, EstimatesCost, Judge, Learner
from grice.core.progress import bar, say
from grice.core.scale import Scale
from grice.judges.probe import choose_readout
from grice.loading import JudgeLike, SettingValue
from grice.storage.run import Run, evaluate, unasked_questions


@overload
def judge(  # type: ignore[overload-overlap]  # a string is a sequence of strings, and here one name
    dataset: str | Path | Dataset,
    by: JudgeLike,
    *,
    into: str | Path | None = "runs",
    limit: int | None = None,
    seed: int = 0,
    again: str = "",
    settings: Mapping[str, SettingValue] | None = None,
    engine: str = "local",
    workers: int = 2,
    gpus: float = 0.0,
    items: bool = True,
    keep_going: bool = False,
    probe: bool = True,
    **columns: str,
) -> Run:
    """Evaluate one judge and return its run."""


@overload
def judge(
    dataset: str | Path | Dataset,
    by: Sequence[JudgeLike],
    *,
    into: str | Path | None = "runs",
    limit: int | None = None,
    seed: int = 0,
    again: str = "",
    settings: Mapping[str, SettingValue] | None = None,
    engine: str = "local",
    workers: int = 2,
    gpus: float = 0.0,
    items: bool = True,
    keep_going: bool = False,
    probe: bool = True,
    **columns: str,
) -> list[Run]:
    """Evaluate several judges and return a run for each."""


def judge(
    dataset: str | Path | Dataset,
    by: JudgeLike | Sequence[JudgeLike],
    *,
    into: str | Path | None = "runs",
    limit: int | None = None,
    seed: int = 0,
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

    `by` is a judge or `provider/name`, or `NAME=provider/name,key=value` with a display name and
    settings of its own, or a list of these and of TOML files of judges. All judges are made, and
    their settings checked, before the first is evaluated. `recorded` selects the predictions
    published with a dataset, `recorded/BERT*` those whose name fits; they become runs like any
    other.

    Each reply is saved in a folder below `into` as it arrives, and the same call resumes after a
    crash; `into=None` keeps the run in memory. `limit` is the maximum number of items (see
    `evaluate`). `again` names kinds of invalid responses to retry, or `faults` for all.
    `keep_going` continues even if the first 20 replies are invalid. A language model whose readout
    was not chosen is first asked 24 items by each (`probe`), if the run has at least 240. Without `items` a run stores no
    items of its data. `settings` are those of the judges. `engine="ray"` evaluates with `workers`,
    each with `gpus`. For a file, `premise=`, `hypothesis=`, `label=` and `labels=` are those of
    `load`.

    >>> run = grice.judge("quantifiers@7", "baseline/overlap", limit=6, into=None)
    >>> run.answered, run.open
    (6, 1394)
    """
    cluster = Cluster(engine, workers, gpus)
    data = loading.load(dataset, **columns)
    named = [by] if isinstance(by, JudgeLike) else list(by)
    published = [name for name in named if loading.is_recorded(_called(name))]
    unpublished = loading.load_judges(
        [entry for entry in named if entry not in published], settings
    )
    for _, judge in unpublished:
        if isinstance(judge, BindsItems):
            judge.bind(data.ids, data.scale)
    output_dir = Path(into) if into is not None else None
    recorded = {
        run.judge: run for entry in published for run in loading.recorded_runs(data, _called(entry))
    }
    runs = [
        replace(run, settings={"published with": data.name.partition("/")[0]})
        for run in recorded.values()
    ]
    runs = [run.write(output_dir, items=items) if output_dir else run for run in runs]
    for name, judge in unpublished:
        if probe:
            judge = choose_readout(judge, data, into=output_dir, limit=limit, seed=seed, name=name)
        with bar(_name(name, judge)) as progress:
            spread = cluster.distribute(judge)
            run = evaluate(
                data,
                spread,
                into=output_dir,
                limit=limit,
                seed=seed,
                again=again,
                name=name,
                items=items,
                keep_going=keep_going,
                progress=progress,
            )
        runs.append(run)
        if run.warning:
            say(f"{run.judge}: {run.warning.text}")
    return runs[0] if isinstance(by, JudgeLike) and len(runs) == 1 else runs


def _called(judge: JudgeLike) -> str:
    return judge if isinstance(judge, str) else judge.judge if isinstance(judge, JudgeSpec) else ""


def forecast(
    dataset: str | Path | Dataset,
    by: JudgeLike | Sequence[JudgeLike],
    *,
    into: str | Path = "runs",
    limit: int | None = None,
    seed: int = 0,
    again: str = "",
    settings: Mapping[str, SettingValue] | None = None,
    **columns: str,
) -> list[dict[str, Any]]:
    """Estimate requests, tokens and cost of the pending items of the same `judge` call."""
    data = loading.load(dataset, **columns)
    rows = []
    for name, judge in loading.load_judges(by, settings):
        questions = unasked_questions(
            data, judge, into=Path(into), limit=limit, seed=seed, again=again, name=name
        )
        rows.append(
            {"judge": _name(name, judge), "items": len(questions)}
            | _estimate(judge, questions, data.scale)
        )
    return rows


def _name(name: str, judge: Judge | Learner) -> str:
    return name or (judge.name if isinstance(judge, Judge) else type(judge).__name__)


def _estimate(
    judge: Judge | Learner, questions: Sequence[Question], scale: Scale
) -> dict[str, Any]:
    return (
        judge.estimate(questions, scale)
        if isinstance(judge, EstimatesCost)
        else {"requests": 0, "cost": 0.0}
    )
