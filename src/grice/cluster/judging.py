"""Judges whose questions are answered by the workers of a cluster."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from grice.cluster.scheduler import Cluster
from grice.core.errors import GriceError, InputError
from grice.core.item import Question
from grice.core.judgement import (
    BindsItems,
    HasArithmetic,
    HasNotes,
    Judge,
    Judgement,
    Learner,
    RunsAlone,
    SumsUp,
)
from grice.core.scale import Scale

if TYPE_CHECKING:
    from grice.core.dataset import Dataset
    from grice.core.usage import Price

# Fixed, and not a share of the work, so that batches do not depend on the number of workers.
PART = 128


def distribute(judge: Judge | Learner, cluster: Cluster) -> Judge | Learner:
    """Distribute a judge over the workers of a Ray cluster; return it unchanged for a local one.

    The number of workers does not change the run. A judge that must be evaluated by one process is
    refused, with its reason.
    """
    if cluster.engine == "local":
        return judge
    if not isinstance(judge, Judge):
        return DistributedLearner(judge, cluster)
    if isinstance(judge, RunsAlone) and judge.alone_because:
        why = judge.alone_because
        raise InputError(
            f"'{judge.name}' cannot be asked by several workers: {why}; use --engine local"
        )
    kind = DistributedBinding if isinstance(judge, BindsItems) else DistributedJudge
    kind = DistributedRequests if isinstance(judge, SumsUp) else kind
    return kind(judge, cluster)


@dataclass
class DistributedJudge:
    """A judge over many workers.

    Its name and identity are those of the judge, so a run can be resumed without Ray. Its notes are
    the counts of all parts together; anything else, such as a rate, holds for a part alone.
    """

    inner: Judge
    cluster: Cluster
    notes: dict[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The judge's own name."""
        return self.inner.name

    @property
    def identity(self) -> Mapping[str, Any]:
        """The judge's own identity."""
        return self.inner.identity

    @property
    def arithmetic(self) -> Mapping[str, Any]:
        """The arithmetic of this machine; other machines may differ and get another identity."""
        return self.inner.arithmetic if isinstance(self.inner, HasArithmetic) else {}

    def judge(self, questions: Iterable[Question], scale: Scale) -> Iterator[Judgement]:
        """Yield the judge's answers, part by part, in the order of the questions."""
        inner = self.inner
        _carry(inner)

        def make() -> Callable[[list[Question]], tuple[list[Judgement], dict[str, Any]]]:
            return lambda part: (
                _answers(inner, part, scale),
                dict(inner.notes) if isinstance(inner, HasNotes) else {},
            )

        source = iter(questions)
        parts = iter(lambda: list(itertools.islice(source, PART)), [])
        for judgements, notes in self.cluster.map(make, parts):
            yield from judgements
            for key, value in notes.items():
                if isinstance(value, int) and not isinstance(value, bool):
                    self.notes[key] = self.notes.get(key, 0) + value


@dataclass
class DistributedBinding(DistributedJudge):
    """A judge that must know all ids first, such as a file of answers, over many workers."""

    def bind(self, ids: Sequence[str], scale: Scale) -> Judge:
        """Return the judge bound to these ids, over the same workers."""
        assert isinstance(self.inner, BindsItems)
        return DistributedJudge(self.inner.bind(ids, scale), self.cluster)


@dataclass
class DistributedRequests(DistributedBinding):
    """A judge behind a network address, over many workers."""

    def bind(self, ids: Sequence[str], scale: Scale) -> Judge:
        """Return the judge bound to these ids, over the same workers."""
        bound = self.inner.bind(ids, scale) if isinstance(self.inner, BindsItems) else self.inner
        return DistributedRequests(bound, self.cluster)

    @property
    def price(self) -> Price | None:
        """The price of a million tokens, where it is known."""
        assert isinstance(self.inner, SumsUp)
        return self.inner.price


@dataclass(frozen=True)
class DistributedLearner:
    """A learner that is fitted in this process and answers over many workers."""

    inner: Learner
    cluster: Cluster

    def fit(self, train: Dataset, dev: Dataset | None = None) -> Judge:
        """Fit the learner and return the judge, over many workers."""
        return DistributedJudge(self.inner.fit(train, dev), self.cluster)


def _answers(judge: Judge, part: Sequence[Question], scale: Scale) -> list[Judgement]:
    """Return the judgements of a part in the order of its questions.

    A judge may answer in any order.

    Times differ each time, so they are left out.
    """
    judgements = {
        judgement.item: replace(judgement, seconds=None) for judgement in judge.judge(part, scale)
    }
    missing = [question.id for question in part if question.id not in judgements]
    if missing or len(judgements) != len(part):
        raise GriceError(
            f"'{judge.name}' did not reply once to each of {len(part)} questions: {missing[:1]}"
        )
    return [judgements[question.id] for question in part]


def _carry(judge: Judge) -> None:
    """Pickle the module of a user's judge by value, since other machines cannot import it."""
    module = sys.modules.get(type(judge).__module__)
    if (
        module is not None
        and getattr(module, "__spec__", None) is not None
        and "." not in module.__name__
    ):
        from ray import cloudpickle

        carried: Any = cloudpickle
        carried.register_pickle_by_value(module)
