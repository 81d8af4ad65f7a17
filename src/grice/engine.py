"""Spreading work over the workers of a Ray cluster, with one reader and the same results in the same order."""

from __future__ import annotations

import itertools
import os
import re
import socket
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit

from grice.core.errors import GriceError, InputError, MissingExtra
from grice.core.item import Question
from grice.core.judgement import Binds, Computes, Judge, Judgement, Learner
from grice.core.scale import Scale

if TYPE_CHECKING:
    from grice.core.dataset import Dataset

T = TypeVar("T")
R = TypeVar("R")
# Fixed, and not a share of the work: what is asked together then does not depend on the number of workers.
PART = 128
# A part that has brought down this many workers would bring down the next.
DEATHS = 3
LOOPBACK = ("localhost", "127.0.0.1", "::1")
# Seconds to wait for a cluster's door; a machine that is there opens it in far less.
PATIENCE = 4.0


@dataclass(frozen=True)
class Engine:
    """Where work is done: in this process, or by the workers of a Ray cluster."""

    name: str = "local"
    workers: int = 2
    gpus: float = 0.0

    def __post_init__(self) -> None:
        if self.name not in ("local", "ray"):
            raise InputError(f"there is no engine '{self.name}'; use local or ray")

    def wrap(self, judge: Judge | Learner) -> Judge | Learner:
        return judge if self.name == "local" else ray(judge, workers=self.workers, gpus=self.gpus)

    @property
    def scatter(self) -> Callable[[Callable[[], Callable[[Any], Any]], Iterable[Any]], Iterator[Any]] | None:
        """How to run a maker over parts elsewhere; nothing where the work stays here."""
        return None if self.name == "local" else partial(scatter, workers=self.workers, gpus=self.gpus)


def scatter(
    make: Callable[[], Callable[[T], R]], parts: Iterable[T], *, workers: int, gpus: float = 0.0
) -> Iterator[R]:
    """Each part through a function that every worker makes once; results in the order of the parts.

    A worker that dies is replaced and its part done again; an error of the function itself is raised here.
    """
    return _Crew(make, workers, gpus).run(parts)


def ray(judge: Judge | Learner, *, workers: int = 2, gpus: float = 0.0) -> Judge | Learner:
    """The same judge, asked by several workers; a run is the same whatever their number."""
    if not isinstance(judge, Judge):
        return SpreadLearner(judge, workers, gpus)
    reason = getattr(judge, "alone", "")
    if reason:
        raise InputError(f"'{judge.name}' cannot be asked by several workers: {reason}; use --engine local")
    return SpreadBound(judge, workers, gpus) if isinstance(judge, Binds) else Spread(judge, workers, gpus)


@dataclass
class Spread:
    """A judge over many workers. Its name and identity are the judge's own, so a run may go on without Ray."""

    inner: Judge
    workers: int
    gpus: float = 0.0
    notes: dict[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return self.inner.name

    @property
    def identity(self) -> Mapping[str, Any]:
        return self.inner.identity

    @property
    def arithmetic(self) -> Mapping[str, Any]:
        """Of this machine; workers on others have their own, and answer the same or under another identity."""
        return self.inner.arithmetic if isinstance(self.inner, Computes) else {}

    def judge(self, questions: Iterable[Question], scale: Scale) -> Iterator[Judgement]:
        parts = _parts(questions, PART)
        inner = self.inner
        _carry(inner)

        def make() -> Callable[[list[Question]], tuple[list[Judgement], dict[str, Any]]]:
            return lambda part: (_in_order(inner, part, scale), dict(getattr(inner, "notes", {}) or {}))

        for judgements, notes in scatter(make, parts, workers=self.workers, gpus=self.gpus):
            yield from judgements
            self._note(notes)

    def _note(self, notes: Mapping[str, Any]) -> None:
        """Counts of the parts add up, also one that begins a phrase: "3 longer than 256 tokens".

        Anything else, such as a rate, holds for its part alone and is left out.
        """
        for key, value in notes.items():
            count, rest = _count(value)
            if count is not None:
                total = count + (_count(self.notes[key])[0] or 0 if key in self.notes else 0)
                self.notes[key] = f"{total}{rest}" if rest else total


@dataclass
class SpreadBound(Spread):
    """A judge that must know all ids first, such as a file of answers, over many workers."""

    def bind(self, ids: Sequence[str], scale: Scale) -> Judge:
        assert isinstance(self.inner, Binds)
        return Spread(self.inner.bind(ids, scale), self.workers, self.gpus)


@dataclass(frozen=True)
class SpreadLearner:
    """Fits here, and answers over many workers."""

    inner: Learner
    workers: int
    gpus: float = 0.0

    def fit(self, train: Dataset, dev: Dataset | None = None) -> Judge:
        return Spread(self.inner.fit(train, dev), self.workers, self.gpus)


def _in_order(judge: Judge, part: Sequence[Question], scale: Scale) -> list[Judgement]:
    """A judge may reply in any order; the part's own is restored. Times differ each time, so they are left out."""
    found = {judgement.item: replace(judgement, seconds=None) for judgement in judge.judge(part, scale)}
    missing = [question.id for question in part if question.id not in found]
    if missing or len(found) != len(part):
        raise GriceError(f"'{judge.name}' did not reply once to each of {len(part)} questions: {missing[:1]}")
    return [found[question.id] for question in part]


def _parts(questions: Iterable[Question], size: int) -> Iterator[list[Question]]:
    source = iter(questions)
    while part := list(itertools.islice(source, size)):
        yield part


def _count(value: Any) -> tuple[int | None, str]:
    """The number a note is or begins with, and what follows it."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value, ""
    begun = re.match(r"(\d+)( .*)", value) if isinstance(value, str) else None
    return (int(begun[1]), begun[2]) if begun else (None, "")


class _Crew:
    """The workers, what each is busy with, and results that wait for their turn."""

    def __init__(self, make: Callable[[], Callable[[Any], Any]], workers: int, gpus: float) -> None:
        try:
            import ray as package
        except ImportError:
            raise MissingExtra("the ray engine", "ray") from None
        self.ray: Any = package
        self.started_here = _connect(package, workers)
        _check_room(self.ray.cluster_resources(), workers, gpus)
        # Handed over once: a judge may carry a model.
        made = package.put(make)
        labour = package.remote(num_cpus=1, num_gpus=gpus, max_restarts=0)(_Worker)
        self.hire: Callable[[], Any] = lambda: labour.remote(made)
        self.idle = [self.hire() for _ in range(workers)]
        self.busy: dict[Any, tuple[int, Any, Any]] = {}
        self.deaths: dict[int, int] = {}

    def run(self, parts: Iterable[Any]) -> Iterator[Any]:
        waiting: dict[int, Any] = {}
        queue = enumerate(parts)
        turn = 0
        try:
            while True:
                while self.idle and (following := next(queue, None)) is not None:
                    self._start(*following, self.idle.pop())
                if not self.busy:
                    return
                for number, result in self._finished():
                    waiting[number] = result
                while turn in waiting:
                    yield waiting.pop(turn)
                    turn += 1
        finally:
            self._dismiss()

    def _start(self, number: int, part: Any, worker: Any) -> None:
        self.busy[worker.do.remote(part)] = (number, part, worker)

    def _finished(self) -> Iterator[tuple[int, Any]]:
        done, _ = self.ray.wait(list(self.busy), num_returns=1)
        for reference in done:
            number, part, worker = self.busy.pop(reference)
            try:
                result = self.ray.get(reference)
            except self.ray.exceptions.RayTaskError as error:
                raise _own(error) from None
            except (self.ray.exceptions.ActorDiedError, self.ray.exceptions.ActorUnavailableError):
                self._again(number, part)
                continue
            self.idle.append(worker)
            yield number, result

    def _again(self, number: int, part: Any) -> None:
        self.deaths[number] = self.deaths.get(number, 0) + 1
        if self.deaths[number] >= DEATHS:
            raise GriceError(
                f"{DEATHS} workers died on the same part of the work (number {number}); "
                "give them more memory, or run with --engine local to see why"
            )
        self._start(number, part, self.hire())

    def _dismiss(self) -> None:
        for worker in [*self.idle, *(worker for _, _, worker in self.busy.values())]:
            self.ray.kill(worker)
        if self.started_here:
            self.ray.shutdown()


class _Worker:
    """Lives on the cluster; makes its function once and then does part after part."""

    def __init__(self, make: Callable[[], Callable[[Any], Any]]) -> None:
        self.function = make()

    def do(self, part: Any) -> Any:
        return self.function(part)


def _connect(package: Any, workers: int) -> bool:
    """Join the cluster that `RAY_ADDRESS` names or this process already uses; else start one here."""
    if package.is_initialized():
        return False
    quiet = {"log_to_driver": False, "configure_logging": False}
    address = os.environ.get("RAY_ADDRESS")
    if address:
        _knock(address)
    try:
        if address:
            package.init(**quiet)
        else:
            cores = max(workers, os.cpu_count() or 1)
            # "local" starts one of our own; without it Ray joins whatever cluster last ran on this machine.
            package.init("local", num_cpus=cores, include_dashboard=False, **quiet)
    except (OSError, RuntimeError, ValueError, package.exceptions.RayError) as error:
        said = " ".join(str(error).split())[:200]
        where = f"at RAY_ADDRESS={address}" if address else "here"
        raise GriceError(
            f"no Ray cluster could be joined {where} ({said}); check RAY_ADDRESS and RAY_AUTH_MODE, or unset them"
        ) from None
    return True


def _knock(address: str) -> None:
    """Whether anything listens at `host:port`: Ray itself would try for more than a minute before it says so.

    Words such as `auto`, and what is no address, are Ray's own to read.
    """
    parts = urlsplit(address if "://" in address else f"//{address}")
    try:
        host, port = parts.hostname, parts.port
    except ValueError:
        return
    if not host or not port:
        return
    # Ray puts this machine's own address in the place of loopback, so a cluster may listen there alone.
    doors = [host, socket.gethostname()] if host in LOOPBACK else [host]
    why = ""
    for door in doors:
        try:
            socket.create_connection((door, port), timeout=PATIENCE).close()
            return
        except OSError as error:
            why = why or error.strerror or str(error)
    raise GriceError(
        f"nothing answers at RAY_ADDRESS={address} ({why}); start a cluster there ('ray start --head'), or unset "
        "RAY_ADDRESS for one of this command's own"
    )


def _check_room(has: Mapping[str, float], workers: int, gpus: float) -> None:
    """Workers that find no room would wait for ever, holding their part of the work."""
    for kind, each in (("CPU", 1.0), ("GPU", gpus)):
        if has.get(kind, 0.0) < each * workers:
            raise GriceError(
                f"{workers} workers need {each * workers:g} {kind}s and the cluster has {has.get(kind, 0.0):g}; "
                "ask for fewer with --workers, or less for each with --gpus"
            )


def _carry(judge: Judge) -> None:
    """A judge from a user's own file travels with its code: other machines cannot import that file."""
    module = sys.modules.get(type(judge).__module__)
    if module is not None and getattr(module, "__spec__", None) is not None and "." not in module.__name__:
        from ray import cloudpickle

        carried: Any = cloudpickle
        carried.register_pickle_by_value(module)


def _own(error: Any) -> Exception:
    """The error as the worker's code raised it, without Ray's wrapping, so that a mistake stays one line."""
    cause = getattr(error, "cause", None)
    return cause if isinstance(cause, GriceError) else GriceError(f"a worker failed: {error}")
