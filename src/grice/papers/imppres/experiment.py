"""IMPPRES's models (§5): a bag of words, InferSent and BERT, trained on NLI."""

from __future__ import annotations

from grice.learners.training.spec import TrainingSpec
from grice.papers.experiment import (
    ExperimentSettings,
    ModelExperiment,
    TrainingPlan,
    available_sets,
)
from grice.papers.inference import BASE_DEV, PAIRS, PAIRS_STAND_IN

# The paper does not print how it fine-tuned; these are the usual numbers for BERT.
RECIPE = {"epochs": 3, "batch_size": 32, "learning_rate": 2e-5}
SETS = ("imppres/presupposition", "imppres/implicature")
MULTINLI = ("mnli/dev_matched", "mnli/dev_mismatched")
DECEMBER = "imppres/implicature_dec2019"


def plan(options: ExperimentSettings) -> TrainingPlan:
    """Return the models of all figures.

    Without the pairs of December 2019, determiners and numerals stay empty.
    """
    evaluated = [*SETS, *available_sets(DECEMBER, *MULTINLI)]
    spec = TrainingSpec(PAIRS, [BASE_DEV], apart=[BASE_DEV, *evaluated], ask=evaluated)
    # The nets have numbers of their own, and no checkpoint; the encoder has no word vectors.
    jobs = {
        "BOW": ("bow", options.for_kinds("bow", without=("base",))),
        "InferSent": ("infersent", options.for_kinds("infersent", without=("base",))),
        "BERT": ("encoder", options.for_kinds("bert", without=("vectors",), recipe="imppres")),
    }
    trainings = {
        row: options.job(row, learner, spec, settings) for row, (learner, settings) in jobs.items()
    }
    return TrainingPlan(
        list(trainings.values()), {row: [job.path] for row, job in trainings.items()}
    )


EXPERIMENT = ModelExperiment(
    "imppres",
    plan,
    kinds=("bow", "infersent", "bert"),
    stands_in=(
        f"Trained here: {PAIRS_STAND_IN}, SNLI dev for MultiNLI dev, the encoder of -M base= for"
        " BERT-Large, the word vectors of -M vectors= (the packaged encoder's where none are"
        " named) for GloVe."
    ),
)
