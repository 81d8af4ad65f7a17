"""Trainings in tests load their data as `grice train` does."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from grice.learners.training import trainer
from grice.learners.training.results import TrainResult
from grice.learners.training.spec import TrainingSpec
from grice.loading import load


def train(
    learner: str,
    spec: TrainingSpec,
    *,
    out: Path,
    settings: Mapping[str, str] | None = None,
    seeds: int = 1,
    keep: bool = True,
    quiet: bool = False,
) -> TrainResult:
    options = trainer.TrainingOptions(seeds=seeds, keep_weights=keep, quiet=quiet)
    return trainer.train(learner, spec, load=load, out=out, settings=settings, options=options)
