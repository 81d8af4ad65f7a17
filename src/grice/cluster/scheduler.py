"""The scheduler: ordered results, jobs with dependencies, recovery from failures."""

from __future__ import annotations

import math
from collections import Counter, deque
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from grice.cluster.workers import BackEnd, Processes, Setup, WorkerDied
from grice.core.errors import GriceError, InputError, NoMemory

if TYPE_CHECKING:
    from grice.core.progress import ProgressCallback

T = TypeVar("T")
R = TypeVar("R")
# Results that may wait for an earlier one, for each worker: memory stays flat however long the
# work.
MAX_AHEAD = 3
# A mistyped number of workers would otherwise fill the memory.
MAX_WORKERS = 10_000
# A part that has brought down this many workers would bring down the next.
MAX_DEATHS = 3
NO_ROOM = (
    "the cluster has no room for a worker any more; add a node, then run the same command to go on"
)


@dataclass(frozen=True)
class Job(Generic[T]):
    """A piece of work that waits until the jobs named in `after` are done."""

    name: str
    work: T
    after: tuple[str, ...] = ()


@dataclass(frozen=True)
class Cluster:
    """The place of execution: processes of this machine (`local`) or a Ray cluster (`ray`).

    One local worker is this process itself. `gpus` is the share of a GPU that a Ray worker holds.
    """

    engine: str = "local"
    workers: int = 1
    gpus: float = 0.0

    def __post_init__(self) -> None:
        if self.engine not in ("local", "ray"):
            raise InputError(f"there is no engine '{self.engine}'; use local or ray")
        if not 0 <= self.gpus < math.inf:
            raise InputError(f"gpus is {self.gpus:g}; give a number, 0 or more")
        if self.workers > MAX_WORKERS:
            raise InputError(f"{self.workers} workers are too many; use at most {MAX_WORKERS:,}")

    def map(self, make: Callable[[], Callable[[T], R]], parts: Iterable[T]) -> Iterator[R]:
        """Map the parts with the function that `make` gives every worker once; keep their order.

        A worker that dies is replaced and its part done again; an error of the function itself is
        raised here.

        >>> list(Cluster().map(lambda: str.upper, ["a", "b"]))
        ['A', 'B']
        """
        if self._here:
            yield from map(make(), parts)
            return
        with self._pool(make, self.workers) as pool:
            yield from _in_order(pool, parts)

    def run(
        self,
        jobs: Iterable[Job[T]],
        make: Callable[[], Callable[[T], object]],
        *,
        setup: Setup | None = None,
        progress: ProgressCallback | None = None,
    ) -> tuple[set[str], dict[str, GriceError]]:
        """Run all jobs in dependency order; return the names of those done, and errors.

        A job that fails also fails those that depend on it. A job that ran out of memory while
        others ran, or whose worker died, is retried after them, with half as many at once.
        """
        queue = _Queue(list({job.name: job for job in jobs}.values()))
        if self._here:
            function = make()
            while job := queue.next_ready():
                queue.end(job, partial(function, job.work))
            return queue.done, queue.failed
        workers = self.workers
        while True:
            queue.shared = workers > 1
            with self._pool(make, workers, setup) as pool:
                _drain(pool, queue, progress)
            if not queue.deferred:
                return queue.done, queue.failed
            workers = max(1, workers // 2)
            queue.requeue_deferred()

    @property
    def _here(self) -> bool:
        return self.engine == "local" and self.workers <= 1

    @contextmanager
    def _pool(
        self, make: Callable[[], Any], workers: int, setup: Setup | None = None
    ) -> Iterator[_WorkerPool]:
        pool = _WorkerPool(self._back_end(make, workers, setup), workers)
        try:
            yield pool
        finally:
            pool.shutdown()

    def _back_end(self, make: Callable[[], Any], workers: int, setup: Setup | None) -> BackEnd:
        if self.engine == "local":
            return Processes(make, workers, setup)
        from grice.cluster.ray_actors import RayActors

        return RayActors(make, workers, setup, self.gpus)


# One process: this one.
LOCAL = Cluster()


@dataclass
class _Queue(Generic[T]):
    """Jobs that wait, in their order.

    One that finds no memory while they are `shared` out, or whose worker died, is set aside as
    `deferred`.
    """

    waiting: list[Job[T]]
    shared: bool = False
    deferred: list[Job[T]] = field(default_factory=list)
    done: set[str] = field(default_factory=set)
    failed: dict[str, GriceError] = field(default_factory=dict)
    deaths: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.total = len(self.waiting)

    def next_ready(self) -> Job[T] | None:
        """Remove and return the first job whose dependencies are done."""
        ready = next((job for job in self.waiting if self.done.issuperset(job.after)), None)
        if ready is not None:
            self.waiting.remove(ready)
        return ready

    def end(self, job: Job[T], result: Callable[[], object]) -> None:
        """Mark a job as done, failed, or deferred; those after a failed one are never ready."""
        try:
            result()
            self.done.add(job.name)
        except GriceError as error:
            if isinstance(error, WorkerDied):
                self.deaths[job.name] += 1
                again = self.deaths[job.name] < MAX_DEATHS
            else:
                again = self.shared and isinstance(error, NoMemory)
            if again:
                self.deferred.append(job)
            else:
                self.failed[job.name] = error

    def requeue_deferred(self) -> None:
        """Requeue the deferred jobs, first in the queue."""
        self.waiting, self.deferred = self.deferred + self.waiting, []


def _drain(pool: _WorkerPool, queue: _Queue[Any], progress: ProgressCallback | None) -> None:
    """Run all jobs of a queue with a pool, as far as they can be done."""
    while True:
        while pool.idle and (job := queue.next_ready()):
            pool.start(job, job.work)
        if not pool.busy:
            if not pool.idle and queue.next_ready():
                raise GriceError(NO_ROOM)
            return
        for job, _, result in pool.ended():
            queue.end(job, result)
        if progress is not None:
            progress(len(queue.done), queue.total)


def _in_order(pool: _WorkerPool, parts: Iterable[Any]) -> Iterator[Any]:
    """Yield the results of all parts in order; a result waits for those of the parts before it."""
    waiting: dict[int, Any] = {}
    deaths: Counter[int] = Counter()
    queue = enumerate(parts)
    retried: deque[tuple[int, Any]] = deque()
    begun = turn = 0
    while True:
        while pool.idle and retried:
            pool.start(*retried.popleft())
        while (
            pool.idle
            and begun - turn < MAX_AHEAD * pool.workers
            and (following := next(queue, None))
        ):
            pool.start(*following)
            begun += 1
        if not pool.busy:
            if retried:
                raise GriceError(NO_ROOM)
            return
        for number, part, result in pool.ended():
            try:
                waiting[number] = result()
            except WorkerDied:
                deaths[number] += 1
                if deaths[number] >= MAX_DEATHS:
                    raise GriceError(
                        f"{MAX_DEATHS} workers died on the same part of the work (number {number});"
                        " give them more memory, or use --engine local with one worker to see why"
                    ) from None
                retried.append((number, part))
        while turn in waiting:
            yield waiting.pop(turn)
            turn += 1


class _WorkerPool:
    """Workers by number, and the work of each.

    A worker that died is replaced when it is needed, if there is room; its work goes to whichever
    worker is idle first.
    """

    def __init__(self, back_end: BackEnd, workers: int) -> None:
        self.back_end, self.workers = back_end, workers
        self.idle = list(range(workers))
        self.started: dict[int, Any] = {}
        self.busy: dict[Hashable, tuple[int, Any, Any]] = {}

    def start(self, key: Any, work: Any) -> None:
        """Hand work to an idle worker."""
        number = self.idle.pop()
        if number not in self.started:
            self.started[number] = self.back_end.start_worker(number)
        self.busy[self.back_end.start(self.started[number], work)] = (number, key, work)

    def ended(self) -> Iterator[tuple[Any, Any, Callable[[], Any]]]:
        """Wait until some work has ended; yield its key, the work, and a call for its result.

        The call raises the error of work that failed.
        """
        for reference in self.back_end.wait(list(self.busy)):
            number, key, work = self.busy.pop(reference)
            self.idle.append(number)
            yield key, work, partial(self._result, number, reference)

    def _result(self, number: int, reference: Any) -> Any:
        try:
            return self.back_end.result(reference)
        except WorkerDied:
            self.back_end.end(self.started.pop(number))
            if not self.back_end.has_room(len(self.started) + 1):
                self.idle.remove(number)
            raise

    def shutdown(self) -> None:
        """End all workers."""
        self.back_end.close(list(self.started.values()))
