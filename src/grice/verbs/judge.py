"""Asking judges by name about data by name, with a bar: what `grice judge` does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from grice import loading
from grice.cluster import Cluster
from grice.core.item import Question
from grice.core.judgement import EstimatesCost, HasNotes, Judge, Learner
from grice.core.progress import bar
from grice.core.run import Run, evaluate, left
from grice.core.scale import Scale


def ask(
    dataset: str,
    judges: Sequence[str],
    *,
    into: Path,
    settings: Mapping[str, str],
    limit: int | None = None,
    seed: int = 0,
    again: str = "",
    cluster: Cluster = Cluster(),  # noqa: B008
    columns: Mapping[str, str] | None = None,
) -> list[dict[str, Any]]:
    """Judge a dataset by each of the judges; one row a run, with its counts and its folder.

    `again` names the kinds of faults to ask again, or `faults` for all.
    """
    data = loading.load(dataset, **(columns or {}))
    rows = []
    for name in judges:
        with bar(name) as progress:
            judge = cluster.distribute(loading.load_judge(name, **settings))
            run = evaluate(data, judge, into=into, limit=limit, seed=seed, again=again, progress=progress)
        rows.append(counts(run) | notes_of(judge))
    return rows


def forecast(
    dataset: str,
    judges: Sequence[str],
    *,
    into: Path,
    settings: Mapping[str, str],
    limit: int | None = None,
    seed: int = 0,
    again: str = "",
    columns: Mapping[str, str] | None = None,
) -> list[dict[str, Any]]:
    """What asking would take: requests, tokens and cost for judges that are paid by them, of what is left to ask."""
    data = loading.load(dataset, **(columns or {}))
    rows = []
    for name in judges:
        judge = loading.load_judge(name, **settings)
        questions = left(data, judge, into=into, limit=limit, seed=seed, again=again)
        rows.append({"judge": name, "items": len(questions)} | _estimate(judge, questions, data.scale))
    return rows


def counts(run: Run) -> dict[str, Any]:
    """The counts of a run that add up: asked = answered + faults + open."""
    return {
        "judge": run.judge,
        "dataset": run.dataset,
        "asked": run.asked,
        "answered": run.answered,
        "faults": run.faults,
        "kinds": run.fault_kinds,
        "open": run.open,
        **({"again": dict(run.again)} if run.again else {}),
        "run": str(run.folder) if run.folder else "",
    }


def notes_of(judge: Judge | Learner) -> dict[str, Any]:
    """What a judge has to say about its work, such as how many pairs it cut short."""
    notes = dict(judge.notes) if isinstance(judge, HasNotes) else {}
    return {"notes": notes} if notes else {}


def _estimate(judge: Judge | Learner, questions: Sequence[Question], scale: Scale) -> dict[str, Any]:
    return (
        judge.estimate(questions, scale) if isinstance(judge, EstimatesCost) else {"requests": 0, "cost": 0.0}
    )
