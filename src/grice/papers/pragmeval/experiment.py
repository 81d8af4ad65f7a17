"""PragmEval's models: each task alone, after NLI, after all tasks, after both, all together."""

from __future__ import annotations

from grice.learners.training.spec import TrainingSpec
from grice.papers.distillation import distill, split_teachers
from grice.papers.experiment import ExperimentSettings, ModelExperiment, TrainingJob, TrainingPlan
from grice.papers.inference import inference_job
from grice.papers.pragmeval.printed import BY_F1, COLUMNS, SINGLE

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
# The same rows learnt from the models of another experiment in place of the labels.
TAUGHT = {f"{row}, taught": start for row, start in STARTS.items()}


def plan(options: ExperimentSettings) -> TrainingPlan:
    """Return the models of Tables 2 to 4.

    With `-M teachers=FOLDER`, the experiment of a larger encoder, four rows more learn each task
    from its models.
    """
    named, learning, options = split_teachers(options, "task")
    teachers = named["task"]
    rows = {
        title: [_task(options, title, task, start) for task in CORPUS]
        for title, start in STARTS.items()
    }
    for title, start in TAUGHT.items() if teachers else ():
        rows[title] = [
            distill(
                _task(learning, title, task, start),
                teachers,
                [f"{row}/{task}" for row in STARTS],
                alike=_alike(task),
            )
            for task in CORPUS
        ]
    first = {
        "tasks": _multi_task(options),
        "nli": inference_job(options),
        "nli, tasks": _multi_task(options, "nli"),
    }
    jobs: list[TrainingJob] = []
    for title, row in rows.items():
        if start := STARTS.get(title, ""):
            jobs.append(first[start])
        jobs += row
    paths = {title: [job.path for job in row] for title, row in rows.items()}
    return TrainingPlan(jobs, paths | {"PragmEval tasks together": [first["tasks"].path]})


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
    folder = options.path_of(f"{start}, tasks" if start else "tasks")
    after = (options.path_of(start),) if start else ()
    return TrainingJob(folder, "encoder", spec, settings, after, not options.slim)


def _task(options: ExperimentSettings, row: str, task: str, start: str) -> TrainingJob:
    """Return one task, from the checkpoint itself or from an encoder trained on something else."""
    measure = "macro_f1" if task in BY_F1 else "accuracy"
    spec = TrainingSpec(
        [f"pragmeval/{task}/train"],
        [f"pragmeval/{task}/dev"],
        start=options.folder_of(start) if start else "",
    )
    settings = options.for_kinds("task", CORPUS[task], task, recipe="pragmeval", measure=measure)
    after = (options.path_of(start),) if start else ()
    return TrainingJob(
        options.path_of(f"{row}/{task}"), "encoder", spec, settings, after, not options.slim
    )


def _alike(task: str) -> list[str]:
    """Return the training sets of the other tasks on pairs, or on single texts, like this one."""
    single = CORPUS[task] in SINGLE
    return [
        f"pragmeval/{name}/train"
        for name in CORPUS
        if name != task and (CORPUS[name] in SINGLE) == single
    ]


EXPERIMENT = ModelExperiment(
    "pragmeval",
    plan,
    kinds=("nli", "tasks", "task", *COLUMNS, *CORPUS),
    stands_in=(
        "Trained here: the encoder of -M base= stood in for BERT, SNLI, MultiNLI and CAD-NLI pairs"
        " for MultiNLI; the best epoch is that of dev, on which Table 2 seems to be printed."
    ),
)
