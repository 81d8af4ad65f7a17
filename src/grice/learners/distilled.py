"""A small encoder taught by larger ones that were trained on the same pairs; how `grice-mini` is made."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from grice.core.errors import InputError
from grice.core.judgement import Judge
from grice.core.settings import number, whole
from grice.learners.encoder import Encoder
from grice.learners.training.arguments import Plan
from grice.learners.training.examples import Example, Lesson
from grice.models.checkpoint import checkpoint


class Distilled(Encoder):
    """`teacher`: a larger checkpoint; `teachers`: how many are trained, each from its own seed.

    With `teacher_epochs=0` the teachers are there already: `teacher` then names one trained folder or several, with
    commas between. They label the pairs, each pair turned round, pairs of two hypotheses of one premise, and `texts`
    that have no label; of those `extra` times as many as there are pairs are drawn for each epoch. `temperature`
    softens what they say. Beside adversarial pairs, which keep their labels, they label the base pairs and no more.
    """

    kind = "distilled"
    usual = Plan(epochs=6, batch=128, rate=2e-4)
    own: Mapping[str, str] = {
        "base": "all-MiniLM-L6-v2",
        "teacher": "",
        "teachers": "3",
        "teacher_epochs": "3",
        "teacher_rate": "5e-5",
        "extra": "1.5",
        "temperature": "1.5",
    }
    texts: Sequence[tuple[str, str | None]] = ()

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.epochs = whole("teacher_epochs", self.options["teacher_epochs"])
        self.teachers = whole("teachers", self.options["teachers"], least=1)
        self.rate = number("teacher_rate", self.options["teacher_rate"])
        self.extra = number("extra", self.options["extra"])
        self.heat = number("temperature", self.options["temperature"], least=0.01)

    def teach(self, lessons: Sequence[Lesson], dev: Mapping[str, Lesson]) -> list[Judge]:
        if not self.options["teacher"]:
            raise InputError("'distilled' needs a larger checkpoint to learn from: -M teacher=FOLDER")
        if len({one.task for one in lessons}) != 1 or not lessons[0].scale.labels:
            raise InputError("'distilled' learns one task with labels")
        if len(lessons) > 1:
            return super().teach([self._beside(one, dev) for one in lessons], dev)
        (given,) = lessons
        pairs = _pairs(given)
        size = len(pairs)
        drawn = round(self.extra * size)
        more = self._more(pairs, drawn)
        taught = self._labelled(given, [*pairs, *more], dev)
        soft = [replace(given, examples=taught[:size])]
        if more:
            soft.append(replace(given, examples=taught[size:], sample=drawn))
        return super().teach(soft, dev)

    def _beside(self, one: Lesson, dev: Mapping[str, Lesson]) -> Lesson:
        """What is drawn afresh as the teachers see it; what is learnt in full by its own labels, as sure ones."""
        if one.sample is not None:
            # No more than all epochs together draw, for labelling takes time.
            most = dict.fromkeys(
                place for n in range(self.plan.epochs) for place in one.epoch(n, self.plan.seed)
            )
            chosen = replace(one, examples=[one.examples[place] for place in most])
            return replace(chosen, examples=self._labelled(chosen, _pairs(chosen), dev))
        labels = self._labels(one)
        sure = {label: tuple(float(label == other) for other in labels) for label in labels}
        return replace(one, examples=[replace(e, target=sure[str(e.target)]) for e in one.examples])

    def _more(self, pairs: Sequence[tuple[str, str | None]], drawn: int) -> list[tuple[str, str | None]]:
        """What the teachers label besides: what two epochs can draw, for labelling takes time."""
        single = pairs[0][1] is None
        fit = {text for text in self.texts if (text[1] is None) == single} - set(pairs)
        pool = sorted(fit.union(() if single else recombined(pairs, self.plan.seed)), key=_order)
        return random.Random(self.plan.seed).sample(pool, min(len(pool), 2 * drawn))

    def _labelled(
        self, given: Lesson, pairs: Sequence[tuple[str, str | None]], dev: Mapping[str, Lesson]
    ) -> list[Example]:
        """The mean of the teachers' probabilities for each pair, in the order of the pupil's own labels."""
        import numpy as np

        from grice.learners.training.pupils import said
        from grice.models.scores import softmax

        labels = self._labels(given)
        asked = replace(given, examples=[Example(a, b, given.scale.labels[0]) for a, b in pairs])
        parts = []
        for pupil in self._teachers(given, dev):
            scores = said(pupil, pupil.rows(asked), self.plan.batch * 4)
            order = [pupil.labels[given.task].index(label) for label in labels]
            parts.append(softmax(np.stack(scores) / self.heat)[:, order])
        mean = np.mean(parts, axis=0)
        return [Example(a, b, tuple(row)) for (a, b), row in zip(pairs, mean.tolist(), strict=True)]

    def _labels(self, given: Lesson) -> tuple[str, ...]:
        """The labels in the order of the pupil's outputs."""
        from grice.learners.training.encoders import labels_of

        return labels_of(checkpoint(self.options["base"], provider="encoder").folder, given.scale)

    def _teachers(self, given: Lesson, dev: Mapping[str, Lesson]) -> Iterator[Any]:
        """Teachers one by one: trained here from one checkpoint, or as they lie in their folders."""
        import torch

        from grice.learners.training.encoders import EncoderPupil, held_labels
        from grice.learners.training.loop import teach

        names = self.options["teacher"].split(",")
        if self.epochs and len(names) > 1:
            raise InputError("several folders in -M teacher= are trained already; add -M teacher_epochs=0")
        for place, name in enumerate(names * self.teachers if self.epochs else names):
            folder = checkpoint(name, provider="encoder").folder
            if not self.epochs and sorted(held_labels(folder)) != sorted(given.scale.labels):
                raise InputError(
                    f"{folder}: its labels are not {', '.join(given.scale.labels)}, so it cannot teach this task"
                )
            torch.manual_seed(self.plan.seed + place)
            longest = self.plan.max_length
            pupil = EncoderPupil(folder, {given.task: given.scale}, dropout=None, longest=longest)
            if self.epochs:
                plan = replace(self.plan, epochs=self.epochs, rate=self.rate, seed=self.plan.seed + place)
                teach(pupil, [given], dev, plan, folder=self.out / f"teacher-{place}", told=self.told)
            yield pupil


def recombined(pairs: Sequence[tuple[str, str | None]], seed: int) -> list[tuple[str, str | None]]:
    """New pairs of the same texts: each turned round, and two hypotheses of one premise."""
    draw = random.Random(seed)
    by_premise: dict[str, list[str]] = {}
    made: set[tuple[str, str | None]] = set()
    for first, second in pairs:
        if second is not None:
            by_premise.setdefault(first, []).append(second)
            made.add((second, first))
    for hypotheses in by_premise.values():
        mates = sorted(set(hypotheses))
        if len(mates) > 1:
            made |= {(a, b) for a, b in (draw.sample(mates, 2) for _ in mates)}
    return sorted(made - set(pairs), key=_order)


def _pairs(given: Lesson) -> list[tuple[str, str | None]]:
    return [(example.first, example.second) for example in given.examples]


def _order(text: tuple[str, str | None]) -> tuple[str, str]:
    return text[0], text[1] or ""
