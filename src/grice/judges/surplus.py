"""Detection of unrequested replies.

Over a reused connection the next request would take one for its own.
"""

from __future__ import annotations

import http.client
import threading
from contextlib import suppress
from typing import Any

from grice.core.progress import say


class Surplus:
    """What is known of a server that sends unrequested replies.

    While in doubt, no connection is reused.
    """

    def __init__(self) -> None:
        self.in_doubt = self.seen = self.ids_repeat = False
        self._ids: set[str] = set()
        self._lock = threading.Lock()

    def note(self) -> None:
        """Note that the server has sent an unrequested reply."""
        with self._lock:
            first, self.in_doubt, self.seen = not self.seen, True, True
        if first:
            say(
                "the server sends replies that nobody asked for; from now on each request has a"
                " connection of its own"
            )

    def repeats(self, id: str) -> bool:
        """Return whether a reply id was seen before; the connections are then in doubt."""
        with self._lock:
            known = id in self._ids and not self.ids_repeat
            self._ids |= {id} - {""}
            self.in_doubt |= known
        return known

    def confirm(self, first: str, second: str) -> None:
        """Compare a repeated id with that of a second reply, over a new connection."""
        if first != second:
            return self.note()
        # Some servers give all replies the same id, or return a cached reply.
        self.ids_repeat, self.in_doubt = True, self.seen
        return None

    def connection_class(self, kind: Any) -> type:
        """Return a connection class that closes after more than one reply arrived."""
        surplus = self

        class Response(http.client.HTTPResponse):
            def __init__(self, sock: Any, *args: Any, **kwargs: Any) -> None:
                super().__init__(sock, *args, **kwargs)
                self._socket, self._left = sock, False

            def close(self) -> None:
                # A chunked response closes itself at its end; if this is called before, it is
                # incomplete.
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
    """Return whether unread data has arrived, in the buffer or at the socket."""
    try:
        patience = sock.gettimeout()
        sock.settimeout(0)
        try:
            return bool(buffered.peek(1))
        finally:
            sock.settimeout(patience)
    except (OSError, ValueError):
        return False
