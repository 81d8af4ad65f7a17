"""Asking judges about data: what `grice judge` does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, overload

from grice import loading
from grice.cluster import Cluster
from grice.core.dataset import Dataset
from grice.core.item import Question
from grice.core.judgement import EstimatesCost, Judge, Learner
from grice.core.progress import bar
from grice.core.run import Run, evaluate, unasked_questions
from grice.core.scale import Scale
from grice.loading import SettingValue

JudgeLike = str | Judge | Learner


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
    **columns: str,
) -> Run:
    """One judge gives one run."""


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
    **columns: str,
) -> list[Run]:
    """Several judges give a run each."""


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
    **columns: str,
) -> Run | list[Run]:
    """Ask a judge, or each of several, about every item of a dataset; a run for each.

    Each reply is kept in a folder below `into` as it comes, and the same call goes on after a crash; `into=None`
    keeps the run in memory alone. `limit` asks so many items only (see `evaluate`); `again` names kinds of faults to ask again, or
    `faults` for all; `settings` are those of the judges; `engine="ray"` asks by `workers` with `gpus` each. For a
    file, `premise=`, `hypothesis=`, `label=` and `labels=` are those of `load`.

    >>> run = grice.judge("quantifiers@7", "baseline/overlap", limit=6, into=None)
    >>> run.answered, run.open
    (6, 1194)
    """
    data = loading.load(dataset, **columns)
    cluster = Cluster(engine, workers, gpus)
    runs = []
    for one in _listed(by):
        with bar(_name(one)) as progress:
            loaded = loading.load_judge(one, **settings or {}) if isinstance(one, str) else one
            asked, kept = cluster.distribute(loaded), Path(into) if into is not None else None
            run = evaluate(data, asked, into=kept, limit=limit, seed=seed, again=again, progress=progress)
        runs.append(run)
    return runs[0] if isinstance(by, JudgeLike) else runs


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
    """What `judge` would take if it were called like this: requests, tokens and cost of what is left to ask."""
    data = loading.load(dataset, **columns)
    rows = []
    for one in _listed(by):
        asked = loading.load_judge(one, **settings or {}) if isinstance(one, str) else one
        questions = unasked_questions(data, asked, into=Path(into), limit=limit, seed=seed, again=again)
        rows.append({"judge": _name(one), "items": len(questions)} | _estimate(asked, questions, data.scale))
    return rows


def _listed(by: JudgeLike | Sequence[JudgeLike]) -> Sequence[JudgeLike]:
    return [by] if isinstance(by, JudgeLike) else by


def _name(judge: JudgeLike) -> str:
    return judge if isinstance(judge, str) else judge.name if isinstance(judge, Judge) else type(judge).__name__


def _estimate(judge: Judge | Learner, questions: Sequence[Question], scale: Scale) -> dict[str, Any]:
    return judge.estimate(questions, scale) if isinstance(judge, EstimatesCost) else {"requests": 0, "cost": 0.0}
