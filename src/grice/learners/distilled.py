"""A small encoder trained on the answers of larger ones, as `grice-mini` is.

The teachers were trained on the same pairs.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from grice.core.errors import InputError
from grice.core.settings import setting
from grice.learners.encoder import EncoderLearner
from grice.learners.training.arguments import CheckpointSettings, TrainingArguments
from grice.learners.training.examples import InputExample, NamedExamples, TaskExamples
from grice.learners.training.results import SavedModel
from grice.models.batching import Texts
from grice.models.checkpoint import checkpoint

if TYPE_CHECKING:
    from grice.learners.training.encoders import EncoderModel


@dataclass(frozen=True)
class DistilledSettings(CheckpointSettings):
    """Settings of a distilled encoder; see `Distilled`."""

    teacher: str = ""
    teachers: int = setting(3, low=1)
    teacher_epochs: int = setting(3, low=0)
    teacher_learning_rate: float = setting(5e-5, above=0)
    extra: float = setting(1.5, low=0)
    temperature: float = setting(1.5, low=0.01)


class Distilled(EncoderLearner):
    """A small encoder that learns the answers of larger ones to the same pairs.

    `teacher`: a larger checkpoint; `teachers`: how many are trained, each from its own seed. With
    `teacher_epochs=0` they are there already: `teacher` then names one trained folder or several,
    with commas between. They label the pairs, each pair turned round, pairs of two hypotheses of
    one premise, and `unlabelled_texts`; of those `extra` times as many as there are pairs are drawn
    for each epoch. `temperature` softens what they say. Beside adversarial pairs, which keep their
    labels, they label the base pairs and no more.
    """

    kind = "distilled"
    default_arguments = TrainingArguments(epochs=6, batch_size=128, learning_rate=2e-4)
    settings: DistilledSettings = DistilledSettings()
    unlabelled_texts: Sequence[Texts] = ()

    def fit_tasks(self, train: Sequence[TaskExamples], dev: NamedExamples) -> list[SavedModel]:
        """Let the teachers label the pairs, then train the small encoder on their labels."""
        if not self.settings.teacher:
            raise InputError(
                "'distilled' needs a larger checkpoint to learn from: -M teacher=FOLDER"
            )
        if len({task_set.task for task_set in train}) != 1 or not train[0].scale.labels:
            raise InputError("'distilled' learns one task with labels; pass one labelled dataset")
        if len(train) > 1:
            return super().fit_tasks([self._beside(task_set, dev) for task_set in train], dev)
        (task_set,) = train
        pairs = _pairs(task_set)
        size = len(pairs)
        drawn = round(self.settings.extra * size)
        more = self._more(pairs, drawn)
        taught = self._labelled(task_set, [*pairs, *more], dev)
        soft = [replace(task_set, examples=taught[:size])]
        if more:
            soft.append(replace(task_set, examples=taught[size:], sample=drawn))
        return super().fit_tasks(soft, dev)

    def _beside(self, examples: TaskExamples, dev: NamedExamples) -> TaskExamples:
        """Return a sampled set with the teachers' labels, and any other with its own labels.

        Its own labels become distributions with probability 1 on the label.
        """
        if examples.sample is not None:
            # No more than all epochs together draw, for labelling takes time.
            epochs, seed = self.arguments.epochs, self.arguments.seed
            drawn = dict.fromkeys(
                index for n in range(epochs) for index in examples.epoch_indices(n, seed)
            )
            chosen = replace(examples, examples=[examples.examples[index] for index in drawn])
            return replace(chosen, examples=self._labelled(chosen, _pairs(chosen), dev))
        labels = self._labels(examples)
        sure = {label: tuple(float(label == name) for name in labels) for label in labels}
        return replace(
            examples, examples=[replace(e, target=sure[str(e.target)]) for e in examples.examples]
        )

    def _more(self, pairs: Sequence[Texts], drawn: int) -> list[Texts]:
        """Return further texts for the teachers to label.

        There are as many as two epochs can draw, since labelling takes time.
        """
        single = pairs[0][1] is None
        fit = {text for text in self.unlabelled_texts if (text[1] is None) == single} - set(pairs)
        pool = sorted(
            fit.union(() if single else recombine_pairs(pairs, self.arguments.seed)), key=_order
        )
        return random.Random(self.arguments.seed).sample(pool, min(len(pool), 2 * drawn))

    def _labelled(
        self, examples: TaskExamples, pairs: Sequence[Texts], dev: NamedExamples
    ) -> list[InputExample]:
        """Return the pairs with the teachers' mean probabilities, in the model's label order."""
        import numpy as np

        from grice.learners.training.model import predict
        from grice.models.scores import softmax

        labels = self._labels(examples)
        unlabelled = replace(
            examples, examples=[InputExample(a, b, examples.scale.labels[0]) for a, b in pairs]
        )
        parts = []
        for model in self._teachers(examples, dev):
            scores = predict(model, model.encode(unlabelled), self.arguments.batch_size * 4)
            order = [model.labels[examples.task].index(label) for label in labels]
            parts.append(softmax(np.stack(scores) / self.settings.temperature)[:, order])
        mean = np.mean(parts, axis=0)
        return [
            InputExample(a, b, tuple(row)) for (a, b), row in zip(pairs, mean.tolist(), strict=True)
        ]

    def _labels(self, examples: TaskExamples) -> tuple[str, ...]:
        """Return the labels in the order of the model's outputs."""
        from grice.learners.training.encoders import output_labels

        return output_labels(
            checkpoint(self.settings.base, provider="encoder").folder, examples.scale
        )

    def _teachers(self, examples: TaskExamples, dev: NamedExamples) -> Iterator[EncoderModel]:
        """Yield the teachers: trained here from one checkpoint, or loaded from folders."""
        import torch

        from grice.learners.training.encoders import EncoderModel, checkpoint_labels
        from grice.learners.training.loop import train_model

        names, epochs, seed = (
            self.settings.teacher.split(","),
            self.settings.teacher_epochs,
            self.arguments.seed,
        )
        if epochs and len(names) > 1:
            raise InputError(
                "-M teacher= names several folders, which must hold models trained already; add -M"
                " teacher_epochs=0"
            )
        for number, name in enumerate(names * self.settings.teachers if epochs else names):
            folder = checkpoint(name, provider="encoder").folder
            if not epochs and sorted(checkpoint_labels(folder)) != sorted(examples.scale.labels):
                labels = ", ".join(examples.scale.labels)
                raise InputError(
                    f"{folder}: its labels are not {labels}, so it cannot teach this task"
                )
            torch.manual_seed(seed + number)
            max_length = self.arguments.max_length
            model = EncoderModel(
                folder, {examples.task: examples.scale}, dropout=None, max_length=max_length
            )
            if epochs:
                rate = self.settings.teacher_learning_rate
                arguments = replace(
                    self.arguments, epochs=epochs, learning_rate=rate, seed=seed + number
                )
                out = self.out / f"teacher-{number}"
                train_model(model, [examples], dev, arguments, folder=out, progress=self.progress)
            yield model


def recombine_pairs(pairs: Sequence[Texts], seed: int) -> list[Texts]:
    """Return new pairs of the same texts: each reversed, and two hypotheses of one premise."""
    draw = random.Random(seed)
    by_premise: dict[str, list[str]] = {}
    new_pairs: set[Texts] = set()
    for first, second in pairs:
        if second is not None:
            by_premise.setdefault(first, []).append(second)
            new_pairs.add((second, first))
    for hypotheses in by_premise.values():
        mates = sorted(set(hypotheses))
        if len(mates) > 1:
            new_pairs |= {(a, b) for a, b in (draw.sample(mates, 2) for _ in mates)}
    return sorted(new_pairs - set(pairs), key=_order)


def _pairs(examples: TaskExamples) -> list[Texts]:
    return [(example.first, example.second) for example in examples.examples]


def _order(text: Texts) -> tuple[str, str]:
    return text[0], text[1] or ""
