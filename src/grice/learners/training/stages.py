"""The stages of a training as typed values: training sets, measured sets, and output folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from grice.core.dataset import Dataset
from grice.learners.training.data import concatenate
from grice.learners.training.examples import TASK
from grice.learners.training.spec import TrainingData, TrainingSpec


@dataclass(frozen=True)
class TaskSet:
    """A dataset as part of a task.

    `limit` uses only its first examples; `sample` draws that many in every epoch.

    `interleaved` takes its pairs with a conjunction, of which each epoch draws as many as the other
    sets have.
    """

    data: Dataset
    task: str = TASK
    limit: int = 0
    sample: int | None = None
    interleaved: bool = False


@dataclass(frozen=True)
class Stage:
    """One training: its training sets, dev sets that choose the epoch, measured sets and output.

    `measured` is by task (empty for the only one), then by name. The model is saved to `out`, its
    answers to `answers`. It starts from the folder `start`, or from what the stage before it saved.
    A stage with a `spec` of its own is kept as a finished training in itself.
    """

    train: Sequence[TaskSet]
    dev: Mapping[str, TaskSet]
    measured: Mapping[str, Mapping[str, Dataset]]
    settings: Mapping[str, str]
    out: Path
    answers: Path
    start: Path | None = None
    unlabelled: Sequence[tuple[str, str | None]] = ()
    spec: TrainingSpec | None = None


# What to train on, the dev sets, and by task the names of what is measured.
StageSets = tuple[Sequence[TaskSet], Mapping[str, TaskSet], Mapping[str, Sequence[str]]]


def plan_stages(data: TrainingData, out: Path, settings: Mapping[str, str]) -> list[Stage]:
    """Return the stages of a training, in order: one, or two with `then` or `adversarial`.

    The first of two may be finished already.
    """
    spec = data.spec
    first, later = split_settings(settings)
    if not spec.staged:
        return [_stage(data, _first_sets(data, spec), first, out, out)]
    stages: list[Stage] = []
    if not spec.start:
        plain = replace(spec, then=(), how="", adversarial="", ask=(), amount=0)
        if not spec.mix:
            plain = replace(plain, dev=data.dev_names(spec.on[0]))
        stages.append(
            replace(_stage(data, _first_sets(data, plain), first, out / "1", out / "1"), spec=plain)
        )
    second = _adversarial_sets(data) if spec.how else _target_sets(data)
    return [*stages, _stage(data, second, {**first, **later}, out / "2" if stages else out, out)]


def _first_sets(data: TrainingData, spec: TrainingSpec) -> StageSets:
    if not spec.mix:
        train = [TaskSet(concatenate([data.train_set(name) for name in spec.on]))]
        dev = {name: TaskSet(data.measured_set(name)) for name in data.dev_names(spec.on[0])}
        return train, dev, {"": spec.measured}
    sets = {name: data.train_set(name) for name in spec.on}
    share = sum(map(len, sets.values())) // len(sets) if spec.mix == "uniform" else None
    by_stem = {_stem(name): name for name in spec.dev}
    chosen = {name: by_stem[_stem(name)] for name in sets if _stem(name) in by_stem}
    train = [TaskSet(dataset, task=name, sample=share) for name, dataset in sets.items()]
    dev = {name: TaskSet(data.sets[name], task=task) for task, name in chosen.items()}
    return (
        train,
        dev,
        {task: [name for name in spec.measured if _stem(task) == _stem(name)] for task in sets},
    )


def _target_sets(data: TrainingData) -> StageSets:
    """Return the target task after an intermediate one.

    Sets that chose an epoch on another scale are not measured.
    """
    names = data.dev_names(data.spec.then[0])
    train = [TaskSet(concatenate([data.train_set(name) for name in data.spec.then]))]
    dev = {name: TaskSet(data.measured_set(name)) for name in names}
    return train, dev, {"": list(dict.fromkeys([*names, *data.spec.ask]))}


def _adversarial_sets(data: TrainingData) -> StageSets:
    """Return the sets of ConjNLI's Algorithm 1, or of fine-tuning on the adversarial set alone."""
    spec = data.spec
    train = [TaskSet(data.sets[spec.adversarial], limit=spec.amount)]
    if spec.how == "iaft":
        train.append(
            TaskSet(concatenate([data.train_set(name) for name in spec.on]), interleaved=True)
        )
    return train, {name: TaskSet(data.sets[name]) for name in spec.dev}, {"": spec.measured}


def _stage(
    data: TrainingData, sets: StageSets, settings: Mapping[str, str], out: Path, answers: Path
) -> Stage:
    train, dev, names = sets
    measured = {
        task: {name: data.measured_set(name) for name in set_names}
        for task, set_names in names.items()
    }
    start = Path(data.spec.start) if data.spec.start else None
    return Stage(train, dev, measured, settings, out, answers, start, data.unlabelled_texts)


def split_settings(settings: Mapping[str, str]) -> tuple[dict[str, str], dict[str, str]]:
    """Split settings into those of every stage and those that `then.KEY` changes for the last."""
    later = {
        key.removeprefix("then."): value
        for key, value in settings.items()
        if key.startswith("then.")
    }
    return {key: value for key, value in settings.items() if not key.startswith("then.")}, later


def _stem(name: str) -> str:
    """Return a dataset's name without its split; a task's dev set has the same."""
    return name.rpartition("/")[0] or name
