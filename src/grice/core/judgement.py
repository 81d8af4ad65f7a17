"""Judgements, and the protocols that a judge may implement."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from grice.core.errors import InputError
from grice.core.item import Question
from grice.core.scale import Answer, Scale

if TYPE_CHECKING:
    from grice.core.dataset import Dataset
    from grice.core.usage import Price


@dataclass(frozen=True)
class Judgement:
    """One judge's reply to one item: an answer or a fault that says why there is none, never both.

    `probs` names every label and sums to 1; `raw` holds the unparsed reply. `mass` is the total
    probability that a language model gives to the options; `cells` holds the answer to each prompt
    variant where there are several.

    >>> Judgement("mine/0", "neutral").to_json()
    {'id': 'mine/0', 'answer': 'neutral'}
    """

    item: str
    answer: Answer | None = None
    fault: str | None = None
    probs: Mapping[str, float] | None = None
    raw: str | None = None
    seconds: float | None = None
    mass: float | None = None
    cells: tuple[Mapping[str, Any], ...] | None = None

    def __post_init__(self) -> None:
        if (self.answer is None) == (self.fault is None):
            raise InputError(
                f"item '{self.item}': a judgement has an answer or a fault, and not both"
            )

    def problem(self, scale: Scale) -> str | None:
        """Return why this answer is not valid on the scale, or None."""
        if self.answer is not None and not scale.accepts(self.answer):
            return f"answer {self.answer!r} is not on the scale {scale}"
        if self.probs is not None:
            return probs_problem(self.probs, scale)
        return None

    def to_json(self) -> dict[str, Any]:
        """Return the line of a file of judgements; what is absent is left out."""
        line: dict[str, Any] = {"id": self.item}
        for key, value in vars(self).items():
            if value is None or key == "item":
                continue
            if key == "probs":
                line[key] = dict(value)
            else:
                line[key] = escape_surrogates(json.dumps(value) if key == "cells" else value)
        return line


def escape_surrogates(value: Any) -> Any:
    r"""Escape lone surrogates, which a server may send and no file can hold, as `\ud800`."""
    return value.encode("utf-8", "backslashreplace").decode() if isinstance(value, str) else value


def probs_problem(probs: Mapping[str, float], scale: Scale, tolerance: float = 1e-3) -> str | None:
    """Return why these are not probabilities of the scale's labels, or None."""
    if scale.numeric:
        return "probabilities of labels do not go with a numeric scale"
    if set(probs) != set(scale.labels):
        return (
            f"probabilities name {', '.join(sorted(probs))}, the scale has"
            f" {', '.join(scale.labels)}"
        )
    if any(not 0 <= p <= 1 + tolerance for p in probs.values()):
        return f"probabilities {list(probs.values())} are not between 0 and 1"
    if abs(sum(probs.values()) - 1) > tolerance:
        return f"probabilities sum to {sum(probs.values()):.4f}, not to 1"
    return None


def best(probs: Mapping[str, float]) -> str:
    """Return the label of the highest probability; the first of equals."""
    return max(probs, key=lambda label: probs[label])


@runtime_checkable
class Judge(Protocol):
    """Anything that answers: a model, a baseline, a prediction file, a person.

    Optional capabilities are declared below; callers check them with `isinstance(judge, HasNotes)`.

    >>> import grice
    >>> isinstance(grice.load_judge("baseline/random"), Judge)
    True
    """

    @property
    def name(self) -> str:
        """Name `provider/name`, as runs and tables show it."""

    @property
    def identity(self) -> Mapping[str, Any]:
        """All that could change an answer: weights hash, settings, prompt."""

    def judge(self, questions: Iterable[Question], scale: Scale) -> Iterator[Judgement]:
        """Reply to each question once, in any order."""


def in_turn(questions: Sequence[Question], judgements: Iterable[Judgement]) -> Iterator[Judgement]:
    """Yield judgements in the order of the questions; one that comes early waits for its turn.

    >>> judgements = [Judgement("b", "neutral"), Judgement("a", "neutral")]
    >>> [j.item for j in in_turn([Question("a", "…"), Question("b", "…")], judgements)]
    ['a', 'b']
    """
    early: dict[str, Judgement] = {}
    turn = iter(questions)
    expected = next(turn, None)
    for judgement in judgements:
        early[judgement.item] = judgement
        while expected and expected.id in early:
            yield early.pop(expected.id)
            expected = next(turn, None)


# How a judge is asked: by this process, or by the workers of a cluster.
Asker = Callable[[Judge, Iterable[Question], Scale], Iterator[Judgement]]


@runtime_checkable
class Learner(Protocol):
    """Trains a judge on items with gold; fitting never changes the learner itself.

    >>> import grice
    >>> isinstance(grice.load_judge("baseline/majority"), Learner)
    True
    """

    def fit(self, train: Dataset, dev: Dataset | None = None) -> Judge:
        """Train a judge on the gold of `train`; `dev` may serve to select between several."""


@runtime_checkable
class HasNotes(Protocol):
    """Judge with facts about its last answers: tokens spent, number of truncated pairs."""

    @property
    def notes(self) -> Mapping[str, Any]:
        """Facts by name; empty before the first answer."""


@runtime_checkable
class SumsUp(Protocol):
    """Judge whose stored replies hold their usage, so that a run's totals survive a crash.

    See `core.usage`.
    """

    @property
    def price(self) -> Price | None:
        """Price of a million tokens, if known."""


@runtime_checkable
class EstimatesCost(Protocol):
    """Judge that can estimate the cost of answers in advance."""

    def estimate(self, questions: Sequence[Question], scale: Scale) -> dict[str, Any]:
        """Return requests, tokens and cost of asking these questions, at most."""


@runtime_checkable
class ShowsPrompt(Protocol):
    """Judge with a prompt that can be shown without asking."""

    def show_prompt(self, question: Question, scale: Scale) -> list[dict[str, Any]]:
        """Return exactly what the model reads for a question, one entry per prompt."""


@runtime_checkable
class HasSurprisal(Protocol):
    """Language model that can give the probability of a text."""

    def surprisal(self, texts: Sequence[str]) -> list[float | None]:
        """Return the bits of each text after its first token; None where the model gave none."""


@runtime_checkable
class HasVectors(Protocol):
    """Judge that encodes sentences one by one and can give the vector of each."""

    def embed(self, sentences: Sequence[str]) -> Any:
        """Return a row of numbers for each sentence."""


@runtime_checkable
class RunsAlone(Protocol):
    """Judge that may not be distributed over several processes."""

    @property
    def alone_because(self) -> str:
        """Reason that it must run in one process; empty if there is none."""


@runtime_checkable
class HasRecordedAnswers(Protocol):
    """Judge with recorded answers: it answers the items it knows and no others."""

    def knows(self, ids: Iterable[str]) -> bool:
        """Return whether the judge has an answer to any of these items."""


@runtime_checkable
class BindsItems(Protocol):
    """Judge that needs all item ids up front, such as a prediction file."""

    def bind(self, ids: Sequence[str], scale: Scale) -> Judge:
        """Return the same judge, checked against the items that it must answer."""


@runtime_checkable
class WorksInFolder(Protocol):
    """Judge that stores something in the run's folder for the next session, such as a batch."""

    def work_in(self, folder: Path) -> Judge:
        """Return the same judge, storing its state in a run's folder."""


@runtime_checkable
class HasArithmetic(Protocol):
    """Judge that is computed on this machine."""

    @property
    def arithmetic(self) -> Mapping[str, Any]:
        """Engine, precision and kind of machine, noted in a run.

        What could change an answer is in `identity`.
        """


CAPABILITIES = (
    HasNotes,
    SumsUp,
    EstimatesCost,
    ShowsPrompt,
    HasSurprisal,
    RunsAlone,
    BindsItems,
    WorksInFolder,
    HasArithmetic,
    HasRecordedAnswers,
)


@runtime_checkable
class LoadsJudge(Protocol):
    """Learner that can load what it saved, as the judge `trained/FOLDER`."""

    def load_judge(self, folder: str, **settings: str) -> Judge:
        """Return the judge of a folder that this learner wrote."""
