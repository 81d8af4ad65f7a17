"""Any transformers checkpoint: classification by labels, or a probability on 0 … 1."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from grice.learners.training.arguments import Plan
from grice.learners.training.examples import Lesson
from grice.learners.training.learner import Taught
from grice.models.checkpoint import checkpoint


class Encoder(Taught):
    """Fine-tunes `base` (a folder, a hub name, or the packaged MiniLM); several tasks share the body.

    On a numeric scale it has one output, a sigmoid, and binary cross-entropy, as UNLI's regression.
    """

    kind = "encoder"
    usual = Plan(epochs=3, batch=32, rate=5e-5)
    own: Mapping[str, str] = {"base": "all-MiniLM-L6-v2"}

    def pupil(self, lessons: Sequence[Lesson]) -> Any:
        from grice.learners.training.encoders import EncoderPupil

        folder = checkpoint(self.options["base"], provider="encoder").folder
        scales = {one.task: one.scale for one in lessons}
        return EncoderPupil(folder, scales, dropout=self.plan.dropout, longest=self.plan.max_length)
