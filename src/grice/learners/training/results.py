"""What a training gives back: models in their folders with their scores, and over several seeds their spread."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from grice.core.judgement import Judge


@dataclass(frozen=True)
class SavedModel:
    """A judge that was just trained, and its folder."""

    judge: Judge
    folder: Path


@dataclass(frozen=True)
class TrainedModel:
    """A trained model: the name of its judge, its folder, its task among several, and its score on each measured set.

    A set without gold has the score None.
    """

    judge: str
    folder: Path
    task: str = ""
    scores: Mapping[str, float | None] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """As a JSON object; `from_json` reads it."""
        return {
            "judge": self.judge,
            "folder": str(self.folder),
            "task": self.task,
            "scores": dict(self.scores),
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> TrainedModel:
        """The model that `to_json` wrote."""
        return cls(value["judge"], Path(value["folder"]), value["task"], value["scores"])

    def to_row(self) -> dict[str, Any]:
        """One row of a table."""
        task = {"task": self.task} if self.task else {}
        return {"judge": self.judge, **task, "folder": f"trained/{self.folder}", **self.scores}


@dataclass(frozen=True)
class SeedSpread:
    """The accuracy of several seeds on one set: its mean and standard deviation, and how much of that items share.

    `total`, `independent` and `covariance` are those of Zhou et al. (2020); None where they cannot be computed.
    """

    dataset: str
    seeds: int
    mean: float
    total: float | None
    independent: float | None
    covariance: float | None

    def to_row(self) -> dict[str, Any]:
        """One row of a table."""
        return {
            "judge": f"{self.seeds} seeds on {self.dataset}",
            "mean": self.mean,
            "total": self.total,
            "independent": self.independent,
            "covariance": self.covariance,
        }


@dataclass(frozen=True)
class TrainResult:
    """The trained models, in the order of seeds and tasks, and the spread over seeds where there are several."""

    models: Sequence[TrainedModel]
    spread: Sequence[SeedSpread] = ()

    def to_rows(self) -> list[dict[str, Any]]:
        """One row for each model and each spread, as `grice train` prints them."""
        return [one.to_row() for one in (*self.models, *self.spread)]
