"""Asking an HTTP server many things at once, patiently and within limits.

Threads over `urllib3` rather than an async client: at 32 connections the latter's own work per request
(about 1 ms) already costs a third of the rate at 50 ms latency.
"""

from __future__ import annotations

import json
import queue
import random
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, TypeVar

from grice.core.errors import GriceError, MissingExtra
from grice.judges.deadline import Overdue, bounded_pool, within

if TYPE_CHECKING:
    import urllib3

T = TypeVar("T")
R = TypeVar("R")
# 520 to 530 are what a proxy before the server says when that one fails.
AGAIN = {408, 409, 425, 429, 500, 502, 503, 504, *range(520, 531)}
# Nobody is served: the key, the address or the account is at fault, and not the item. 403 may be about one item alone.
HOPELESS = {401, 402, 404, 405}
REMEDY = {402: "nothing is left to pay with; top up the account, then the same command goes on"}
LONGEST_PAUSE = 30.0
LONGEST_WAIT = 300.0
LONGEST_REPLY = 16 << 20
# How many characters a token is taken to have before the server has counted.
CHARACTERS_A_TOKEN = 4


class LimitReached(GriceError):
    """A limit of requests, tokens or cost is used up; what was answered is kept."""


class Unreachable(GriceError):
    """The server does not answer, or answers no request of this kind; what was answered is kept."""


@dataclass(frozen=True)
class Failure:
    """A request that got no usable reply: a fault, what came back, whether asking later may help, and the HTTP status."""

    fault: str
    body: str = ""
    passing: bool = True
    status: int = 0


@dataclass
class Budget:
    """What may still be spent by this command; safe to share between threads."""

    requests: int | None = None
    tokens: int | None = None
    cost: float | None = None
    price: tuple[float, float] = (0.0, 0.0)
    spent_requests: int = 0
    spent_in: int = 0
    spent_out: int = 0
    _held: tuple[int, int, int] = (0, 0, 0)
    _change: threading.Condition = field(default_factory=threading.Condition)

    @property
    def spent_cost(self) -> float:
        """What was spent, in the currency of the price."""
        return (self.spent_in * self.price[0] + self.spent_out * self.price[1]) / 1e6

    def hold(self, tokens_in: int, tokens_out: int) -> None:
        """Set aside one request of this size, so that those under way cannot pass a limit together.

        Waits while another's share may come back, and stops where none is left.
        """
        with self._change:
            while (passed := self._passed(tokens_in, tokens_out)) is not None:
                if not self._held[0]:
                    raise LimitReached(self._limit_words(*passed))
                self._change.wait()
            requests, into, out = self._held
            self._held = (requests + 1, into + tokens_in, out + tokens_out)

    def _passed(self, tokens_in: int, tokens_out: int) -> tuple[str, float] | None:
        """The limit that one more request of this size would pass, if all under way use their share."""
        requests = self.spent_requests + self._held[0] + 1
        into, out = self.spent_in + self._held[1] + tokens_in, self.spent_out + self._held[2] + tokens_out
        cost = (into * self.price[0] + out * self.price[1]) / 1e6
        limits = (("requests", self.requests, requests), ("tokens", self.tokens, into + out), ("cost", self.cost, cost))
        return next(((name, limit) for name, limit, needed in limits if limit is not None and needed > limit), None)

    def settle(self, held: tuple[int, int], used: tuple[int, int] | None) -> None:
        """Give back what was set aside and book what a request used; one without usage is booked in full."""
        with self._change:
            requests, into, out = self._held
            self._held = (requests - 1, into - held[0], out - held[1])
            self.spent_requests += 1
            self.spent_in += (used or held)[0]
            self.spent_out += (used or held)[1]
            self._change.notify_all()

    def _limit_words(self, name: str, limit: float) -> str:
        spent = f"{self.spent_requests} requests, {self.spent_in + self.spent_out} tokens"
        money = f", cost {self.spent_cost:.4f}" if any(self.price) else ""
        kept = "what was answered is kept, the same command goes on from here"
        return f"stopped at the limit of {limit:g} {name} (spent: {spent}{money}); {kept}"


class Pace:
    """How many requests may be under way: halved when the server says 429, and slowly more again as it answers."""

    def __init__(self, most: int) -> None:
        self.most, self.allowed, self.under_way, self.least = most, float(most), 0, most
        self.change = threading.Condition()

    def __enter__(self) -> None:
        with self.change:
            while self.under_way >= max(1, int(self.allowed)):
                self.change.wait()
            self.under_way += 1

    def __exit__(self, *_: object) -> None:
        with self.change:
            self.under_way -= 1
            self.change.notify()

    def answered(self, status: int) -> None:
        """Follow what the server said."""
        with self.change:
            if status == 429:
                # Those under way together are refused together: that is one refusal, not many.
                self.allowed = max(1.0, self.under_way / 2, self.allowed - self.allowed / 2 / max(1, self.under_way))
                self.least = min(self.least, int(self.allowed))
            else:
                self.allowed = min(float(self.most), self.allowed + 1 / self.allowed)
                self.change.notify()


@dataclass
class Client:
    """Posts JSON to one address, with retries, the pauses a server asks for, and a key that is never shown."""

    url: str
    key: str | None = field(default=None, repr=False)
    connections: int = 16
    retries: int = 5
    timeout: float = 60.0
    backoff: float = 1.0
    budget: Budget = field(default_factory=Budget)
    _pool: urllib3.PoolManager | None = field(default=None, init=False, repr=False)
    _not_before: float = field(default=0.0, init=False)
    pace: Pace = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self.pace = Pace(self.connections)

    def open(self) -> Client:
        """Ready to post; apart from making it, so that a client can be described without the extra."""
        try:
            import urllib3
        except ImportError:
            raise MissingExtra("an API judge", "llm") from None
        limits: dict[str, Any] = {"maxsize": self.connections, "block": True, "retries": False}
        proxy = _proxy(self.url)
        self._pool = bounded_pool(urllib3.ProxyManager(proxy, **limits) if proxy else urllib3.PoolManager(**limits))
        return self

    def close(self) -> None:
        """Let go of the connections."""
        if self._pool is not None:
            self._pool.clear()

    def post(self, body: Mapping[str, Any], size: tuple[int, int]) -> dict[str, Any] | Failure:
        """The JSON that came back, or why none did after all retries; `size` is the tokens to set aside."""
        failure = Failure("connection: not tried")
        for attempt in range(self.retries + 1):
            self._wait(attempt)
            self.budget.hold(*size)
            used: tuple[int, int] | None = (0, 0)
            try:
                with self.pace:
                    found = self._once(body)
                if not isinstance(found, Failure):
                    used = _usage(found)
                    return found
            finally:
                self.budget.settle(size, used)
            failure = found
            if not failure.passing:
                break
        return failure

    def _once(self, body: Mapping[str, Any]) -> dict[str, Any] | Failure:
        from urllib3 import exceptions

        assert self._pool is not None
        try:
            said = json.dumps(body).encode()
            with within(self.timeout) as call:
                response = call.send(self._pool, self.url, body=said, headers=self._headers())
                came = call.read(response, LONGEST_REPLY)
        except Overdue:
            return Failure(f"timeout: no whole reply in {self.timeout:g} s")
        except exceptions.HTTPError as error:
            # A refused connection counts among the timeouts there.
            late = isinstance(error, exceptions.TimeoutError) and not isinstance(error, exceptions.NewConnectionError)
            why = f"timeout: no reply in {self.timeout:g} s" if late else f"connection: {_cause(error)}"
            return Failure(self._safe(why))
        if came is None:
            return Failure(f"too long: a reply of more than {LONGEST_REPLY:,} bytes", passing=False)
        text = self._safe(came.decode("utf-8", "replace"))
        self.pace.answered(response.status)
        if response.status != 200:
            return self._failure(response.status, response.headers.get("Retry-After"), text)
        value = None
        with suppress(ValueError, RecursionError):
            value = json.loads(text)
        if isinstance(value, dict) and isinstance(value.get("error"), Mapping) and not value.get("choices"):
            # Some proxies send the error of the server behind them as a success.
            code = value["error"].get("code")
            return self._failure(code if isinstance(code, int) and code >= 400 else 502, None, text)
        if not isinstance(value, dict) or not value.get("choices"):
            return Failure("broken reply: not a chat completion", text[:2000])
        if _ended_in_error(value):
            return Failure(f"server error: {_message(json.dumps(value['choices'][0]))}", text[:2000])
        return value

    def _failure(self, status: int, retry_after: str | None, text: str) -> Failure:
        said = _message(text)
        if status in HOPELESS:
            remedy = REMEDY.get(status, "check the address, the model's name and the key")
            raise Unreachable(f"{self.url} says {status}: {said}; {remedy}")
        if retry_after:
            wait = _seconds(retry_after)
            if wait > LONGEST_WAIT:
                raise Unreachable(f"{self.url} says {status} and asks to wait {wait:.0f} s; go on later")
            self._not_before = max(self._not_before, time.monotonic() + wait)
        return Failure(f"http {status}: {said}", text[:2000], status in AGAIN, status)

    def _wait(self, attempt: int) -> None:
        """Before a retry, longer each time and never in step with the others; Retry-After holds for all."""
        pause = min(LONGEST_PAUSE, self.backoff * 2 ** (attempt - 1)) * random.uniform(0.5, 1) if attempt else 0.0
        wait = max(pause, self._not_before - time.monotonic())
        if wait > 0:
            # Even a sleep of nothing gives the processor away.
            time.sleep(wait)

    def _headers(self) -> dict[str, str]:
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        return {**headers, "Authorization": f"Bearer {self.key}"} if self.key else headers

    def _safe(self, text: str) -> str:
        """A server may repeat the key in its error; it is never kept."""
        return text.replace(self.key, "…") if self.key else text


def map_unordered(do: Callable[[T], R], work: Iterable[T], threads: int) -> Iterator[R]:
    """`do` over `work` in threads, results as they come.

    The first error stops new work and is raised after what is under way has been handed out.
    """
    source, lock, done = iter(work), threading.Lock(), object()
    results: queue.SimpleQueue[Any] = queue.SimpleQueue()
    stop = threading.Event()

    def labour() -> None:
        try:
            while not stop.is_set():
                with lock:
                    one = next(source, done)
                if one is done:
                    break
                results.put((do(one), None))  # type: ignore[arg-type]
        except BaseException as error:
            stop.set()
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
    finally:
        # Reached early when the reader leaves (an interrupt): daemons then finish on their own.
        stop.set()
    if first is not None:
        raise first


def _usage(value: Mapping[str, Any]) -> tuple[int, int] | None:
    usage = value.get("usage")
    if not isinstance(usage, Mapping):
        return None
    return int(usage.get("prompt_tokens") or 0), int(usage.get("completion_tokens") or 0)


def _ended_in_error(value: Mapping[str, Any]) -> bool:
    first = value["choices"][0] if isinstance(value["choices"], list) else None
    return isinstance(first, Mapping) and first.get("finish_reason") == "error"


def _message(text: str) -> str:
    """What a server says went wrong, on one line."""
    with suppress(ValueError, KeyError, TypeError, RecursionError):
        error = json.loads(text)["error"]
        text = str(error["message"] if isinstance(error, dict) else error)
    return " ".join(text.split())[:200] or "no message"


def _cause(error: Exception) -> str:
    inner = error.args[-1] if error.args else error
    return " ".join(str(inner).split())[:200] or type(error).__name__


def _seconds(retry_after: str) -> float:
    with suppress(ValueError):
        return max(0.0, float(retry_after))
    with suppress(ValueError):
        return max(0.0, parsedate_to_datetime(retry_after).timestamp() - time.time())
    return 0.0


def _proxy(url: str) -> str | None:
    from urllib.parse import urlsplit
    from urllib.request import getproxies, proxy_bypass

    parts = urlsplit(url)
    return None if proxy_bypass(parts.hostname or "") else getproxies().get(parts.scheme)
