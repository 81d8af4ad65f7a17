"""The models of a paper trained here: what `grice reproduce PAPER --train FOLDER` puts beside the printed rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from grice.core.errors import unknown
from grice.judges.trained import bundle
from grice.papers._pragmeval import BY_F1, COLUMNS
from grice.training import Course, train

Trained = dict[str, str]
NLI_TRAIN, BASE_DEV = "nli_train", "snli/dev"


def trained(paper: str, folder: Path, settings: Mapping[str, str]) -> tuple[Trained, str]:
    """Judges by the title of the printed row they meet, and which data stood in for which."""
    experiments: dict[str, Callable[[Path, dict[str, str]], Trained]] = {
        "conjnli": conjnli,
        "pragmeval": pragmeval,
        "unli": unli,
    }
    if paper not in experiments:
        raise unknown("paper with models to train", paper, experiments)
    return experiments[paper](folder, dict(settings)), STANDS_IN[paper]


STANDS_IN = {
    "conjnli": "Trained here: nli_train stood in for MultiNLI, SNLI dev chose epochs in place of MultiNLI dev, the encoder of -M base= stood in for RoBERTa, PropBank on EWT for CoNLL 2005.",
    "pragmeval": "Trained here: the encoder of -M base= stood in for BERT, nli_train for MultiNLI; the best epoch is that of dev, on which Table 2 seems to be printed.",
    "unli": "Trained here: nli_train with surrogate scores stood in for SNLI's; u-SNLI itself is in no repository, so no row is fine-tuned on it.",
}


def conjnli(folder: Path, settings: dict[str, str]) -> Trained:
    """Tables 7 and 8: baseline, AFT, IAFT, the predicate-aware encoder, and both together."""
    given = {"recipe": "conjnli", **settings}
    both = ["conjnli/dev", BASE_DEV]
    plain = Course([NLI_TRAIN], [BASE_DEV])
    hard = "conjnli/adversarial"
    roles = folder / "srl"
    small = {key: value for key, value in settings.items() if key in ("seed", "precision")}
    train("srl", Course(["srl/train"], ["srl/dev"]), out=roles, settings=small)
    aware = {**given, "srl": str(roles)}
    courses = {
        "RoBERTa": ("encoder", plain, given),
        "AFT": ("encoder", Course([NLI_TRAIN], both, how="aft", adversarial=hard), given),
        "IAFT": ("encoder", Course([NLI_TRAIN], both, how="iaft", adversarial=hard), given),
        "PA": ("predicate_aware", plain, aware),
        "PA-IAFT": ("predicate_aware", Course([NLI_TRAIN], both, how="iaft", adversarial=hard), aware),
    }
    return {
        title: _one(learner, course, folder / title, more)
        for title, (learner, course, more) in courses.items()
    }


def pragmeval(folder: Path, settings: dict[str, str]) -> Trained:
    """Tables 2 to 4: each task alone, after inference, and after all the tasks together."""
    given = {"recipe": "pragmeval", **settings}
    tasks = [f"pragmeval/{task}" for column in COLUMNS.values() for task in column]
    parts = [f"{task}/train" for task in tasks]
    inference = _one("encoder", Course([NLI_TRAIN], [BASE_DEV]), folder / "nli", given)
    together = Course(parts, [f"{task}/dev" for task in tasks], mix="uniform")
    several = train("encoder", together, out=folder / "together", settings=given)
    bodies = {
        "BERT": given,
        "BERT+MNLI": {**given, "base": inference.partition("/")[2]},
        "BERT+PragmEval": {**given, "base": str(several[0]["folder"]).partition("/")[2]},
    }
    return {title: _each(tasks, folder / title, more) for title, more in bodies.items()}


def _each(tasks: Sequence[str], folder: Path, settings: dict[str, str]) -> str:
    """A model for each task from the same start, as one judge."""
    places = {task: task.rpartition("/")[2] for task in tasks}
    for task, place in places.items():
        chosen = {"measure": "macro_f1" if place in BY_F1 else "accuracy", **settings}
        _one("encoder", Course([f"{task}/train"], [f"{task}/dev"]), folder / place, chosen)
    return bundle(folder, places)


def unli(folder: Path, settings: dict[str, str]) -> Trained:
    """Tables 4 and 5: regression on surrogate scores, with the premise and without."""
    given = {"recipe": "unli", **settings}
    course = Course([NLI_TRAIN], [BASE_DEV], surrogate=True)
    return {
        "Surrogate": _one("encoder", course, folder / "surrogate", given),
        "Hyp-only surrogate": _one(
            "encoder", course, folder / "hypothesis", {**given, "hypothesis_only": "true"}
        ),
    }


def _one(learner: str, course: Course, out: Path, settings: dict[str, str]) -> str:
    return str(train(learner, course, out=out, settings=settings)[0]["folder"])
