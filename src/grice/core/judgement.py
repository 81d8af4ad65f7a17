"""What is left when a judge has answered, and what it takes to be a judge."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from grice.core.errors import InputError
from grice.core.item import Question
from grice.core.scale import Answer, Scale

if TYPE_CHECKING:
    from grice.core.dataset import Dataset


@dataclass(frozen=True)
class Judgement:
    """One judge's reply to one item: an answer or a fault that says why there is none, never both.

    `probs` names every label and sums to 1; `raw` keeps what came back before it was read.
    """

    item: str
    answer: Answer | None = None
    fault: str | None = None
    probs: Mapping[str, float] | None = None
    raw: str | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        if (self.answer is None) == (self.fault is None):
            raise InputError(f"item '{self.item}': a judgement has an answer or a fault, and not both")

    def problem(self, scale: Scale) -> str | None:
        """Why this cannot stand on the scale, or None."""
        if self.answer is not None and not scale.accepts(self.answer):
            return f"answer {self.answer!r} is not on the scale {scale}"
        if self.probs is not None:
            return probs_problem(self.probs, scale)
        return None

    def to_json(self) -> dict[str, Any]:
        line: dict[str, Any] = {"id": self.item}
        for key in ("answer", "fault", "probs", "raw", "seconds"):
            value = getattr(self, key)
            if value is not None:
                line[key] = dict(value) if key == "probs" else value
        return line


def probs_problem(probs: Mapping[str, float], scale: Scale, tolerance: float = 1e-3) -> str | None:
    if scale.numeric:
        return "probabilities of labels do not go with a numeric scale"
    if set(probs) != set(scale.labels):
        return f"probabilities name {', '.join(sorted(probs))}, the scale has {', '.join(scale.labels)}"
    if any(not 0 <= p <= 1 + tolerance for p in probs.values()):
        return f"probabilities {list(probs.values())} are not between 0 and 1"
    if abs(sum(probs.values()) - 1) > tolerance:
        return f"probabilities sum to {sum(probs.values()):.4f}, not to 1"
    return None


def best(probs: Mapping[str, float]) -> str:
    """The label of the highest probability; the first of equals."""
    return max(probs, key=lambda label: probs[label])


@runtime_checkable
class Judge(Protocol):
    """Whatever answers: a model, a baseline, a file of recorded answers, a person.

    `identity` holds all that could change an answer (revision or weights hash, settings, prompt), so that one
    model never gets another's answers. `judge` replies to each question once, in any order.
    """

    @property
    def name(self) -> str: ...

    @property
    def identity(self) -> Mapping[str, Any]: ...

    def judge(self, questions: Iterable[Question], scale: Scale) -> Iterator[Judgement]: ...


@runtime_checkable
class Computes(Protocol):
    """A judge that is computed here; `arithmetic` says by which engine, in which precision, on what kind of machine.

    It is noted in a run and tells no run from another: what could change an answer is in `identity`.
    """

    @property
    def arithmetic(self) -> Mapping[str, Any]: ...


@runtime_checkable
class Learner(Protocol):
    """Turns items with gold into a judge; fitting never changes the learner itself."""

    def fit(self, train: Dataset, dev: Dataset | None = None) -> Judge: ...


@runtime_checkable
class Binds(Protocol):
    """A judge that must know all the ids of a dataset first, such as a file of recorded answers."""

    def bind(self, ids: Sequence[str], scale: Scale) -> Judge: ...
