"""A request that ends: its timeout counts from the first byte sent to the last one read, and its
reply has a size.

A socket's own timeout starts again with every byte, so that a server that sends one a second is
never too late.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from grice.judges.surplus import Surplus

if TYPE_CHECKING:
    import urllib3

PART = 1 << 16


class Overdue(Exception):
    """The time of a request is up."""


class BoundedCall:
    """One request under way; `cut` ends it from another thread."""

    def __init__(self, seconds: float) -> None:
        self.seconds, self.ends = seconds, time.monotonic() + seconds
        self.overdue = False
        self._connection: Any = None

    def send(
        self, pool: urllib3.PoolManager, url: str, *, method: str = "POST", **request: Any
    ) -> Any:
        """Send, and give back the reply once its headers are there."""
        LOCAL.call = self
        try:
            return pool.request(method, url, timeout=self.seconds, preload_content=False, **request)
        finally:
            LOCAL.call = None

    def hold(self, connection: Any) -> None:
        """The connection that the request goes over."""
        self._connection = connection

    def read(self, response: Any, most: int) -> bytes | None:
        """The body; None where it has more than `most` bytes, and the connection is then closed."""
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
        """End the request where it stands: whoever waits for a byte is woken."""
        self.overdue = True
        sock = getattr(self._connection, "sock", None)
        if sock is not None:
            with suppress(OSError):
                sock.shutdown(2)


class Watch:
    """One thread for all requests: it cuts those whose time is up."""

    def __init__(self) -> None:
        self._change = threading.Condition()
        self._calls: set[BoundedCall] = set()
        self._wakes = 0.0
        self._thread: threading.Thread | None = None

    def add(self, call: BoundedCall) -> None:
        """Watch over a request."""
        with self._change:
            self._calls.add(call)
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._cut_overdue, daemon=True)
                self._thread.start()
            elif call.ends < self._wakes:
                self._change.notify()

    def remove(self, call: BoundedCall) -> None:
        """Let a request go that is done."""
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
    """A request that must be done in so many seconds; `Overdue` where it is not, whatever broke on
    the way.
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


def bounded_pool(pool: urllib3.PoolManager, surplus: Surplus) -> urllib3.PoolManager:
    """The pool, with connections that tell the request under way which of them it has, and what
    came over them unasked.
    """
    from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool

    def told(kind: type) -> type:
        class Told(kind):  # type: ignore[misc]
            ConnectionCls = surplus.connection_class(kind.ConnectionCls)  # type: ignore[attr-defined]

            def _make_request(self, conn: Any, *args: Any, **kwargs: Any) -> Any:
                call = getattr(LOCAL, "call", None)
                if call is not None:
                    call.hold(conn)
                return super()._make_request(conn, *args, **kwargs)

        return Told

    classes: Mapping[str, Any] = {
        "http": told(HTTPConnectionPool),
        "https": told(HTTPSConnectionPool),
    }
    pool.pool_classes_by_scheme = dict(classes)
    return pool
