"""Judges whose questions are answered by the workers of a cluster."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

from grice.cluster.scheduler import Cluster
from grice.core.errors import GriceError, InputError
from grice.core.item import Question
from grice.core.judgement import Asker, HasNotes, Judge, Judgement, Learner, RunsAlone, in_turn
from grice.core.scale import Scale

# Fixed, and not a share of the work, so that batches do not depend on the number of workers.
PART = 128


def asker(judge: Judge | Learner, cluster: Cluster) -> Asker | None:
    """Return how the workers of a Ray cluster are asked; None where this process asks the judge.

    The number of workers does not change the run. A judge that must be evaluated by one process is
    refused, with its reason.
    """
    if cluster.engine == "local":
        return None
    if isinstance(judge, Judge) and isinstance(judge, RunsAlone) and judge.alone_because:
        raise InputError(
            f"'{judge.name}' cannot be asked by several workers: {judge.alone_because};"
            " use --engine local"
        )
    return partial(_ask, cluster)


def _ask(
    cluster: Cluster, judge: Judge, questions: Iterable[Question], scale: Scale
) -> Iterator[Judgement]:
    """Yield the judge's answers, part by part, in the order of the questions.

    Its notes become the counts of all parts; anything else, such as a rate, holds for a part alone.
    """
    _carry(judge)

    def make() -> Callable[[list[Question]], tuple[list[Judgement], dict[str, Any]]]:
        return lambda part: (_answers(judge, part, scale), _counts(judge))

    totals: dict[str, int] = {}
    source = iter(questions)
    parts = iter(lambda: list(itertools.islice(source, PART)), [])
    for judgements, counts in cluster.map(make, parts):
        yield from judgements
        for key, value in counts.items():
            totals[key] = totals.get(key, 0) + value
        if isinstance(judge, HasNotes) and isinstance(judge.notes, dict):
            judge.notes.update(totals)


def _counts(judge: Judge) -> dict[str, int]:
    notes = judge.notes if isinstance(judge, HasNotes) else {}
    return {key: value for key, value in notes.items() if type(value) is int}


def _answers(judge: Judge, part: list[Question], scale: Scale) -> list[Judgement]:
    """Return the judgements of a part in the order of its questions; a judge may use another."""
    replies = list(judge.judge(part, scale))
    ordered = list(in_turn(part, replies))
    if not len(part) == len(ordered) == len(replies):
        raise GriceError(f"'{judge.name}' did not reply once to each of {len(part)} questions")
    return ordered


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
