"""Any transformers checkpoint: classification by labels, or a probability on 0 … 1."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from grice.core.judgement import Judge
from grice.core.shelf import JUDGES
from grice.learners.training.arguments import CheckpointSettings, TrainingArguments
from grice.learners.training.examples import TaskExamples
from grice.learners.training.judges import PartialViewJudge
from grice.learners.training.learner import NeuralLearner
from grice.models.checkpoint import checkpoint
from grice.models.trained_folder import read_note

if TYPE_CHECKING:
    from grice.learners.training.model import SavableModel


class EncoderLearner(NeuralLearner):
    """A fine-tuned encoder; several tasks share its body.

    `base` is a folder, a hub name, or the packaged MiniLM.

    On a numeric scale it has one output, a sigmoid, and binary cross-entropy, as UNLI's regression.
    """

    kind = "encoder"
    default_arguments = TrainingArguments(epochs=3, batch_size=32, learning_rate=5e-5)
    settings: CheckpointSettings = CheckpointSettings()

    def build_model(self, train: Sequence[TaskExamples]) -> SavableModel:
        """Build the checkpoint with a new head for each task."""
        from grice.learners.training.encoders import EncoderModel

        folder = checkpoint(self.settings.base, provider="encoder").folder
        scales = {task_set.task: task_set.scale for task_set in train}
        return EncoderModel(
            folder, scales, dropout=self.arguments.dropout, max_length=self.arguments.max_length
        )

    @classmethod
    def load_judge(cls, folder: str, **settings: str) -> Judge:
        """Load the folder as `encoder/FOLDER`, with its settings.

        The judge sees the same side of a pair as the learner.
        """
        inner: Judge = JUDGES.find("encoder")(folder, **settings)
        side = read_note(Path(folder))["side"]
        return inner if side == "both" else PartialViewJudge(f"trained/{folder}", inner, side)


encoder = EncoderLearner
