"""ConjNLI's predicate-aware encoder (Section 5.1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from grice.core.errors import InputError
from grice.learners.training.arguments import Plan
from grice.learners.training.examples import Lesson
from grice.learners.training.learner import Taught
from grice.models.checkpoint import checkpoint


class PredicateAware(Taught):
    """An encoder for pairs beside a frozen role labeller: `srl` is the folder that `grice train srl` wrote.

    Its [CLS] of premise and of hypothesis pass linear maps of size 40 and join the encoder's own before the answer.
    """

    kind = "predicate_aware"
    usual = Plan(epochs=3, batch=32, rate=5e-5)
    own: Mapping[str, str] = {"base": "all-MiniLM-L6-v2", "srl": ""}

    def pupil(self, lessons: Sequence[Lesson]) -> Any:
        from grice.learners.training.srl import FusedPupil

        roles = Path(self.options["srl"])
        if not self.options["srl"] or not roles.is_dir():
            raise InputError(
                "'predicate_aware' needs a role labeller: grice train srl -o models/srl, then -M srl=models/srl"
            )
        if len({one.task for one in lessons}) > 1 or not lessons[0].scale.labels:
            raise InputError("'predicate_aware' learns one task with labels")
        folder = checkpoint(self.options["base"], provider="encoder").folder
        return FusedPupil(
            folder, roles, lessons[0].scale, dropout=self.plan.dropout, longest=self.plan.max_length
        )
