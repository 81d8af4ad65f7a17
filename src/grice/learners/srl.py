"""Semantic role labelling (ConjNLI, appendix A.3), used by `predicate_aware`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grice.core.errors import InputError, bad_line
from grice.core.files import data_folder, read_json_lines
from grice.core.judgement import Judge
from grice.core.scale import Scale
from grice.learners.training.arguments import CheckpointSettings, TrainingArguments
from grice.learners.training.examples import TASK, InputExample, NamedExamples, TaskExamples
from grice.learners.training.learner import NeuralLearner
from grice.learners.training.results import TrainedModel
from grice.models.checkpoint import checkpoint

if TYPE_CHECKING:
    from grice.learners.training.model import SavableModel


class Srl(NeuralLearner):
    """A tagger of each word's semantic role for a marked predicate.

    It reads files with one `{"words", "predicate", "tags"}` per line.

    Paper: five epochs at 5e-5 with BERT-base; the small packaged encoder wants a higher learning
    rate.
    """

    kind = "srl"
    default_arguments = TrainingArguments(
        epochs=5, batch_size=32, learning_rate=2e-4, measure="span_f1"
    )
    settings: CheckpointSettings = CheckpointSettings()

    @staticmethod
    def data_file(name: str) -> Path:
        """Return a file by its path, or `srl/train` below the data folder."""
        return Path(name) if Path(name).is_file() else data_folder() / f"{name}.jsonl.gz"

    def read_examples(self, name: str) -> TaskExamples:
        """Read the file's sentences, one predicate each, with every tag that occurs."""
        path = self.data_file(name)
        examples = [_example(path, number, line) for number, line in read_json_lines(path)]
        kinds = sorted(
            {
                str(tag)[2:]
                for example in examples
                for tag in example.target  # type: ignore[union-attr]
                if tag != "O"
            }
        )
        both = [f"{mark}-{kind}" for kind in kinds for mark in "BI"]
        return TaskExamples(TASK, Scale(labels=("O", *both)), examples)

    def fit_and_score(
        self, train: Sequence[TaskExamples], dev: NamedExamples, measured: NamedExamples
    ) -> TrainedModel:
        """Train on the tags and score span F1.

        There is no answer scale, so no judge is returned.
        """
        from grice.learners.training.model import predict
        from grice.learners.training.scores import span_f1

        model, result = self._trained(train, dev)
        model.save(self.out, self._note(result))
        scores = {} if result.best_score is None else {"span F1": round(result.best_score, 4)}
        for name, data in measured.items():
            rows = model.encode(data)
            answers = predict(model, rows, self.arguments.batch_size * 4)
            scores[f"span F1 {name}"] = round(span_f1(answers, [row.target for row in rows]), 4)
        return TrainedModel(f"srl/{self.out}", self.out, scores=scores)

    def build_model(self, train: Sequence[TaskExamples]) -> SavableModel:
        """Build the checkpoint with a new head for the tags."""
        from grice.learners.training.roles import RoleTagger

        if not isinstance(train[0].examples[0].target, tuple):
            raise InputError(
                "'srl' learns from files of words with tags, not datasets; see: grice show"
                " learners/srl"
            )
        folder = checkpoint(self.settings.base, provider="encoder").folder
        return RoleTagger(folder, train[0].scale.labels, max_length=self.arguments.max_length)

    @classmethod
    def load_judge(cls, folder: str, **settings: str) -> Judge:  # noqa: ARG003
        """Refuse: roles are not answers to questions."""
        remedy = f"give it to predicate_aware as -M srl={folder}"
        raise InputError(f"trained/{folder}: a role labeller answers no question; {remedy}")


def _example(path: Path, number: int, line: Any) -> InputExample:
    try:
        words, tags, predicate = list(line["words"]), tuple(line["tags"]), int(line["predicate"])
    except (KeyError, TypeError, ValueError):
        remedy = 'each line is {"words": […], "predicate": 0, "tags": […]}'
        raise bad_line(path, number, "no words with a predicate and tags", remedy) from None
    if len(words) != len(tags) or not 0 <= predicate < len(words):
        fact = f"{len(words)} words, {len(tags)} tags, predicate {predicate}"
        raise bad_line(path, number, fact, "give a tag a word")
    return InputExample(" ".join(word.replace(" ", "_") for word in words), str(predicate), tags)
