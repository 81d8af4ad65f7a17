"""UNLI's models: graded answers with and without the premise, and surrogate scores."""

from __future__ import annotations

from dataclasses import replace

from grice.learners.training.spec import TrainingSpec
from grice.papers.experiment import (
    ExperimentSettings,
    ModelExperiment,
    TrainingJob,
    TrainingPlan,
    available_sets,
)
from grice.papers.inference import APART, BASE_DEV, GRADED, PAIRS

# Printed: three epochs at 1e-5, gradients of norm 1, the epoch of the best Pearson r.
RECIPE: dict[str, str | float] = {
    "epochs": 3,
    "batch_size": 16,
    "learning_rate": 1e-5,
    "warmup_ratio": 0.1,
    "measure": "pearson",
}
SPLITS = ("unli/train", "unli/dev", "unli/test")


def plan(options: ExperimentSettings) -> TrainingPlan:
    """Return the models of Tables 4 and 5.

    Without u-SNLI the graded pairs in context are learnt, which choose no epoch.
    """
    available = list(SPLITS) if len(available_sets(*SPLITS)) == len(SPLITS) else []
    usual = options.for_kinds("unli", recipe="unli")
    surrogate = TrainingSpec(
        PAIRS, [BASE_DEV], apart=APART, ask=[*GRADED, *available[1:]], surrogate=True
    )
    plain = TrainingSpec(
        available[:1] or GRADED[1:], available[1:2], ask=[GRADED[0], *available[2:]]
    )

    def job(
        path: str, spec: TrainingSpec, *, blind: bool = False, after: tuple[str, ...] = ()
    ) -> TrainingJob:
        settings = {**usual, **({"hypothesis_only": "true"} if blind else {})}
        return options.job(path, "encoder", spec, settings, *after)

    first = replace(job("surrogate", surrogate), keep=True)
    later = replace(plain, start=options.folder_of("surrogate"))
    jobs = {
        "SNLI": first,
        "SNLI + u-SNLI": job("surrogate, graded", later, after=("surrogate",)),
        "Full-model": job("graded", plain),
        "Hyp-only": job("graded, hypothesis", plain, blind=True),
        "SNLI, hypothesis only": job("surrogate, hypothesis", surrogate, blind=True),
    }
    return TrainingPlan(list(jobs.values()), {title: [job.path] for title, job in jobs.items()})


EXPERIMENT = ModelExperiment(
    "unli",
    plan,
    kinds=("unli",),
    stands_in=(
        "Trained here: SNLI, MultiNLI and CAD-NLI pairs with surrogate scores stood in for SNLI's;"
        " where u-SNLI is not in the data folder, the graded pairs in context of nli_variation are"
        " learnt in its place and its pairs without context answered."
    ),
)
