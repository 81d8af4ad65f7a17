"""ConjNLI's predicate-aware encoder (Section 5.1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from grice.core.errors import InputError
from grice.learners.training.arguments import CheckpointSettings, TrainingArguments
from grice.learners.training.examples import TaskExamples
from grice.learners.training.learner import NeuralLearner
from grice.models.checkpoint import checkpoint

if TYPE_CHECKING:
    from grice.learners.training.model import SavableModel, TrainableModel


@dataclass(frozen=True)
class PredicateAwareSettings(CheckpointSettings):
    """Settings of the predicate-aware encoder."""

    srl: str = ""


class PredicateAware(NeuralLearner):
    """An encoder for pairs combined with a frozen role labeller.

    `srl` is the folder that `grice train srl` wrote.

    The labeller's [CLS] of premise and of hypothesis pass linear maps of size 40 and join the
    encoder's own before the answer.
    """

    kind = "predicate_aware"
    default_arguments = TrainingArguments(epochs=3, batch_size=32, learning_rate=5e-5)
    settings: PredicateAwareSettings = PredicateAwareSettings()

    def build_model(self, train: Sequence[TaskExamples]) -> SavableModel:
        """Build an encoder from the checkpoint with the role labeller of `srl`."""
        from grice.learners.training.roles import PredicateAwareModel

        if not self.settings.srl or not Path(self.settings.srl).is_dir():
            raise InputError(
                "'predicate_aware' needs a role labeller: grice train srl -o srl, then -M srl=srl"
            )
        if len({task_set.task for task_set in train}) > 1 or not train[0].scale.labels:
            raise InputError(
                "'predicate_aware' learns one task with labels; pass one labelled dataset"
            )
        folder, arguments = (
            checkpoint(self.settings.base, provider="encoder").folder,
            self.arguments,
        )
        roles, scale = Path(self.settings.srl), train[0].scale
        return PredicateAwareModel(
            folder, roles, scale, dropout=arguments.dropout, max_length=arguments.max_length
        )

    @classmethod
    def load_model(cls, folder: Path) -> TrainableModel:
        """Load the model that was saved to this folder."""
        from grice.learners.training.roles import PredicateAwareModel

        return PredicateAwareModel.load(folder)
