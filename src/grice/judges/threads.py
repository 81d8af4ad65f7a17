"""Work in threads whose results are taken as they come."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

T = TypeVar("T")
R = TypeVar("R")
# At most this many results per thread wait to be read.
AHEAD = 8


def map_unordered(do: Callable[[T], R], work: Iterable[T], threads: int) -> Iterator[R]:
    """Apply `do` to `work` in threads, and yield results as they come.

    While results are not taken, no new work is started. The first error stops new work and is
    raised after the results of running work have been yielded.
    """
    source, lock, done = iter(work), threading.Lock(), object()
    results: queue.SimpleQueue[Any] = queue.SimpleQueue()
    stop, room, started = threading.Event(), threading.Semaphore(AHEAD * threads), threads

    def labour() -> None:
        try:
            while room.acquire() and not stop.is_set():
                with lock:
                    item = next(source, done)
                if item is done:
                    break
                results.put((do(item), None))  # type: ignore[arg-type]
        except BaseException as error:
            stop.set()
            room.release(started)
            results.put((None, error))
        results.put((done, None))

    for _ in range(threads):
        threading.Thread(target=labour, daemon=True).start()
    first: BaseException | None = None
    try:
        while threads:
            result, error = results.get()
            if result is done:
                threads -= 1
            elif error is not None:
                first = first or error
            else:
                yield result
                room.release()
    finally:
        # Reached early when the reader stops (an interrupt): daemon threads then end on their own.
        stop.set()
        room.release(started)
    if first is not None:
        raise first
