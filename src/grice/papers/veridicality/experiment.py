"""Ross & Pavlick's model: BERT trained on NLI, evaluated on original and substituted verbs."""

from __future__ import annotations

from grice.learners.training.spec import TrainingSpec
from grice.papers.bench import TRAINED_TARGETS, LocalBench
from grice.papers.experiment import ExperimentSettings, ModelExperiment, TrainingPlan
from grice.papers.inference import BASE_DEV, PAIRS, PAIRS_STAND_IN
from grice.papers.veridicality.swaps import swap_verbs

# The paper takes a fine-tuned BERT of others; these are the usual numbers.
RECIPE = {"epochs": 3, "batch_size": 32, "learning_rate": 2e-5}
DATA = "veridicality"


def plan(options: ExperimentSettings) -> TrainingPlan:
    """Return the model of Figures 1 and 2, Section 5 and Tables 5, 7 and 8.

    The sentences are MultiNLI's, so they are kept apart.
    """
    swaps = options.folder / "data" / "swaps.jsonl"
    spec = TrainingSpec(PAIRS, [BASE_DEV], apart=[BASE_DEV, DATA], ask=[DATA, str(swaps)])
    settings = options.for_kinds("bert", recipe="veridicality")
    job = options.job("BERT", "encoder", spec, settings)
    return TrainingPlan(
        [job],
        {"BERT": [job.path]},
        {swaps: lambda: swap_verbs(LocalBench(targets=TRAINED_TARGETS))},
    )


EXPERIMENT = ModelExperiment(
    "veridicality",
    plan,
    kinds=("bert",),
    stands_in=(
        f"Trained here: {PAIRS_STAND_IN}, SNLI dev for MultiNLI dev, the encoder of -M base= for"
        " BERT."
    ),
)
