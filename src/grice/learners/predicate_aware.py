"""ConjNLI's predicate-aware encoder (Section 5.1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from grice.core.errors import InputError
from grice.learners.training.arguments import TrainingArguments
from grice.learners.training.examples import TaskExamples
from grice.learners.training.learner import NeuralLearner
from grice.models.checkpoint import checkpoint

if TYPE_CHECKING:
    from grice.learners.training.model import SavableModel, TrainableModel


class PredicateAware(NeuralLearner):
    """An encoder for pairs beside a frozen role labeller: `srl` is the folder that `grice train srl` wrote.

    Its [CLS] of premise and of hypothesis pass linear maps of size 40 and join the encoder's own before the answer.
    """

    kind = "predicate_aware"
    default_arguments = TrainingArguments(epochs=3, batch_size=32, learning_rate=5e-5)
    own_settings: Mapping[str, str] = {"base": "all-MiniLM-L6-v2", "srl": ""}

    def build_model(self, train: Sequence[TaskExamples]) -> SavableModel:
        """The checkpoint beside the role labeller of `srl`."""
        from grice.learners.training.roles import PredicateAwareModel

        roles = Path(self.options["srl"])
        if not self.options["srl"] or not roles.is_dir():
            raise InputError(
                "'predicate_aware' needs a role labeller: grice train srl -o models/srl, then -M srl=models/srl"
            )
        if len({one.task for one in train}) > 1 or not train[0].scale.labels:
            raise InputError("'predicate_aware' learns one task with labels")
        folder = checkpoint(self.options["base"], provider="encoder").folder
        return PredicateAwareModel(
            folder, roles, train[0].scale, dropout=self.arguments.dropout, max_length=self.arguments.max_length
        )

    @classmethod
    def load_model(cls, folder: Path) -> TrainableModel:
        """The model that was saved to this folder."""
        from grice.learners.training.roles import PredicateAwareModel

        return PredicateAwareModel.load(folder)
