"""Replies that nobody asked for: over a kept connection the next request would take one for its
own.
"""

from __future__ import annotations

import http.client
import threading
from contextlib import suppress
from typing import Any

from grice.core.progress import say


class Surplus:
    """What is known of a server that sends more than it is asked for; while in doubt, no connection
    is used a second time.
    """

    def __init__(self) -> None:
        self.in_doubt = self.seen = self.ids_repeat = False
        self._ids: set[str] = set()
        self._lock = threading.Lock()

    def note(self) -> None:
        """The server has sent a reply that nobody asked for."""
        with self._lock:
            first, self.in_doubt, self.seen = not self.seen, True, True
        if first:
            say(
                "the server sends replies that nobody asked for; from now on each request has a"
                " connection of its own"
            )

    def repeats(self, id: str) -> bool:
        """Whether a reply of this id was there before; the connections are then in doubt."""
        with self._lock:
            known = id in self._ids and not self.ids_repeat
            self._ids |= {id} - {""}
            self.in_doubt |= known
        return known

    def confirm(self, first: str, second: str) -> None:
        """Judge a repeated id by that of the reply to the same request over a new connection."""
        if first != second:
            return self.note()
        # Some servers give all replies one id, or the same reply again from a cache.
        self.ids_repeat, self.in_doubt = True, self.seen
        return None

    def connection_class(self, kind: Any) -> type:
        """Connections of this kind that are closed where more came over them than one reply."""
        surplus = self

        class Response(http.client.HTTPResponse):
            def __init__(self, sock: Any, *args: Any, **kwargs: Any) -> None:
                super().__init__(sock, *args, **kwargs)
                self._socket, self._left = sock, False

            def close(self) -> None:
                # One in chunks closes itself at its end, so that it is left half-way where this is
                # called.
                self._left = self.length != 0
                super().close()

            def _close_conn(self) -> None:
                if not self._left and _has_more(self._socket, self.fp):
                    surplus.note()
                    with suppress(OSError):
                        self._socket.shutdown(2)
                super()._close_conn()  # type: ignore[misc]

        class Connection(kind):  # type: ignore[misc]
            response_class = Response

            @property
            def is_connected(self) -> bool:
                return not surplus.in_doubt and super().is_connected

        return Connection


def _has_more(sock: Any, buffered: Any) -> bool:
    """Whether anything has come that is not read yet, in the buffer or at the socket."""
    try:
        patience = sock.gettimeout()
        sock.settimeout(0)
        try:
            return bool(buffered.peek(1))
        finally:
            sock.settimeout(patience)
    except (OSError, ValueError):
        return False
