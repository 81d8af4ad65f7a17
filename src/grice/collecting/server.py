"""Server of a campaign."""

from __future__ import annotations

import asyncio
from typing import Any

import h11
import uvicorn
from starlette.applications import Starlette
from uvicorn.protocols.http.h11_impl import H11Protocol

from grice.collecting.security import Serving
from grice.core.errors import GriceError

HEADER_SECONDS = 15.0
MOST_CONNECTIONS = 1000
# Descriptors reserved for the database, files and the process itself.
OTHER_DESCRIPTORS = 80


class BoundedProtocol(H11Protocol):
    """HTTP protocol of uvicorn with a timeout for headers and a limit on connections."""

    waiting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Accept a connection unless there are too many; its first request must come in time."""
        super().connection_made(transport)
        if len(self.connections) > most_connections():
            transport.close()
        else:
            self._expect_headers()

    def data_received(self, data: bytes) -> None:
        """Accept data; headers that have begun must end in time."""
        super().data_received(data)
        if self.conn.their_state is not h11.IDLE:
            self._stop_waiting()
        elif self.waiting is None:
            self._expect_headers()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the timer of the connection."""
        self._stop_waiting()
        super().connection_lost(exc)

    def _expect_headers(self) -> None:
        self.waiting = self.loop.call_later(HEADER_SECONDS, self._close_if_silent)

    def _close_if_silent(self) -> None:
        self.waiting = None
        if self.conn.their_state is h11.IDLE and not self.transport.is_closing():
            self.transport.close()

    def _stop_waiting(self) -> None:
        if self.waiting is not None:
            self.waiting.cancel()
            self.waiting = None


def most_connections() -> int:
    """Return the maximum number of open connections.

    It is lower where the system gives the process few descriptors.
    """
    try:
        import resource
    except ModuleNotFoundError:
        return MOST_CONNECTIONS
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return max(
        16, min(MOST_CONNECTIONS, soft - OTHER_DESCRIPTORS if soft > 0 else MOST_CONNECTIONS)
    )


def settings_for(app: Starlette, serving: Serving) -> dict[str, Any]:
    """Return the settings of uvicorn. There is no access log: addresses carry tokens."""
    return {
        "app": app,
        "host": serving.host,
        "port": serving.port,
        "http": BoundedProtocol,
        "log_level": "warning",
        "access_log": False,
        "server_header": False,
        # The client's address is taken from a proxy only if one was declared, on this machine.
        "proxy_headers": bool(serving.public),
        "forwarded_allow_ips": "127.0.0.1",
        "h11_max_incomplete_event_size": 32_768,
        "timeout_graceful_shutdown": 5,
    }


def serve(app: Starlette, serving: Serving) -> None:
    """Run the server in this process until it is stopped."""
    server = uvicorn.Server(uvicorn.Config(**settings_for(app, serving)))
    try:
        server.run()
    except SystemExit:
        raise GriceError(
            f"cannot listen on {serving.host}:{serving.port}; stop what does, or choose another"
            " --port"
        ) from None
