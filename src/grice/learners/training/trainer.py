"""Training a learner by name: its stages run in order and each model is measured.

What is finished is not repeated.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, fields, replace
from functools import partial
from pathlib import Path
from typing import Any

from grice.core.dataset import Dataset
from grice.core.errors import InputError, MissingExtra
from grice.core.judgement import LoadsJudge
from grice.core.progress import step_bar
from grice.core.shelf import LEARNERS, MEASURES
from grice.learners.training import folder
from grice.learners.training.arguments import TrainingArguments
from grice.learners.training.data import pairs_with_conjunction
from grice.learners.training.examples import TaskExamples, reading_of
from grice.learners.training.learner import NeuralLearner
from grice.learners.training.protocols import (
    LearnerClass,
    ReadsOwnFiles,
    TakesUnlabelled,
    TaskLearner,
)
from grice.learners.training.results import (
    SavedModel,
    SeedSpread,
    TrainedModel,
    TrainingCallback,
    TrainResult,
)
from grice.learners.training.spec import TrainingData, TrainingSpec
from grice.learners.training.stages import Stage, TaskSet, plan_stages, split_settings
from grice.models.checkpoint import checkpoint
from grice.models.trained_folder import BODY
from grice.storage.evaluation import evaluate
from grice.storage.run import Run, join


@dataclass(frozen=True)
class TrainingOptions:
    """Number of seeds, whether weights stay, and whether progress is hidden.

    Without `keep_weights` the answers stay and the weights go; of several tasks the body stays.
    """

    seeds: int = 1
    keep_weights: bool = True
    quiet: bool = False


def train(
    learner: str,
    spec: TrainingSpec,
    *,
    load: Callable[[str], Dataset],
    out: Path,
    settings: Mapping[str, str] | None = None,
    options: TrainingOptions | None = None,
) -> TrainResult:
    """Train once, or once per seed; return the models with their folders and scores.

    `load` turns the names of the spec into datasets. A folder that holds this very training,
    finished, is taken as it is. Answers to the measured sets are left in its `answers.jsonl`, for
    `preds/…`.
    """
    fixed_settings, chosen = dict(settings or {}), options or TrainingOptions()
    validate_settings(learner, spec, fixed_settings)
    data = _read(learner, spec, load)

    def once(folder: Path, seed: Mapping[str, str]) -> list[TrainedModel]:
        own_settings = {**fixed_settings, **seed}
        request = _request(learner, spec, data, own_settings)
        run = partial(_run, learner, data, folder, own_settings, request, quiet=chosen.quiet)
        return _unless_finished(folder, request, run, keep=chosen.keep_weights)

    runs = seed_runs(out, fixed_settings, chosen.seeds)
    models = [model for path, seed in runs.items() for model in once(path, seed)]
    return TrainResult(models, _spread(data, models, list(runs)) if chosen.seeds > 1 else ())


def seed_runs(out: Path, settings: Mapping[str, str], seeds: int) -> dict[Path, dict[str, str]]:
    """Return the settings of each seed by its folder; a single training has `out` for itself."""
    if seeds == 1:
        return {out: {}}
    first = TrainingArguments().with_settings({"seed": settings.get("seed", 0)}).seed
    return {out / f"seed-{n}": {"seed": str(n)} for n in range(first, first + seeds)}


def validate_settings(learner: str, spec: TrainingSpec, settings: Mapping[str, str]) -> None:
    """Raise an error for settings that do not fit the learner or the spec.

    Nothing is read or written before.
    """
    make = LEARNERS.find(learner)
    first, later = split_settings(settings)
    if later and not spec.staged:
        raise InputError(
            f"-M then.{next(iter(later))} is for a second stage: --then or --adversarial"
        )
    if spec.unlabelled and not isinstance(make, TakesUnlabelled):
        raise InputError(
            "--unlabelled is for the learner 'distilled', whose teachers label the texts"
        )
    if spec.how == "aft" and isinstance(make, TakesUnlabelled):
        raise InputError(
            "--how aft has no base pairs for teachers to label; train 'encoder' with --from, or use"
            " iaft"
        )
    for key in ("out", "progress"):
        if key in settings:
            raise InputError(
                f"-M {key}={settings[key]} is no setting of a training; -o names its folder"
            )
    # A learner of one's own may do anything when it is made. What is finished is read without the
    # extra, and a training that is not says itself that it needs it.
    is_builtin = isinstance(make, type) and issubclass(make, NeuralLearner)
    with suppress(MissingExtra):
        for stage_settings in (first, {**first, **later}) if is_builtin else ():
            make(out=Path(), **stage_settings)


def _read(learner: str, spec: TrainingSpec, load: Callable[[str], Dataset]) -> TrainingData:
    make = LEARNERS.find(learner)
    if isinstance(make, ReadsOwnFiles):
        files = {name: folder.fingerprint_of(make.data_file(name)) for name in spec.names}
        return TrainingData(spec, {}, files)
    return TrainingData.read(spec, load)


def _unless_finished(
    out: Path, request: Mapping[str, Any], run: Callable[[], list[TrainedModel]], *, keep: bool
) -> list[TrainedModel]:
    """Return the finished models of this request from the folder, or train them."""
    with folder.lock_folder(out):
        models = folder.read_finished(out, request, weights=keep)
        if models is None:
            folder.clear_finished(out)
            models = run()
            folder.write_finished(out, request, models, weights=keep)
    return models


def _request(
    learner: str, spec: TrainingSpec, data: TrainingData, settings: Mapping[str, str]
) -> dict[str, Any]:
    """Return everything that determines the result of a training.

    Of two equal requests one needs to be run.
    """
    # A setting may name a file or several folders: vectors=FILE, teacher=A,B.
    places = [spec.start, *(part for value in settings.values() for part in value.split(","))]
    weights = {
        name: folder.fingerprint_of(Path(name)) for name in places if name and Path(name).exists()
    }
    return {
        "learner": learner,
        "spec": {field.name: getattr(spec, field.name) for field in fields(spec)},
        "settings": dict(sorted(settings.items())),
        "data": {name: data.fingerprints[name] for name in spec.names},
        "weights": weights,
    }


def _run(
    learner: str,
    data: TrainingData,
    out: Path,
    settings: dict[str, str],
    request: Mapping[str, Any],
    *,
    quiet: bool,
) -> list[TrainedModel]:
    """Run all stages and return the models of the last; an earlier one is saved next to it."""
    make: LearnerClass = LEARNERS.find(learner)
    if isinstance(make, ReadsOwnFiles):
        return [_run_on_files(make, data.spec, out, settings, quiet=quiet)]
    models: list[TrainedModel] = []
    for stage in plan_stages(data, out, settings):
        here = replace(stage, start=models[0].folder) if models else stage
        if here.spec is None:
            models = _run_stage(make, here, request, quiet=quiet)
        else:
            first = _request(learner, here.spec, data, here.settings)
            run = partial(_run_stage, make, here, first, quiet=quiet)
            models = _unless_finished(here.out, first, run, keep=True)
    return models


def _run_stage(
    make: LearnerClass, stage: Stage, request: Mapping[str, Any], *, quiet: bool
) -> list[TrainedModel]:
    """Train the models of a stage, unless they are saved already, and measure them."""
    unscored = folder.read_fitted(stage.out, request)
    if unscored and isinstance(make, LoadsJudge):
        return _measure([SavedModel(make.load_judge(str(path)), path) for path in unscored], stage)
    saved = _fit_stage(make, stage, quiet=quiet)
    folder.write_fitted(stage.out, request, [model.folder for model in saved])
    return _measure(saved, stage)


def _fit_stage(make: LearnerClass, stage: Stage, *, quiet: bool) -> Sequence[SavedModel]:
    settings = dict(stage.settings)
    if stage.start:
        settings["base"] = str(starting_checkpoint(stage.start))
    with _progress_bar(str(stage.out), quiet=quiet) as progress:
        learner = make(out=stage.out, progress=progress, **settings)
        if stage.unlabelled and isinstance(learner, TakesUnlabelled):
            learner.unlabelled_texts = stage.unlabelled
        if not isinstance(learner, TaskLearner):
            base = "grice.learners.training.learner.NeuralLearner"
            raise InputError(
                f"{type(learner).__name__} has no make_examples and fit_tasks; derive it from"
                f" {base}"
            )
        dev = {
            name: learner.make_examples(task_set.data, task=task_set.task)
            for name, task_set in stage.dev.items()
        }
        return learner.fit_tasks(_examples(learner, stage.train), dev)


def _examples(learner: TaskLearner, sets: Sequence[TaskSet]) -> list[TaskExamples]:
    examples: list[TaskExamples] = []
    for task_set in sets:
        task_examples = learner.make_examples(
            task_set.data, task=task_set.task, sample=task_set.sample
        )
        if task_set.interleaved:
            task_examples = pairs_with_conjunction(
                task_examples, sum(len(previous.examples) for previous in examples)
            )
        examples.append(
            replace(task_examples, examples=task_examples.examples[: task_set.limit])
            if task_set.limit
            else task_examples
        )
    return examples


def starting_checkpoint(trained: Path) -> Path:
    """Return the part of a trained folder that another training starts from.

    For a predicate-aware model or for tasks, it is their encoder.
    """
    if not trained.is_dir():
        raise InputError(f"--from {trained}: no such folder; name one that grice train wrote")
    inner = next(
        (trained / name for name in ("encoder", BODY) if (trained / name).is_dir()), trained
    )
    checkpoint(str(inner), provider="encoder").torch_files()
    return inner


def _run_on_files(
    make: LearnerClass, spec: TrainingSpec, out: Path, settings: Mapping[str, str], *, quiet: bool
) -> TrainedModel:
    first, _ = split_settings(settings)
    with _progress_bar(str(out), quiet=quiet) as progress:
        learner = make(out=out, progress=progress, **first)
        assert isinstance(learner, ReadsOwnFiles)
        train = [learner.read_examples(name) for name in spec.on]
        dev, ask = (
            {name: learner.read_examples(name) for name in names} for names in (spec.dev, spec.ask)
        )
        model = learner.fit_and_score(train, dev, ask)
    folder.write_answers(out, {})
    return model


def _measure(saved: Sequence[SavedModel], stage: Stage) -> list[TrainedModel]:
    """Let each model answer its sets; the answers are written, the scores returned."""
    models, runs = [], {}
    for (task, sets), saved_model in zip(stage.measured.items(), saved, strict=True):
        scores, details = {}, {}
        for name, data in sets.items():
            runs[name] = evaluate(data, saved_model.judge)
            scores[name], details[name] = _score(data, runs[name])
        models.append(
            TrainedModel(saved_model.judge.name, saved_model.folder, task, scores, details)
        )
    folder.write_answers(stage.answers, runs)
    return models


def _score(data: Dataset, run: Run) -> tuple[float | None, dict[str, Any]]:
    """Return accuracy, or Pearson's r on numbers, with its measure, interval and n.

    A set without gold has no score.
    """
    if not data.readings:
        return None, {"measure": "no gold"}
    measure = MEASURES.find("pearson" if data.scale.numeric else "accuracy")(reading_of(data))
    estimate = measure(join(data, run))
    if estimate is None:
        return None, {"measure": measure.name, "n": 0}
    return round(estimate.value, 4), {
        "measure": measure.name,
        "low": estimate.low,
        "high": estimate.high,
        "n": estimate.n,
    }


def _spread(
    data: TrainingData, models: Sequence[TrainedModel], places: Sequence[Path]
) -> list[SeedSpread]:
    """Return the mean over seeds, the standard deviation, and how much of it items share.

    The components are those of Zhou et al. (2020).
    """
    spreads = []
    for name in data.spec.measured:
        # A learner with scores of its own, or a set that is no task's, leaves no answers.
        if not any(name in model.scores for model in models):
            continue
        dataset = data.measured_set(name)
        if dataset.scale.numeric or not dataset.readings:
            continue
        runs = [folder.load_answers(path, name, dataset) for path in places]
        frame = join(dataset, *runs)
        accuracy = MEASURES.find("accuracy")(reading_of(dataset))
        accuracies = [accuracy(run_frame) for run_frame in frame.partition_by("judge")]
        mean = statistics.mean(estimate.value if estimate else 0.0 for estimate in accuracies)
        variances = [
            MEASURES.find("instability")(part, reading_of(dataset))(frame)
            for part in ("total", "independent", "covariance")
        ]
        parts = [round(variance.value, 6) if variance else None for variance in variances]
        spreads.append(SeedSpread(name, len(runs), round(mean, 4), *parts))
    return spreads


@contextmanager
def _progress_bar(what: str, *, quiet: bool) -> Iterator[TrainingCallback | None]:
    """Show a bar over the complete training; the loop's own log keeps every number."""
    if quiet:
        yield None
        return
    with step_bar(f"training {what}") as draw:
        yield lambda progress: draw(
            progress.step, progress.steps, str(progress), progress.seconds_left
        )
