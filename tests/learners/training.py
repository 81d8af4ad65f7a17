"""Trainings in tests load their data as `grice train` does."""

from __future__ import annotations

from functools import partial

from grice.learners.training import trainer
from grice.loading import load

train = partial(trainer.train, load=load)
