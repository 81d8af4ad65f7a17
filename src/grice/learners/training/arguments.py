"""How to train: the numbers a recipe names and `-M key=value` changes. Needs no torch."""

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
class Plan:
    """One course of training. `batch` counts pairs over all processes; `patience` 0 never stops early.

    `precision=auto` is bf16 on a GPU and fp32 elsewhere; `measure` chooses the best epoch on dev. `least_steps` adds
    epochs until so many steps are made, which small sets need. `average` keeps a running mean of the weights with
    this memory (0.99 is about the last hundred steps) and judges and saves that. Dev is scored `looks` times an epoch.
    With `graphs`, steps on one GPU are recorded once a shape of batch and replayed. What a kill would lose is written
    every `save_steps` steps, or at the end of an epoch when `save_seconds` have passed. `balanced` is the power of
    the inverse frequency by which a label's examples are weighed: 0 none, 1 (or `true`) makes labels count the same.
    """

    epochs: int = 3
    batch: int = 32
    rate: float = 2e-5
    warmup: float = 0.06
    weight_decay: float = 0.01
    dropout: float | None = None
    clip: float = 1.0
    precision: str = "auto"
    measure: str = ""
    patience: int = 0
    balanced: float = 0.0
    max_length: int = 128
    least_steps: int = 0
    average: float = 0.0
    looks: int = 1
    graphs: bool = True
    save_steps: int = 0
    save_seconds: float = 60.0
    seed: int = 0

    def __post_init__(self) -> None:
        if self.precision not in PRECISIONS:
            raise unknown("precision", self.precision, PRECISIONS)
        if self.measure and self.measure not in MEASURES:
            raise unknown("measure for choosing an epoch", self.measure, MEASURES)
        if min(self.epochs, self.batch) < 1 or self.rate <= 0:
            raise InputError(
                f"training needs epochs and batch of at least 1 and a rate above 0, not {self.epochs}, {self.batch}, {self.rate:g}"
            )
        if self.looks < 1:
            raise InputError(f"-M looks, the times dev is scored an epoch, is at least 1, not {self.looks}")
        if not 0 <= self.average < 1:
            raise InputError(
                f"-M average is 0 (no running mean) up to, not including, 1, not {self.average:g}"
            )
        if not 0 <= self.balanced <= 1:
            raise InputError(
                f"-M balanced is from 0 (each example counts the same) to 1 (each label does), not {self.balanced:g}"
            )

    def changed(self, settings: Mapping[str, Any]) -> Plan:
        """The same plan with some numbers of it changed; words become numbers."""
        return replace(self, **{key: _read(key, value) for key, value in settings.items()})


MINI = "grice-mini"


def recipe(name: str) -> Plan:
    """The plan that a paper trained with, by the paper's name or file, or that of the built-in model."""
    if name == MINI:
        return Plan(epochs=8, batch=256, rate=3e-4, average=0.99, looks=2)
    if not PAPERS.has(name):
        raise unknown("recipe", name, [*PAPERS.names(), MINI])
    found: Mapping[str, str | float] = PAPERS.find(name).recipe
    if not found:
        raise InputError(f"the paper '{name}' has no recipe; name another, or set the numbers with -M")
    return Plan().changed(found)


def plan_keys() -> set[str]:
    return {field.name for field in fields(Plan)}


def _read(key: str, value: Any) -> Any:
    kinds = {field.name: str(field.type) for field in fields(Plan)}
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
