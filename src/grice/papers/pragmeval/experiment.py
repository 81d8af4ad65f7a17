"""PragmEval's models: each task alone, after NLI, after all tasks, after both, all together."""

from __future__ import annotations

from grice.learners.training.spec import TrainingSpec
from grice.papers.experiment import (
    ExperimentSettings,
    ModelExperiment,
    TrainingJob,
    TrainingPlan,
    available_sets,
)
from grice.papers.inference import PAIRS, inference_job
from grice.papers.pragmeval.printed import BY_F1, COLUMNS

# The paper names Jiant's defaults; these are the usual numbers of fine-tuning BERT.
RECIPE = {"epochs": 4, "batch_size": 32, "learning_rate": 2e-5}
CORPUS = {task: column for column, tasks in COLUMNS.items() for task in tasks}
# The paper leaves Persuasion's other tasks out of the multi-task training, so that they do not
# outweigh the rest.
TOGETHER = [
    task for task, column in CORPUS.items() if column != "Persuasion" or task.endswith("-Strength")
]
# The rows of single tasks, and what each starts from: the checkpoint, inference, all tasks
# together, or both.
STARTS = {
    "BERT": "",
    "BERT+PragmEval": "tasks",
    "BERT+MNLI": "nli",
    "BERT+MNLI+PragmEval": "nli, tasks",
}
# The nets over word vectors, and the rows after an intermediate task whose pairs are not free.
NETS = {"CBoW": "cbow", "BiLSTM": "bilstm"}
INTERMEDIATE = {
    "BERT+DisSent": "dissent",
    "B+DisSent+MNLI": "dissent",
    "BERT+Discovery": "discovery",
    "B+Discovery+MNLI": "discovery",
}


def plan(options: ExperimentSettings) -> TrainingPlan:
    """Return the models of Tables 2 to 4."""
    rows = {
        title: [_task(options, title, task, start) for task in CORPUS]
        for title, start in STARTS.items()
    }
    for title, learner in NETS.items():
        rows[title] = [_net(options, title, task, learner) for task in CORPUS]
    between, needs = _intermediate(options)
    for title, job in between.items():
        rows[title] = [_task(options, title, task, job.path.rpartition("/")[0]) for task in CORPUS]
    if "elmo.vectors" in options.settings:
        rows["BiLSTM+ELMo"] = [_net(options, "BiLSTM+ELMo", task, "bilstm") for task in CORPUS]
    else:
        needs["BiLSTM+ELMo"] = "-M elmo.vectors=FILE: its word vectors as text"
    first = {
        "tasks": _multi_task(options),
        "nli": inference_job(options),
        "nli, tasks": _multi_task(options, "nli"),
    }
    jobs: list[TrainingJob] = []
    for title, row in rows.items():
        if start := STARTS.get(title, ""):
            jobs.append(first[start])
        jobs += [between[title]] if title in between else []
        jobs += row
    paths = {title: [job.path for job in row] for title, row in rows.items()}
    return TrainingPlan(
        jobs, paths | {"PragmEval tasks together": [first["tasks"].path]}, needs=needs
    )


def _intermediate(options: ExperimentSettings) -> tuple[dict[str, TrainingJob], dict[str, str]]:
    """Return the intermediate trainings whose pairs are given, and what the other rows need."""
    jobs, needs = {}, {}
    for title, kind in INTERMEDIATE.items():
        pairs = options.settings.get(f"{kind}.pairs")
        if pairs is None:
            needs[title] = f"-M {kind}.pairs=FILE: labelled pairs of its intermediate task"
            continue
        settings = options.for_kinds(kind, recipe="pragmeval")
        settings.pop("pairs")
        mixed = [pairs, *PAIRS] if title.endswith("+MNLI") else [pairs]
        spec = TrainingSpec(mixed, mix="uniform" if mixed[1:] else "")
        jobs[title] = TrainingJob(options.path_of(f"first, {title}"), "encoder", spec, settings)
    return jobs, needs


def _net(options: ExperimentSettings, row: str, task: str, learner: str) -> TrainingJob:
    """Return one task learnt by a net over word vectors."""
    kind = {"BiLSTM+ELMo": "elmo"}.get(row, learner)
    measure = "macro_f1" if task in BY_F1 else "accuracy"
    settings = options.for_kinds(kind, without=("base",), measure=measure)
    spec = _spec(task)
    return options.job(f"{row}/{task}", learner, spec, settings)


def _spec(task: str, start: str = "") -> TrainingSpec:
    """Return the training on a task, chosen on dev and evaluated on test where it is there."""
    test = available_sets(f"pragmeval/{task}/test")
    return TrainingSpec(
        [f"pragmeval/{task}/train"], [f"pragmeval/{task}/dev"], ask=test, start=start
    )


def _multi_task(options: ExperimentSettings, start: str = "") -> TrainingJob:
    """Return one encoder for the tasks; its body is always saved, since each task starts from it.

    `-M tasks.mix=` as in `train`.
    """
    settings = options.for_kinds("tasks", recipe="pragmeval", mix="uniform")
    spec = TrainingSpec(
        [f"pragmeval/{task}/train" for task in TOGETHER],
        [f"pragmeval/{task}/dev" for task in TOGETHER],
        mix=settings.pop("mix"),
        start=options.folder_of(start) if start else "",
    )
    name = f"{start}, tasks" if start else "tasks"
    return options.job(name, "encoder", spec, settings, *filter(None, [start]))


def _task(options: ExperimentSettings, row: str, task: str, start: str) -> TrainingJob:
    """Return one task, from the checkpoint itself or from an encoder trained on something else."""
    measure = "macro_f1" if task in BY_F1 else "accuracy"
    spec = _spec(task, options.folder_of(start) if start else "")
    settings = options.for_kinds("task", CORPUS[task], task, recipe="pragmeval", measure=measure)
    return options.job(f"{row}/{task}", "encoder", spec, settings, *filter(None, [start]))


EXPERIMENT = ModelExperiment(
    "pragmeval",
    plan,
    kinds=(
        *("nli", "tasks", "task", *NETS.values(), "elmo", "dissent", "discovery"),
        *COLUMNS,
        *CORPUS,
    ),
    stands_in=(
        "Trained here: the encoder of -M base= stood in for BERT, SNLI, MultiNLI and CAD-NLI pairs"
        " for MultiNLI; the best epoch is that of dev, on which Table 2 seems to be printed."
    ),
)
