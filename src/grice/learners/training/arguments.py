"""The arguments of a training, which a recipe names and `-M key=value` changes, and the shape of a net. Needs no torch."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from grice.core.errors import InputError, unknown
from grice.core.settings import truth
from grice.core.shelf import PAPERS

PRECISIONS = ("auto", "fp32", "bf16")
MEASURES = ("accuracy", "macro_f1", "pearson", "mse", "span_f1", "loss")


@dataclass(frozen=True)
class TrainingArguments:
    """The arguments of one training; `-M key=value` sets each by its name.

    `batch_size` counts pairs over all processes. `precision=auto` is bf16 on a GPU and fp32 elsewhere. `measure`
    chooses the best epoch on dev, which is scored `evals_per_epoch` times; `patience` is in epochs, and 0 never stops
    early. `min_steps` adds epochs until so many steps are made, which small sets need. `ema` is the decay of an
    exponential moving average of the weights (0.99 is about the last hundred steps), which is then what is scored and
    saved. With `cuda_graphs`, steps on one GPU are captured once per shape of batch and replayed. A checkpoint to
    resume from is written every `save_steps` steps, or at the end of an epoch when `save_seconds` have passed.
    `balanced` is the power of the inverse frequency by which a label's examples are weighted: 0 not at all, 1 (or
    `true`) so that all labels count the same.
    """

    epochs: int = 3
    batch_size: int = 32
    learning_rate: float = 2e-5
    warmup_ratio: float = 0.06
    weight_decay: float = 0.01
    dropout: float | None = None
    max_grad_norm: float = 1.0
    precision: str = "auto"
    measure: str = ""
    patience: int = 0
    balanced: float = 0.0
    max_length: int = 128
    min_steps: int = 0
    ema: float = 0.0
    evals_per_epoch: int = 1
    cuda_graphs: bool = True
    save_steps: int = 0
    save_seconds: float = 60.0
    seed: int = 0

    def __post_init__(self) -> None:
        if self.precision not in PRECISIONS:
            raise unknown("precision", self.precision, PRECISIONS)
        if self.measure and self.measure not in MEASURES:
            raise unknown("measure for choosing an epoch", self.measure, MEASURES)
        if min(self.epochs, self.batch_size) < 1 or self.learning_rate <= 0:
            raise InputError(
                f"training needs epochs and batch_size of at least 1 and a learning_rate above 0, not {self.epochs}, {self.batch_size}, {self.learning_rate:g}"
            )
        if self.evals_per_epoch < 1:
            raise InputError(
                f"-M evals_per_epoch, the times dev is scored an epoch, is at least 1, not {self.evals_per_epoch}"
            )
        if not 0 <= self.ema < 1:
            raise InputError(f"-M ema is 0 (no moving average) up to, not including, 1, not {self.ema:g}")
        if not 0 <= self.balanced <= 1:
            raise InputError(
                f"-M balanced is from 0 (each example counts the same) to 1 (each label does), not {self.balanced:g}"
            )

    def with_settings(self, settings: Mapping[str, Any]) -> TrainingArguments:
        """A copy with some arguments changed; words become numbers."""
        return replace(self, **{key: _read(key, value) for key, value in settings.items()})


@dataclass(frozen=True)
class NetShape:
    """How a net reads: `pool` words by sum, mean or max; `lstm` units a direction; `hidden` units before the answer.

    `matched` pairs are u, v, |u−v|, u·v; others are u, v.
    """

    pool: str
    lstm: int = 0
    hidden: int = 0
    matched: bool = False
    dropout: float = 0.1


MINI = "grice-mini"


def recipe(name: str) -> TrainingArguments:
    """The training arguments of a paper, by the paper's name or file, or those of the built-in model."""
    if name == MINI:
        return TrainingArguments(epochs=8, batch_size=256, learning_rate=3e-4, ema=0.99, evals_per_epoch=2)
    if not PAPERS.has(name):
        raise unknown("recipe", name, [*PAPERS.names(), MINI])
    found: Mapping[str, str | float] = PAPERS.find(name).recipe
    if not found:
        raise InputError(f"the paper '{name}' has no recipe; name another, or set the numbers with -M")
    return TrainingArguments().with_settings(found)


def argument_names() -> set[str]:
    """The names of all training arguments."""
    return {field.name for field in fields(TrainingArguments)}


def _read(key: str, value: Any) -> Any:
    kinds = {field.name: str(field.type) for field in fields(TrainingArguments)}
    if key not in kinds:
        raise unknown("setting of training", key, kinds)
    try:
        if key == "balanced":
            return float({"true": 1, "false": 0}.get(str(value).lower(), value))
        if kinds[key] == "bool":
            return truth(key, value)
        if kinds[key] == "int":
            return int(value)
        return str(value) if kinds[key] == "str" else float(value)
    except ValueError:
        raise InputError(f"-M {key} takes {kinds[key].partition(' ')[0]}, not '{value}'") from None
