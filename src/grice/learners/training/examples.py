"""Training examples of a task: all of them in every epoch, or a fresh sample.

Needs neither torch nor frames.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from grice.core.errors import InputError, unknown
from grice.core.scale import Scale

if TYPE_CHECKING:
    from grice.core.dataset import Dataset

# A label, a number on the scale's 0 … 1, a teacher's probabilities in the order of the labels, or a
# tag a word.
TargetValue = str | float | tuple[float, ...] | tuple[str, ...]
TASK = "task"


@dataclass(frozen=True)
class InputExample:
    """A text or a pair with the answer to learn; `weight` makes it count more or less."""

    first: str
    second: str | None
    target: TargetValue
    weight: float = 1.0


@dataclass(frozen=True)
class TaskExamples:
    """Examples of one task; `sample` draws that many in every epoch.

    Several sets of one task share a head: adversarial examples in full beside as many fresh ones of
    the base task are ConjNLI's Algorithm 1. Sets of several tasks share the encoder.
    """

    task: str
    scale: Scale
    examples: Sequence[InputExample]
    sample: int | None = None

    @classmethod
    def from_dataset(
        cls,
        data: Dataset,
        *,
        task: str = TASK,
        reading: str = "",
        side: str = "both",
        sample: int | None = None,
    ) -> TaskExamples:
        """Return the items of a dataset that have a gold answer; numbers are scaled to 0 … 1."""
        named = reading_of(data, reading)
        gold, scale = f"gold.{named}", data.readings[named]
        rows = data.frame.select("premise", "hypothesis", gold).drop_nulls(gold).iter_rows()
        examples = [
            InputExample(*visible_texts(a, b, side), _target(answer, scale))
            for a, b, answer in rows
        ]
        if not examples:
            raise InputError(
                f"'{data.name}' has no {named} gold to learn; name another reading with -M"
                " reading=…"
            )
        return cls(task, scale, examples, sample)

    def epoch_indices(self, number: int, seed: int) -> Iterator[int]:
        """Yield the indices of an epoch's examples: all, or a sample.

        Successive samples go through all examples before any is repeated.
        """
        if self.sample is None:
            yield from range(len(self.examples))
            return
        size = len(self.examples)
        for position in range(number * self.sample, (number + 1) * self.sample):
            turn, at = divmod(position, size)
            if at == 0 or position == number * self.sample:
                order = list(range(size))
                random.Random(f"{seed}/{self.task}/{turn}").shuffle(order)
            yield order[at]


NamedExamples = Mapping[str, TaskExamples]


def reading_of(data: Dataset, reading: str = "") -> str:
    """Return the reading to learn: the one named, or the first on the dataset's scale."""
    named = reading or next((r for r, s in data.readings.items() if s == data.scale), "")
    if named not in data.readings:
        raise unknown("reading", named, data.readings)
    return named


def visible_texts(first: str, second: str | None, side: str) -> tuple[str, str | None]:
    """Return the texts of a pair that a learner sees: both, or the hypothesis alone."""
    if side == "hypothesis":
        if second is None:
            raise InputError("hypothesis-only training needs pairs; these items have no hypothesis")
        return second, None
    return first, second


def balance_labels(sets: Sequence[TaskExamples], degree: float = 1.0) -> list[TaskExamples]:
    """Weight examples by their label's frequency in the task, to the power of -`degree`.

    The mean weight is 1.

    With degree 1 each label counts the same in sum, with 0 each example.
    """
    counts = {task_set.task: Counter[TargetValue]() for task_set in sets}
    for task_set in sets:
        counts[task_set.task].update(
            _label(example, task_set.scale) for example in task_set.examples
        )
    weights = {task: _weights(label_counts, degree) for task, label_counts in counts.items()}
    return [
        replace(
            task_set,
            examples=[
                replace(e, weight=weights[task_set.task][_label(e, task_set.scale)])
                for e in task_set.examples
            ],
        )
        for task_set in sets
    ]


def _weights(counts: Counter[TargetValue], degree: float) -> dict[TargetValue, float]:
    share = counts.total() / sum(count ** (1 - degree) for count in counts.values())
    return {target: share * count**-degree for target, count in counts.items()}


def _label(example: InputExample, scale: Scale) -> TargetValue:
    """Return the label that an example is counted under.

    Of a teacher's probabilities, it is the most probable label.
    """
    target = example.target
    if isinstance(target, tuple) and isinstance(target[0], float):
        return scale.labels[target.index(max(target))]
    return target


def _target(answer: str | float, scale: Scale) -> TargetValue:
    if isinstance(answer, str):
        return answer
    assert scale.low is not None and scale.high is not None
    return (answer - scale.low) / (scale.high - scale.low)
