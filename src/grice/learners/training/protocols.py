"""Interfaces of learners: what training in stages requires, and optional features."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from grice.learners.training.examples import TASK, NamedExamples, TaskExamples
from grice.learners.training.results import SavedModel, TrainedModel, TrainingCallback

if TYPE_CHECKING:
    from grice.core.dataset import Dataset


@runtime_checkable
class TaskLearner(Protocol):
    """A learner of one task or of several at once; the ready-made base class is `NeuralLearner`."""

    def make_examples(
        self, data: Dataset, *, task: str = TASK, sample: int | None = None
    ) -> TaskExamples:
        """Return a dataset as examples of a task; `sample` draws that many in every epoch."""

    def fit_tasks(self, train: Sequence[TaskExamples], dev: NamedExamples) -> Sequence[SavedModel]:
        """Train on all the sets; one saved model for each task.

        The mean score over `dev` chooses the epoch.
        """


class LearnerClass(Protocol):
    """Interface of the entries in the registry of learners."""

    def __call__(self, *, out: Path, progress: TrainingCallback | None, **settings: str) -> object:
        """Return a learner that saves into `out`."""


@runtime_checkable
class ReadsOwnFiles(Protocol):
    """A learner whose data are files of its own format instead of datasets, such as `srl`."""

    @staticmethod
    def data_file(name: str) -> Path:
        """Return the file that a name means."""

    def read_examples(self, name: str) -> TaskExamples:
        """Read the examples in that file."""

    def fit_and_score(
        self, train: Sequence[TaskExamples], dev: NamedExamples, measured: NamedExamples
    ) -> TrainedModel:
        """Train, save, and score on the measured sets."""


@runtime_checkable
class TakesUnlabelled(Protocol):
    """Interface of learners that also learn from unlabelled texts, such as `distilled`."""

    unlabelled_texts: Sequence[tuple[str, str | None]]
