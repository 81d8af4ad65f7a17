"""Training arguments, set by a recipe and `-M key=value`, and the shape of a net.

This module needs no torch.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from grice.core.errors import InputError, unknown
from grice.core.settings import check_settings, read_settings, setting
from grice.core.shelf import PAPERS

MEASURES = ("accuracy", "macro_f1", "pearson", "mse", "span_f1", "loss")


def _degree(value: Any) -> float:
    return float({"true": 1, "false": 0}.get(str(value).lower(), value))


@dataclass(frozen=True)
class TrainingArguments:
    """The arguments of one training; `-M key=value` sets each by its name.

    `batch_size` counts pairs over all processes. `precision=auto` is bf16 on a GPU and fp32
    elsewhere. `measure` chooses the best epoch on dev, which is scored `evals_per_epoch` times;
    `patience` is in epochs, and 0 never stops early. `min_steps` adds epochs until so many steps
    are made, which small sets need. `ema` is the decay of an exponential moving average of the
    weights (0.99 is about the last hundred steps), which is then what is scored and saved. With
    `cuda_graphs`, steps on one GPU are captured once per shape of batch and replayed. A checkpoint
    to resume from is written every `save_steps` steps, or at the end of an epoch when
    `save_seconds` have passed. `balanced` is the power of the inverse frequency by which a label's
    examples are weighted: 0 not at all, 1 (or `true`) so that all labels count the same.
    """

    epochs: int = setting(3, low=1)
    batch_size: int = setting(32, low=1)
    learning_rate: float = setting(2e-5, above=0)
    warmup_ratio: float = 0.06
    weight_decay: float = 0.01
    dropout: float | None = None
    max_grad_norm: float = 1.0
    precision: str = setting("auto", choices=("auto", "fp32", "bf16"))
    measure: str = setting("", choices=MEASURES, noun="measure for choosing an epoch")
    patience: int = 0
    balanced: float = setting(0.0, low=0, high=1, read=_degree)
    max_length: int = 128
    min_steps: int = 0
    ema: float = setting(0.0, low=0, below=1)
    evals_per_epoch: int = setting(1, low=1)
    cuda_graphs: bool = True
    save_steps: int = 0
    save_seconds: float = 60.0
    seed: int = setting(0, low=0)

    def __post_init__(self) -> None:
        check_settings(self)

    def with_settings(self, settings: Mapping[str, Any]) -> TrainingArguments:
        """Return a copy with some arguments changed; text values become numbers."""
        return read_settings(TrainingArguments, settings, noun="setting of training", base=self)


@dataclass(frozen=True)
class LearnerSettings:
    """Settings of every learner, in addition to the arguments of its training."""

    hypothesis_only: bool = False
    reading: str = ""
    recipe: str = ""


@dataclass(frozen=True)
class CheckpointSettings(LearnerSettings):
    """Settings of a learner that starts from a checkpoint."""

    base: str = "all-MiniLM-L6-v2"


@dataclass(frozen=True)
class NetShape:
    """The shape of a net over word vectors.

    `pool` combines words by sum, mean or max, or by aligning both texts; `lstm` is the
    number of units per direction, `hidden` that of units before the output.

    `matched` pairs are u, v, |u−v|, u·v; others are u, v.
    """

    pool: str
    lstm: int = 0
    hidden: int = 0
    matched: bool = False
    dropout: float = 0.1


MINI = "grice-mini"


def recipe(name: str) -> TrainingArguments:
    """Return the training arguments of a paper, or those of the built-in model.

    A paper is named by its name or file.
    """
    if name == MINI:
        return TrainingArguments(
            epochs=8, batch_size=256, learning_rate=3e-4, ema=0.99, evals_per_epoch=2
        )
    if not PAPERS.has(name):
        raise unknown("recipe", name, [*PAPERS.names(), MINI])
    settings: Mapping[str, str | float] = PAPERS.find(name).recipe
    if not settings:
        raise InputError(
            f"the paper '{name}' has no recipe; name another, or set the numbers with -M"
        )
    return TrainingArguments().with_settings(settings)
