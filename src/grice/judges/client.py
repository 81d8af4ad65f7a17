"""Concurrent requests to an HTTP server, with retries and limits.

Threads over `urllib3` rather than an async client: at 32 connections the latter's own work per
request (about 1 ms) already costs a third of the rate at 50 ms latency.
"""

from __future__ import annotations

import json
import random
import re
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from grice.core.errors import GriceError, MissingExtra
from grice.core.fault import FaultKind
from grice.core.progress import say
from grice.core.usage import Usage
from grice.judges.budget import Budget, Pace
from grice.judges.deadline import Overdue, bounded_pool, within
from grice.judges.dialects import CHAT, Dialect
from grice.judges.rate_limits import LONGEST_WAIT, rate_limit_wait, retry_after

if TYPE_CHECKING:
    import urllib3

# A proxy in front of the server returns 520 to 530 when the server fails.
AGAIN = {408, 409, 425, 429, 500, 502, 503, 504, *range(520, 531)}
# The key, the address or the account is wrong, not the item. 403 may concern one item alone.
HOPELESS = {401, 402, 404, 405}
REMEDY = {
    401: "set the right key (grice never stores it)",
    402: "nothing is left to pay with; top up the account, then the same command goes on",
    404: "correct the model's name or the address",
}
LONGEST_PAUSE = 30.0
LONGEST_REPLY = 16 << 20
LONGEST_FILE = 1 << 30
# A shorter key may be an ordinary word, such as the `none` or `EMPTY` of a server without keys.
LONG_KEY = 16
# Estimated characters per token, until the server has counted.
CHARACTERS_A_TOKEN = 4


class Unreachable(GriceError):
    """Error: the server does not answer, or rejects all requests of this kind."""


@dataclass(frozen=True)
class Failure:
    """A request without a usable reply: why, the body, whether a retry may help, HTTP status."""

    kind: FaultKind
    detail: str
    body: str = ""
    passing: bool = True
    status: int = 0

    @property
    def fault(self) -> str:
        """The failure in the form of a stored fault: `http 500: no message`."""
        status = f" {self.status}" if self.kind is FaultKind.HTTP else ""
        return f"{self.kind}{status}: {self.detail}"


@dataclass
class Client:
    """Client that posts JSON to one address.

    It retries, waits as long as the server asks, and never shows the key.
    """

    url: str
    key: str | None = field(default=None, repr=False)
    connections: int = 16
    retries: int = 5
    timeout: float = 60.0
    backoff: float = 1.0
    budget: Budget = field(default_factory=Budget)
    dialect: Dialect = CHAT
    _pool: urllib3.PoolManager | None = field(default=None, init=False, repr=False)
    _not_before: float = field(default=0.0, init=False)
    pace: Pace = field(init=False, repr=False)
    _ids: ReplyIds = field(default_factory=lambda: ReplyIds(), init=False, repr=False)

    def __post_init__(self) -> None:
        self.pace = Pace(self.connections)

    def open(self) -> Client:
        """Open the connections, and return the client.

        Opening is separate, so that a client can be described without the extra.
        """
        try:
            import urllib3
        except ImportError:
            raise MissingExtra("an API judge", "llm") from None
        limits: dict[str, Any] = {"maxsize": self.connections, "block": True, "retries": False}
        proxy = _proxy(self.url)
        self._pool = bounded_pool(
            urllib3.ProxyManager(proxy, **limits) if proxy else urllib3.PoolManager(**limits)
        )
        return self

    def close(self) -> None:
        """Close the connections; requests that still wait raise an error."""
        self.pace.halt(Unreachable(f"{self.url} is asked no more"))
        if self._pool is not None:
            self._pool.clear()

    def post(self, body: Mapping[str, Any], size: tuple[int, int]) -> dict[str, Any] | Failure:
        """Return the JSON that came back, or the failure after all retries.

        `size` is the number of tokens to reserve, in and out. A reply with the id of an earlier one
        may belong to another request: this one is then sent again, over a new connection.
        """
        reply = self._post(body, size)
        if isinstance(reply, Failure) or not self._ids.repeats(id := str(reply.get("id") or "")):
            return reply
        assert self._pool is not None
        self._pool.clear()
        second = self._post(body, size)
        # Some servers give all replies the same id, or return a cached reply.
        self._ids.are_unique = isinstance(second, Failure) or id != str(second.get("id") or "")
        return second

    def _post(self, body: Mapping[str, Any], size: tuple[int, int]) -> dict[str, Any] | Failure:
        failure = Failure(FaultKind.CONNECTION, "not tried")
        for attempt in range(self.retries + 1):
            self.pause(attempt)
            self.budget.hold(*size)
            sent = False
            used: Usage | None = Usage()
            try:
                with self.pace:
                    sent = True
                    reply = self._once(body)
                if not isinstance(reply, Failure):
                    used = Usage.read(reply.get("usage"))
                    return reply
            finally:
                if sent:
                    self.budget.settle(size, used)
                else:
                    self.budget.release(size)
            failure = reply
            if not failure.passing:
                break
        return failure

    def call(
        self,
        method: str,
        url: str,
        body: bytes | Mapping[str, Any] | None = None,
        kind: str = "",
        *,
        tries: int = 0,
    ) -> bytes | Failure:
        """Return the body from another address of the same server, such as that of its batches.

        The request is not counted in the budget.
        """
        payload = json.dumps(body).encode() if isinstance(body, Mapping) else body
        failure = Failure(FaultKind.CONNECTION, "not tried")
        for attempt in range(tries or self.retries + 1):
            self.pause(attempt)
            with self.pace:
                reply = self._send(
                    method, url, payload, {"Content-Type": kind} if kind else {}, LONGEST_FILE
                )
            if isinstance(reply, bytes) or not reply.passing:
                return reply
            failure = reply
        return failure

    def _once(self, body: Mapping[str, Any]) -> dict[str, Any] | Failure:
        content = self._send("POST", self.url, json.dumps(body).encode(), {}, LONGEST_REPLY)
        return content if isinstance(content, Failure) else self._whole(content)

    def _whole(self, content: bytes) -> dict[str, Any] | Failure:
        """Return the completion of a request's body; stop all requests where it rules them out."""
        try:
            return self.completion(content.decode("utf-8-sig", "replace"))
        except Unreachable as error:
            raise self.halt(error) from None

    def completion(self, text: str) -> dict[str, Any] | Failure:
        """Return a reply as a chat completion whatever the server's own form, or a failure.

        An error that rules out every further request raises Unreachable.
        """
        value = None
        with suppress(ValueError, RecursionError):
            value = json.loads(text)
        if isinstance(value, dict) and value.get("error") and not value.get("choices"):
            # Some proxies return an error of their server with a status of success.
            code = str(
                value["error"].get("code")
                if isinstance(value["error"], Mapping)
                else value.get("code")
            )
            return self._failure(int(code) if re.fullmatch(r"[45]\d\d", code) else 502, 0.0, text)
        with suppress(KeyError, TypeError, ValueError, AttributeError):
            value = self.dialect.reply(value) if isinstance(value, dict) else None
        if not isinstance(value, dict) or not value.get("choices"):
            text = self._safe(text)
            what = (
                "a stream of events"
                if text.startswith(("data:", "event:"))
                else "not a chat completion"
            )
            return Failure(
                FaultKind.BROKEN, f"{what} ({' '.join(text.split())[:60] or 'empty'})", text[:2000]
            )
        if _ended_in_error(value):
            return Failure(
                FaultKind.SERVER_ERROR,
                _message(self._safe(json.dumps(value["choices"][0]))),
                text[:2000],
            )
        return value

    def _send(
        self, method: str, url: str, body: bytes | None, headers: Mapping[str, str], most: int
    ) -> bytes | Failure:
        """Send one request, and return the body of a successful reply."""
        from urllib3 import exceptions

        assert self._pool is not None
        try:
            with within(self.timeout) as call:
                response = call.send(
                    self._pool,
                    url,
                    method=method,
                    body=body,
                    headers={**self._headers(), **headers},
                )
                content = call.read(response, most)
        except Overdue:
            return Failure(FaultKind.TIMEOUT, f"no whole reply in {self.timeout:g} s")
        except exceptions.HTTPError as error:
            # urllib3 counts a refused connection among the timeouts.
            late = isinstance(error, exceptions.TimeoutError) and not isinstance(
                error, exceptions.NewConnectionError
            )
            if late:
                return Failure(FaultKind.TIMEOUT, f"no reply in {self.timeout:g} s")
            return Failure(FaultKind.CONNECTION, self._safe(_cause(error)))
        if content is None:
            return Failure(
                FaultKind.TOO_LONG, f"a reply of more than {most:,} bytes", passing=False
            )
        self.pace.answered(response.status)
        self._not_before = max(
            self._not_before, time.monotonic() + rate_limit_wait(response.headers)
        )
        if not 200 <= response.status < 300:
            try:
                return self._failure(
                    response.status,
                    retry_after(response.headers),
                    content.decode("utf-8", "replace"),
                    url,
                )
            except Unreachable as error:
                raise self.halt(error) from None
        return (
            content
            if not self.key or len(self.key) < LONG_KEY
            else content.replace(self.key.encode(), "…".encode())
        )

    def _failure(self, status: int, wait: float, text: str, url: str = "") -> Failure:
        text = self._safe(text)
        message = _message(text)
        if status in HOPELESS:
            remedy = REMEDY.get(status, "correct the address, the model's name or the key")
            raise Unreachable(f"{url or self.url} says {status}: {message}; {remedy}")
        if wait > LONGEST_WAIT:
            raise Unreachable(
                f"{url or self.url} says {status} and asks to wait {wait:.0f} s; go on later"
            )
        self._not_before = max(self._not_before, time.monotonic() + wait)
        return Failure(FaultKind.HTTP, message, text[:2000], status in AGAIN, status)

    def halt(self, error: Unreachable) -> Unreachable:
        """Stop all requests, retries included, and return the error for raising."""
        self.pace.halt(error)
        return error

    def pause(self, attempt: int) -> None:
        """Wait before a retry, longer each time and with jitter.

        Retry-After holds for all threads.
        """
        pause = (
            min(LONGEST_PAUSE, self.backoff * 2 ** (attempt - 1)) * random.uniform(0.5, 1)
            if attempt
            else 0.0
        )
        wait = max(pause, self._not_before - time.monotonic())
        if wait > 0:
            # A sleep of 0 seconds would still yield the processor.
            self.pace.halted.wait(wait)

    def _headers(self) -> dict[str, str]:
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if self._ids.in_doubt:
            headers["Connection"] = "close"
        return {**headers, **self.dialect.headers(self.key)}

    def _safe(self, text: str) -> str:
        """Return an error message without the key, which a server may repeat.

        A short key is removed only where it stands as a word of its own.
        """
        if not self.key:
            return text
        alone = ("", "") if len(self.key) >= LONG_KEY else (r"(?<![\w-])", r"(?![\w-])")
        return re.sub(re.escape(self.key).join(alone), "…", text)


class ReplyIds:
    """The ids of a server's replies: a server that replies twice repeats one.

    Over a reused connection, the next request would take the second reply for its own.
    """

    def __init__(self) -> None:
        self.are_unique, self._repeated = True, False
        self._seen: set[str] = set()
        self._lock = threading.Lock()

    @property
    def in_doubt(self) -> bool:
        """Whether a reply may belong to another request, so that no connection is reused."""
        return self._repeated and self.are_unique

    def repeats(self, id: str) -> bool:
        """Return whether a reply has the id of an earlier one."""
        with self._lock:
            repeats = self.are_unique and id in self._seen
            self._seen |= {id} - {""}
            if repeats and not self._repeated:
                say("the server repeats replies; each request now has a connection of its own")
            self._repeated |= repeats
        return repeats


def _ended_in_error(value: Mapping[str, Any]) -> bool:
    first = value["choices"][0] if isinstance(value["choices"], list) else None
    return isinstance(first, Mapping) and first.get("finish_reason") == "error"


def _message(text: str) -> str:
    """Return the server's error message on one line."""
    with suppress(ValueError, KeyError, TypeError, RecursionError):
        error = json.loads(text)["error"]
        text = str(error["message"] if isinstance(error, dict) else error)
    return " ".join(text.split())[:200] or "no message"


def _cause(error: Exception) -> str:
    """Return what the operating system says, such as "Connection refused"; else the last words."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, OSError) and cause.strerror:
            return cause.strerror
        cause = cause.__cause__ or cause.__context__
    inner = error.args[-1] if error.args else error
    return " ".join(str(inner).split())[:200] or type(error).__name__


def _proxy(url: str) -> str | None:
    from urllib.parse import urlsplit
    from urllib.request import getproxies, proxy_bypass

    parts = urlsplit(url)
    return None if proxy_bypass(parts.hostname or "") else getproxies().get(parts.scheme)
