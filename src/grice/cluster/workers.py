"""Workers, and those that are processes of this machine."""

from __future__ import annotations

import multiprocessing
import os
import threading
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from grice.core.errors import GriceError

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor

# What a worker runs before its first work: its place among the workers, and their number.
Setup = Callable[[int, int], None]


class WorkerDied(GriceError):
    """A worker's process was ended from outside."""


class BackEnd(Protocol):
    """Workers of one kind: how they are started, given work, waited for and closed."""

    def start_worker(self, number: int) -> Any:
        """Start a worker with this number."""

    def start(self, worker: Any, work: Any) -> Hashable:
        """Hand work to a worker; return a reference to its result."""

    def wait(self, references: list[Any]) -> Iterable[Any]:
        """Return those of these works that have ended, as soon as one has."""

    def result(self, reference: Any) -> Any:
        """Return the result of finished work or raise its error (`WorkerDied` if it died)."""

    def has_room(self, workers: int) -> bool:
        """Return whether so many workers can run at once."""

    def end(self, worker: Any) -> None:
        """End a worker that failed, if it still runs."""

    def close(self, workers: Sequence[Any]) -> None:
        """End these workers when their work is done, and what was started for them."""


class Worker:
    """The object in a worker's process; it makes its function once and applies it to each work."""

    def __init__(
        self,
        make: Callable[[], Callable[[Any], Any]],
        setup: Setup | None,
        number: int,
        workers: int,
    ):
        self.make, self.setup, self.place = make, setup, (number, workers)
        self.function: Callable[[Any], Any] | None = None

    def do(self, work: Any) -> Any:
        """Return the function's result for a work."""
        if self.function is None:
            if self.setup is not None:
                self.setup(*self.place)
            self.function = self.make()
        return self.function(work)


_worker: Worker | None = None


def _begin(*arguments: Any) -> None:
    global _worker
    _worker = Worker(*arguments)
    threading.Thread(target=_leave_with_the_command, daemon=True).start()


def _leave_with_the_command() -> None:
    """End this process when the command is killed; it would keep its model in memory."""
    command = multiprocessing.parent_process()
    if command is not None:
        command.join()
        os._exit(1)


def _do(work: Any) -> Any:
    assert _worker is not None
    return _worker.do(work)


@dataclass
class Processes:
    """Processes of this machine.

    Each is a pool of one, so that it is known which work a dead one was at.
    """

    make: Callable[[], Any]
    workers: int
    setup: Setup | None

    def start_worker(self, number: int) -> ProcessPoolExecutor:
        """Start a process; it begins with its first work."""
        from concurrent.futures import ProcessPoolExecutor
        from multiprocessing import get_context

        arguments = (self.make, self.setup, number, self.workers)
        return ProcessPoolExecutor(
            1, mp_context=get_context("spawn"), initializer=_begin, initargs=arguments
        )

    def start(self, worker: ProcessPoolExecutor, work: Any) -> Future[Any]:
        """Hand work to a process."""
        return worker.submit(_do, work)

    def wait(self, references: list[Future[Any]]) -> Iterable[Future[Any]]:
        """Return those that have ended, as soon as one has."""
        from concurrent.futures import FIRST_COMPLETED, wait

        return wait(references, return_when=FIRST_COMPLETED).done

    def result(self, reference: Future[Any]) -> Any:
        """Return the result of finished work, or raise its error."""
        from concurrent.futures.process import BrokenProcessPool

        try:
            return reference.result()
        except BrokenProcessPool:
            raise WorkerDied(
                "a process was ended, possibly out of memory; use fewer --workers, or free memory"
            ) from None

    def has_room(self, workers: int) -> bool:  # noqa: ARG002
        """Return True: a machine can always start another process."""
        return True

    def end(self, worker: ProcessPoolExecutor) -> None:
        """End a process that failed."""
        worker.shutdown(wait=False, cancel_futures=True)

    def close(self, workers: Sequence[ProcessPoolExecutor]) -> None:
        """End the processes when their work is done."""
        for worker in workers:
            worker.shutdown(wait=True, cancel_futures=True)
