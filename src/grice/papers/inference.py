"""The available NLI pairs, in place of MultiNLI, and the encoder trained on them.

Other models start from it.
"""

from __future__ import annotations

from grice.learners.training.spec import TrainingSpec
from grice.papers.experiment import ExperimentSettings, TrainingJob, available_sets

# The pairs of grice-mini: free of ANLI, which is not for commercial use, and of texts that are
# measured on.
PAIRS = ("nli_train/snli", "nli_train/mnli", "cad_nli/train")
FRAGMENTS_TEST = "semantic_fragments/boolean/test"
BASE_DEV, CONJ_DEV, CONJ_TEST = "snli/dev", "conjnli/dev", "conjnli/test"
GRADED = ("nli_variation/pairs", "nli_variation/contexts")
APART = (BASE_DEV, "cad_nli/dev", CONJ_DEV, CONJ_TEST, "veridicality", *GRADED)
PAIRS_STAND_IN = (
    "SNLI, MultiNLI and CAD-NLI pairs (nli_train without ANLI, cad_nli) stood in for MultiNLI"
)


def inference_job(settings: ExperimentSettings) -> TrainingJob:
    """Return the NLI training that those of ConjNLI and PragmEval start from."""
    ask = [CONJ_DEV, CONJ_TEST, *GRADED, *available_sets(FRAGMENTS_TEST)]
    spec = TrainingSpec(PAIRS, [BASE_DEV], apart=APART, ask=ask)
    return TrainingJob(
        settings.path_of("nli"), "encoder", spec, settings.for_kinds("nli", recipe="conjnli")
    )
