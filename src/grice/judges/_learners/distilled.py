"""A small encoder taught by larger ones that were trained on the same pairs; how `grice-mini` is made."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from grice.core.errors import InputError
from grice.core.judgement import Judge
from grice.judges._checkpoint import checkpoint
from grice.judges._learners.encoder import Encoder
from grice.judges._lessons import Example, Lesson
from grice.judges._plan import Plan
from grice.judges._settings import number, whole


class Distilled(Encoder):
    """`teacher`: a larger checkpoint; `teachers`: how many are trained, each from its own seed.

    They label the pairs, each pair turned round, and pairs of two hypotheses of one premise; `extra` times as many of
    those as there are pairs are drawn for each epoch. `temperature` softens what they say.
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

    def teach(self, lessons: Sequence[Lesson], dev: Mapping[str, Lesson]) -> list[Judge]:
        if not self.options["teacher"]:
            raise InputError("'distilled' needs a larger checkpoint to learn from: -M teacher=FOLDER")
        if len(lessons) != 1 or not lessons[0].scale.labels:
            raise InputError("'distilled' learns one task with labels")
        (given,) = lessons
        pairs = [(example.first, example.second) for example in given.examples]
        more = recombined(pairs, self.plan.seed) if pairs[0][1] is not None else []
        taught = self._labelled(given, [*pairs, *more], dev)
        size = len(pairs)
        drawn = round(number("extra", self.options["extra"]) * size) if more else 0
        soft = [replace(given, examples=taught[:size])]
        if drawn:
            soft.append(replace(given, examples=taught[size:], sample=drawn))
        return super().teach(soft, dev)

    def _labelled(
        self, given: Lesson, pairs: Sequence[tuple[str, str | None]], dev: Mapping[str, Lesson]
    ) -> list[Example]:
        """The mean of the teachers' probabilities for each pair, in the order of the scale's labels."""
        import numpy as np
        import torch

        from grice.judges._encoders import EncoderPupil
        from grice.judges._scores import softmax
        from grice.judges._training import outputs, teach

        heat = number("temperature", self.options["temperature"])
        count = whole("teachers", self.options["teachers"], least=1)
        total: Any = 0.0
        for seed in range(count):
            plan = replace(
                self.plan,
                epochs=whole("teacher_epochs", self.options["teacher_epochs"], least=1),
                rate=number("teacher_rate", self.options["teacher_rate"]),
                seed=self.plan.seed + seed,
            )
            torch.manual_seed(plan.seed)
            folder = checkpoint(self.options["teacher"], provider="encoder").folder
            pupil = EncoderPupil(folder, {given.task: given.scale}, dropout=None, longest=plan.max_length)
            teach(pupil, [given], dev, plan, folder=self.out / f"teacher-{seed}", told=self.told)
            asked = replace(given, examples=[Example(a, b, given.scale.labels[0]) for a, b in pairs])
            said, _ = outputs(
                pupil, pupil.rows(asked), plan.batch * 4, device=next(pupil.module.parameters()).device
            )
            order = [pupil.labels[given.task].index(label) for label in given.scale.labels]
            total = total + softmax(np.stack(said) / heat)[:, order] / count
        return [Example(a, b, tuple(row)) for (a, b), row in zip(pairs, total.tolist(), strict=True)]


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
    return sorted(made - set(pairs), key=lambda pair: (pair[0], pair[1] or ""))
