"""Answer scales: a set of labels, or the numbers between two ends."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from grice.core.errors import InputError

Answer = str | float
# Columns of joined replies with the ends of their scale, where it is numeric.
SCALE_ENDS = ("scale.low", "scale.high")


@dataclass(frozen=True)
class Scale:
    """Either `labels`, or `low` and `high`; the only definition of an order of labels.

    `step` is the grain of one person's answer (a Likert point); a mean may fall between two steps.

    >>> print(grice.Scale(("yes", "no")), "or", grice.Scale(low=0, high=1))
    yes | no or 0 … 1
    """

    labels: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None
    step: float | None = None

    def __post_init__(self) -> None:
        numeric = self.low is not None and self.high is not None
        if bool(self.labels) == numeric:
            raise InputError(
                f"a scale has either labels, or a low and a high end; give one of them: {self!r}"
            )
        if len(set(self.labels)) != len(self.labels):
            raise InputError(f"a scale has a label twice; rename one: {', '.join(self.labels)}")
        if self.low is not None and self.high is not None and not self.low < self.high:
            raise InputError(
                f"the low end of a scale must be below the high end; swap them: {self.low} …"
                f" {self.high}"
            )

    @property
    def numeric(self) -> bool:
        """Whether answers are numbers."""
        return not self.labels

    def accepts(self, answer: object) -> bool:
        """Return whether an answer is one of the labels, or a number between the ends."""
        if self.labels:
            return isinstance(answer, str) and answer in self.labels
        if isinstance(answer, bool) or not isinstance(answer, int | float):
            return False
        assert self.low is not None and self.high is not None
        # Compared before conversion: an integer of hundreds of digits is no float.
        return self.low <= answer <= self.high and math.isfinite(answer)

    def __str__(self) -> str:
        return " | ".join(self.labels) if self.labels else f"{self.low:g} … {self.high:g}"

    def to_json(self) -> dict[str, Any]:
        """Return the labels, or the ends and the step where there is one."""
        if self.labels:
            return {"labels": list(self.labels)}
        ends: dict[str, Any] = {"low": self.low, "high": self.high}
        return ends if self.step is None else {**ends, "step": self.step}

    @staticmethod
    def from_json(value: Mapping[str, Any]) -> Scale:
        """Return the scale that `to_json` gave."""
        try:
            labels = tuple(value.get("labels", ()))
            if not all(isinstance(label, str) for label in labels):
                raise TypeError
            return Scale(labels, value.get("low"), value.get("high"), value.get("step"))
        except TypeError:
            raise InputError(
                f"{str(dict(value))[:100]} is not a scale; give labels, or a low and a high end"
            ) from None


NLI = Scale(labels=("entailment", "neutral", "contradiction"))
UNIT = Scale(low=0.0, high=1.0)
LIKERT5 = Scale(low=-2.0, high=2.0, step=1.0)


def scale_of(answers: Iterable[Answer]) -> Scale:
    """Infer the scale of these answers, where none was named.

    Answers that include entailment or contradiction are on NLI, so that a misspelt label is found;
    so are answers that are all neutral. Numbers are on a range, 0 to 1 if they fit; any other
    words are the labels.
    """
    values = list(answers)
    if values and all(isinstance(answer, int | float) for answer in values):
        try:
            numbers = [float(answer) for answer in values]
        except OverflowError:
            raise InputError("an answer is a number of hundreds of digits; correct it") from None
        if not all(map(math.isfinite, numbers)):
            raise InputError("an answer is nan or infinite; leave it out or correct it")
        low, high = min(numbers), max(numbers)
        if low >= 0 and high <= 1:
            return UNIT
        return Scale(low=math.floor(low), high=max(math.ceil(high), math.floor(low) + 1))
    labels = {str(answer) for answer in values}
    lower = {word.lower() for word in labels}
    if not labels or lower & {"entailment", "contradiction"} or lower == {"neutral"}:
        return NLI
    return Scale(labels=tuple(sorted(labels)))
