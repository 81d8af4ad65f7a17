"""Requests with a deadline and a size limit.

The timeout counts from the first byte sent to the last one read. A socket's own timeout restarts
with every byte, so that a server that sends one byte per second never exceeds it.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import urllib3

PART = 1 << 16


class Overdue(Exception):
    """Error: the time of a request is up."""


class BoundedCall:
    """One running request; `cut` ends it from another thread."""

    def __init__(self, seconds: float) -> None:
        self.seconds, self.ends = seconds, time.monotonic() + seconds
        self.overdue = False
        self._connection: Any = None

    def send(
        self, pool: urllib3.PoolManager, url: str, *, method: str = "POST", **request: Any
    ) -> Any:
        """Send the request, and return the response once its headers have arrived."""
        LOCAL.call = self
        try:
            return pool.request(method, url, timeout=self.seconds, preload_content=False, **request)
        finally:
            LOCAL.call = None

    def hold(self, connection: Any) -> None:
        """Store the connection that the request uses."""
        self._connection = connection

    def read(self, response: Any, most: int) -> bytes | None:
        """Return the body, or close the connection and return None above `most` bytes."""
        parts, size = [], 0
        while part := response.read1(PART, decode_content=True):
            size += len(part)
            parts.append(part)
            if self.overdue or size > most:
                response.close()
                if self.overdue:
                    raise Overdue
                return None
        if self.overdue:
            raise Overdue
        response.release_conn()
        return b"".join(parts)

    def cut(self) -> None:
        """End the request now: a thread that waits for a byte wakes up."""
        self.overdue = True
        sock = getattr(self._connection, "sock", None)
        if sock is not None:
            with suppress(OSError):
                sock.shutdown(2)


class Watch:
    """One thread for all requests: it ends those whose time is up."""

    def __init__(self) -> None:
        self._change = threading.Condition()
        self._calls: set[BoundedCall] = set()
        self._wakes = 0.0
        self._thread: threading.Thread | None = None

    def add(self, call: BoundedCall) -> None:
        """Watch a request."""
        with self._change:
            self._calls.add(call)
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._cut_overdue, daemon=True)
                self._thread.start()
            elif call.ends < self._wakes:
                self._change.notify()

    def remove(self, call: BoundedCall) -> None:
        """Stop watching a request."""
        with self._change:
            self._calls.discard(call)

    def _cut_overdue(self) -> None:
        with self._change:
            while True:
                now = time.monotonic()
                for call in [call for call in self._calls if call.ends <= now]:
                    self._calls.discard(call)
                    call.cut()
                self._wakes = min((call.ends for call in self._calls), default=now + 60)
                self._change.wait(max(0.0, self._wakes - now))


LOCAL = threading.local()
WATCH = Watch()


@contextmanager
def within(seconds: float) -> Iterator[BoundedCall]:
    """Run a request that must finish within so many seconds.

    Raises `Overdue` if it does not, whatever error came on the way.
    """
    call = BoundedCall(seconds)
    WATCH.add(call)
    try:
        yield call
    except Exception:
        if call.overdue:
            raise Overdue from None
        raise
    finally:
        WATCH.remove(call)


def bounded_pool(pool: urllib3.PoolManager) -> urllib3.PoolManager:
    """Return the pool with connections that register with the running request."""
    from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool

    def registering(kind: type) -> type:
        class RegisteringPool(kind):  # type: ignore[misc]
            def _make_request(self, conn: Any, *args: Any, **kwargs: Any) -> Any:
                call = getattr(LOCAL, "call", None)
                if call is not None:
                    call.hold(conn)
                return super()._make_request(conn, *args, **kwargs)

        return RegisteringPool

    classes: Mapping[str, Any] = {
        "http": registering(HTTPConnectionPool),
        "https": registering(HTTPSConnectionPool),
    }
    pool.pool_classes_by_scheme = dict(classes)
    return pool
