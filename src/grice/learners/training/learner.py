"""Base classes of learners: settings, datasets as examples, the loop, and the saved judge."""

from __future__ import annotations

import inspect
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grice.core.errors import InputError, MissingExtra, unknown
from grice.core.judgement import Judge
from grice.core.settings import read_settings
from grice.core.shelf import LEARNERS
from grice.learners.training.arguments import LearnerSettings, NetShape, TrainingArguments, recipe
from grice.learners.training.examples import TASK, NamedExamples, TaskExamples
from grice.learners.training.folder import saving
from grice.learners.training.results import SavedModel, TrainingCallback

if TYPE_CHECKING:
    from grice.core.dataset import Dataset
    from grice.learners.training.loop import TrainOutput
    from grice.learners.training.model import SavableModel, TrainableModel


class NeuralLearner:
    """A learner that trains a network with torch.

    `out` is the folder to save to (a temporary one if empty). `hypothesis_only=true` hides the
    premise.

    `reading`: which gold to learn; `recipe`: a paper's training arguments; any of them may be set
    by its name (`epochs`, `batch_size`, `learning_rate`, `warmup_ratio`, `weight_decay`,
    `max_grad_norm`, `precision`, `measure`, `patience`, `balanced`, `seed`, …).
    """

    kind = ""
    default_arguments = TrainingArguments()
    settings = LearnerSettings()

    def __init__(
        self, *, out: str | Path = "", progress: TrainingCallback | None = None, **settings: Any
    ) -> None:
        if find_spec("torch") is None:
            raise MissingExtra(f"training '{self.kind}'", "train")
        names = {field.name for field in fields(TrainingArguments)}
        known = names | {field.name for field in fields(self.settings)}
        odd = [key for key in settings if key not in known]
        if odd:
            raise unknown(f"setting of '{self.kind}'", odd[0], known)
        self.out = Path(out) if out else Path(tempfile.mkdtemp(prefix=f"grice-{self.kind}-"))
        self.progress = progress
        self.settings = read_settings(
            type(self.settings), {k: v for k, v in settings.items() if k not in names}
        )
        start = recipe(self.settings.recipe) if self.settings.recipe else self.default_arguments
        self.arguments = start.with_settings({k: v for k, v in settings.items() if k in names})
        self.side = "hypothesis" if self.settings.hypothesis_only else "both"

    def make_examples(
        self, data: Dataset, *, task: str = TASK, sample: int | None = None
    ) -> TaskExamples:
        """Return a dataset as examples of a task, for this learner's reading and side of a pair."""
        return TaskExamples.from_dataset(
            data, task=task, reading=self.settings.reading, side=self.side, sample=sample
        )

    def fit(self, train: Dataset, dev: Dataset | None = None) -> Judge:
        """Train and return a new judge; the learner is unchanged.

        Fitting again from its folder is fine-tuning.
        """
        dev_sets = {} if dev is None else {"dev": self.make_examples(dev)}
        return self.fit_tasks([self.make_examples(train)], dev_sets)[0].judge

    def fit_tasks(self, train: Sequence[TaskExamples], dev: NamedExamples) -> list[SavedModel]:
        """Train on sets of one task or several; one saved model a task.

        The mean score over `dev` chooses the epoch.
        """
        model, result = self._trained(train, dev)
        sizes = {
            f"{index}:{task_set.task}": len(task_set.examples)
            for index, task_set in enumerate(train)
        }
        more = {"settings": vars(self.settings), "examples": sizes, "best epoch": result.best_epoch}
        note = self._note(result) | more
        with saving(self.out):
            folders = model.save(self.out, note)
        return [SavedModel(self.load_judge(str(folder)), folder) for folder in folders]

    def build_model(self, train: Sequence[TaskExamples]) -> SavableModel:
        """Build the untrained model for these sets."""
        raise NotImplementedError

    @classmethod
    def load_model(cls, folder: Path) -> TrainableModel:
        """Load the model that was saved to this folder."""
        raise NotImplementedError

    @classmethod
    def load_judge(cls, folder: str, **settings: str) -> Judge:
        """Load the judge of a folder that this learner wrote; `trained/FOLDER` calls it."""
        from grice.learners.training.judges import SavedModelJudge

        if settings:
            raise InputError(
                f"trained/{folder}: a '{cls.kind}' takes no settings, not {', '.join(settings)}"
            )
        return SavedModelJudge(folder, cls.load_model)

    def _trained(
        self, train: Sequence[TaskExamples], dev: NamedExamples
    ) -> tuple[SavableModel, TrainOutput]:
        import torch

        from grice.learners.training.loop import train_model

        if all(len(task_set.scale.labels) == 1 for task_set in train):
            raise InputError(
                f"the gold is '{train[0].scale}' alone; give pairs of two labels at least to learn"
                " from"
            )
        torch.manual_seed(self.arguments.seed)
        model = self.build_model(train)
        return model, train_model(
            model, train, dev, self.arguments, folder=self.out, progress=self.progress
        )

    def _note(self, result: TrainOutput) -> dict[str, Any]:
        """Return the training record that is saved with the model.

        A learner not in the registry is recorded by its file path, so that it can be loaded.
        """
        is_registered = self.kind in LEARNERS.names() and LEARNERS.find(self.kind) is type(self)
        kind = self.kind if is_registered else str(Path(inspect.getfile(type(self))).resolve())
        return {
            "kind": kind,
            "side": self.side,
            "arguments": vars(self.arguments),
            "dev": result.best_score,
        }


@dataclass(frozen=True)
class WordVectorSettings(LearnerSettings):
    """Settings of a learner over word vectors."""

    vectors: str = ""


class WordVectorLearner(NeuralLearner):
    """A learner of nets over word vectors.

    `vectors` is a text file of them, `glove` for the package, or empty for the packaged encoder's.
    """

    default_arguments = TrainingArguments(
        epochs=4, batch_size=64, learning_rate=1e-3, weight_decay=0.0, max_length=64
    )
    settings: WordVectorSettings = WordVectorSettings()
    shape: NetShape

    def build_model(self, train: Sequence[TaskExamples]) -> SavableModel:
        """Build the net of this learner's shape over the word vectors of these sets."""
        from grice.learners.training.nets import WordVectorModel
        from grice.learners.training.vectors import load_vectors

        if len({task_set.task for task_set in train}) > 1:
            raise InputError(
                f"'{self.kind}' learns one task at a time; several tasks need the learner 'encoder'"
            )
        texts = [
            text
            for task_set in train
            for e in task_set.examples
            for text in (e.first, e.second or "")
        ]
        vectors, dropout = load_vectors(self.settings.vectors, texts), self.arguments.dropout
        shape = self.shape if dropout is None else replace(self.shape, dropout=dropout)
        pairs, max_length = train[0].examples[0].second is not None, self.arguments.max_length
        return WordVectorModel(shape, vectors, train[0].scale, pairs=pairs, max_length=max_length)

    @classmethod
    def load_model(cls, folder: Path) -> TrainableModel:
        """Load the net that was saved to this folder."""
        from grice.learners.training.nets import WordVectorModel

        return WordVectorModel.load(folder)
