"""ConjNLI's models: baseline, AFT, IAFT and its amounts, the predicate-aware encoder, and both."""

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
from grice.papers.inference import (
    APART,
    BASE_DEV,
    CONJ_DEV,
    CONJ_TEST,
    FRAGMENTS_TEST,
    PAIRS,
    PAIRS_STAND_IN,
    inference_job,
)

# Printed: three epochs at 1e-5 or 2e-5, batch 16 or 32, decay 0.1, dropout 0.1, 128 tokens, seed
# 42.
RECIPE = {
    "epochs": 3,
    "batch_size": 32,
    "learning_rate": 2e-5,
    "weight_decay": 0.1,
    "dropout": 0.1,
    "max_length": 128,
    "seed": 42,
}
HARD = "conjnli/adversarial"
# The file of 18,000 adversarial pairs, such as `grice mine conjuncts --recipe adversarial` writes.
MORE = "iaft.pairs"
# The boolean pairs of Richardson et al., where they have been fetched.
FRAGMENTS = "semantic_fragments/boolean/train"
NEEDS = {
    "IAFT-18k": f"-M {MORE}=FILE: 18,000 pairs, of which 15,000 were released",
    "IAFT, fragments": "the pairs of 'grice fetch semantic_fragments'",
}
# The rows of Table 6 with the kind of their settings and their training pairs.
BASES = {
    "BERT-S": ("bert", "nli_train/snli"),
    "BERT-M": ("bert", "nli_train/mnli"),
    "RoBERTa-S": ("roberta", "nli_train/snli"),
}
AMOUNTS = {"6k": 6000, "9k": 9000, "12k": 12000}


def plan(options: ExperimentSettings) -> TrainingPlan:
    """Return the models of Tables 6 to 8, of Figure 3 and of Section 6.1."""
    # The baseline's training, where it answers ConjNLI alone.
    evaluated = replace(inference_job(options).spec, ask=[CONJ_DEV, CONJ_TEST])
    aware = {**options.for_kinds("nli", "pa", recipe="conjnli"), "srl": str(options.folder / "srl")}
    jobs = {
        "RoBERTa": inference_job(options),
        "AFT": _adversarial(options, "AFT", "aft", "nli"),
        "IAFT": _adversarial(options, "IAFT", "iaft", "nli"),
        "PA": TrainingJob(options.path_of("PA"), "predicate_aware", evaluated, aware, ("srl",)),
        "PA-IAFT": _adversarial(options, "PA-IAFT", "iaft", "PA", "predicate_aware"),
    }
    for name, amount in AMOUNTS.items():
        jobs[f"IAFT-{name}"] = _adversarial(options, f"IAFT-{name}", "iaft", "nli", amount=amount)
    needs = dict(NEEDS)
    more = {
        "IAFT-18k": options.settings.get(MORE, ""),
        "IAFT, fragments": next(iter(available_sets(FRAGMENTS)), ""),
    }
    for title, pairs in more.items():
        if pairs:
            jobs[title] = _adversarial(options, title, "iaft", "nli", pairs=pairs)
            del needs[title]
    hypothesis = {**options.for_kinds("hypothesis", recipe="conjnli"), "hypothesis_only": "true"}
    jobs["hypothesis-only RoBERTa"] = options.job("hypothesis", "encoder", evaluated, hypothesis)
    for row, (kind, base) in BASES.items():
        settings = options.for_kinds("nli", kind, recipe="conjnli")
        jobs[row] = options.job(row, "encoder", replace(evaluated, on=[base]), settings)
    net = options.for_kinds("esim", without=("base",))
    jobs["ESIM"] = options.job("ESIM", "esim", evaluated, net)
    rows = {title: [job.path] for title, job in jobs.items()}
    # One model under the names that other exhibits print for it.
    rows |= {"IAFT-15k": rows["IAFT"], "RoBERTa-M": rows["RoBERTa"]}
    rows |= {"BERT": rows["BERT-M"]}
    return TrainingPlan([_role_labeller(options), *jobs.values()], rows, needs=needs)


def _role_labeller(options: ExperimentSettings) -> TrainingJob:
    """Return the role labeller of all seeds.

    Its base needs segments, which the encoder's may lack.
    """
    spec = TrainingSpec(["srl/train"], ["srl/dev"], ask=["srl/test"])
    return TrainingJob("srl", "srl", spec, options.for_kinds("srl", without=("base", "seed")))


def _adversarial(
    options: ExperimentSettings,
    name: str,
    how: str,
    start: str,
    learner: str = "encoder",
    amount: int = 0,
    pairs: str = HARD,
) -> TrainingJob:
    spec = TrainingSpec(
        PAIRS,
        [CONJ_DEV, BASE_DEV],
        adversarial=pairs,
        how=how,
        start=options.folder_of(start),
        apart=APART,
        ask=[CONJ_TEST, *available_sets(FRAGMENTS_TEST)],
        amount=amount,
    )
    roles = {"srl": str(options.folder / "srl")} if learner == "predicate_aware" else {}
    settings = {**options.for_kinds(how, recipe="conjnli"), **roles}
    settings.pop(MORE.rpartition(".")[2], None)
    return options.job(name, learner, spec, settings, start)


EXPERIMENT = ModelExperiment(
    "conjnli",
    plan,
    kinds=("nli", "aft", "iaft", "srl", "pa", "hypothesis", "bert", "roberta", "esim"),
    stands_in=(
        f"Trained here: {PAIRS_STAND_IN}, SNLI dev for MultiNLI dev, the encoder of -M base= for"
        " RoBERTa, PropBank on EWT for CoNLL 2005; of 18k adversarial pairs 15k are released."
    ),
)
