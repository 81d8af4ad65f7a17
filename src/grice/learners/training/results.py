"""Results of a training: progress, the trained models with scores, and the spread over seeds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from grice.core.judgement import Judge


@dataclass(frozen=True)
class TrainingProgress:
    """Progress of a training: `step` of all its `steps`; `seconds_left` is an estimate.

    The estimate assumes the present speed.

    `loss` is the mean since the last report, none before the first; `dev` the last score on dev, if
    there is one.
    """

    epoch: int
    epochs: int
    step: int
    steps: int
    loss: float | None = None
    rows_per_second: float = 0.0
    seconds_left: float | None = None
    dev: float | None = None

    def __str__(self) -> str:
        parts = [f"epoch {self.epoch} of {self.epochs}"]
        parts += [f"loss {self.loss:.4f}"] if self.loss is not None else []
        parts += [f"dev {self.dev:.4f}"] if self.dev is not None else []
        return ", ".join(parts)


TrainingCallback = Callable[[TrainingProgress], None]


@dataclass(frozen=True)
class SavedModel:
    """A judge that was just trained, and its folder."""

    judge: Judge
    folder: Path


@dataclass(frozen=True)
class TrainedModel:
    """A trained model: its judge's name, folder, task, and score on each measured set.

    A set without gold has the score None. `details` has for each score its measure, n and interval.
    """

    judge: str
    folder: Path
    task: str = ""
    scores: Mapping[str, float | None] = field(default_factory=dict)
    details: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Return a JSON object; `from_json` reads it."""
        return {**asdict(self), "folder": str(self.folder)}

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> TrainedModel:
        """Return the model that `to_json` wrote."""
        return cls(**{**value, "folder": Path(value["folder"])})

    def to_row(self) -> dict[str, Any]:
        """Return one row of a table."""
        task = {"task": self.task} if self.task else {}
        details = {"details": dict(self.details)} if self.details else {}
        return {
            "judge": self.judge,
            **task,
            "folder": f"trained/{self.folder}",
            **self.scores,
            **details,
        }


@dataclass(frozen=True)
class SeedSpread:
    """The accuracy of several seeds on one set: mean, standard deviation and its components.

    `total`, `independent` and `covariance` are those of Zhou et al. (2020); None where they cannot
    be computed.
    """

    dataset: str
    seeds: int
    mean: float
    total: float | None
    independent: float | None
    covariance: float | None

    def to_row(self) -> dict[str, Any]:
        """Return one row of a table."""
        parts = {
            name: getattr(self, name) for name in ("mean", "total", "independent", "covariance")
        }
        return {"judge": f"{self.seeds} seeds on {self.dataset}", **parts}


@dataclass(frozen=True)
class TrainResult:
    """The trained models, in the order of seeds and tasks, and the spread over seeds if several."""

    models: Sequence[TrainedModel]
    spread: Sequence[SeedSpread] = ()

    def score_rows(self) -> list[dict[str, Any]]:
        """Return one row per model and measured set: the score with its measure, interval and n."""
        return [
            {
                "model": f"trained/{model.folder}",
                **({"task": model.task} if model.task else {}),
                "set": name,
                "score": score,
                **model.details.get(name, {}),
            }
            for model in self.models
            for name, score in model.scores.items()
        ]

    def to_rows(self) -> list[dict[str, Any]]:
        """Return one row per model and per spread, as `grice train` prints them."""
        return [
            *(model.to_row() for model in self.models),
            *(spread.to_row() for spread in self.spread),
        ]
