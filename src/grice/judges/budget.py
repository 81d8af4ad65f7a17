"""Limits of what one command may spend and of how many requests a server gets at once."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field

from grice.core.errors import GriceError
from grice.core.usage import Price, Usage


class LimitReached(GriceError):
    """Error: a limit of requests, tokens or cost is used up; answers so far are stored."""


@dataclass
class Budget:
    """What this command may still spend; safe to share between threads."""

    requests: int | None = None
    tokens: int | None = None
    cost: float | None = None
    price: Price = field(default_factory=Price)
    spent_requests: int = 0
    spent: Usage = field(default_factory=Usage)
    spent_cost: float = 0.0
    _held: tuple[int, int, int] = (0, 0, 0)
    _change: threading.Condition = field(default_factory=threading.Condition)

    def hold(self, tokens_in: int, tokens_out: int) -> None:
        """Reserve one request of this size, so that concurrent requests cannot exceed a limit.

        Waits while another request may still release its share, and raises `LimitReached` if none
        can.
        """
        with self._change:
            while (passed := self._passed(tokens_in, tokens_out)) is not None:
                if not self._held[0]:
                    raise LimitReached(self._limit_words(*passed))
                self._change.wait()
            self._set_aside(tokens_in, tokens_out)

    def hold_now(self, tokens_in: int, tokens_out: int) -> bool:
        """Reserve one request of a batch, and return whether it fits beside what is reserved.

        Raises `LimitReached` if it does not fit and nothing is reserved.
        """
        with self._change:
            passed = self._passed(tokens_in, tokens_out)
            if passed is None:
                self._set_aside(tokens_in, tokens_out)
            elif not self._held[0]:
                raise LimitReached(self._limit_words(*passed))
            return passed is None

    def release(self, held: tuple[int, int]) -> None:
        """Release what was reserved for a request that is not sent."""
        with self._change:
            self._set_aside(-held[0], -held[1], -1)
            self._change.notify_all()

    def _set_aside(self, tokens_in: int, tokens_out: int, count: int = 1) -> None:
        requests, into, out = self._held
        self._held = (requests + count, into + tokens_in, out + tokens_out)

    def _passed(self, tokens_in: int, tokens_out: int) -> tuple[str, float] | None:
        """Return the limit that one more request of this size would exceed, if any."""
        requests = self.spent_requests + self._held[0] + 1
        more = Usage(self._held[1] + tokens_in, self._held[2] + tokens_out)
        into, out = self.spent.into + more.into, self.spent.out + more.out
        cost = self.spent_cost + self.price.cost(more)
        limits = (
            ("requests", self.requests, requests),
            ("tokens", self.tokens, into + out),
            ("cost", self.cost, cost),
        )
        return next(
            (
                (name, limit)
                for name, limit, needed in limits
                if limit is not None and needed > limit
            ),
            None,
        )

    def settle(
        self, held: tuple[int, int] | None, used: Usage | None, *, batched: bool = False
    ) -> None:
        """Release what was reserved, if anything, and book what a request used.

        A request without usage is booked in full.
        """
        with self._change:
            if held is not None:
                self._set_aside(-held[0], -held[1], -1)
            booked = used if used is not None else Usage(*(held or (0, 0)))
            self.spent_requests += 1
            self.spent += booked
            self.spent_cost += self.price.cost(booked, batched=batched)
            self._change.notify_all()

    def _limit_words(self, name: str, limit: float) -> str:
        spent = f"{self.spent_requests} requests, {self.spent.into + self.spent.out} tokens"
        money = f", cost {self.spent_cost:.4f}" if self.price.into or self.price.out else ""
        hint = "what was answered is kept, the same command goes on from here"
        return f"stopped at the limit of {limit:g} {name} (spent: {spent}{money}); {hint}"


class Pace:
    """The number of concurrent requests that a server gets.

    It is halved when the server replies 429, and grows slowly with every other reply. After `halt`
    no request begins.
    """

    def __init__(self, most: int) -> None:
        self.most, self.allowed, self.under_way, self.least = most, float(most), 0, most
        self.change, self.halted = threading.Condition(), threading.Event()
        self._error: Exception | None = None

    def __enter__(self) -> None:
        with self.change:
            while self._error is None and self.under_way >= max(1, int(self.allowed)):
                self.change.wait()
            if self._error is not None:
                raise self._error
            self.under_way += 1

    def halt(self, error: Exception) -> None:
        """Stop all new requests: each raises the first error that was passed here."""
        with self.change:
            self._error = self._error or error
            self.halted.set()
            self.change.notify_all()

    def __exit__(self, *_: object) -> None:
        with self.change:
            self.under_way -= 1
            self.change.notify()

    def answered(self, status: int) -> None:
        """Adapt the number of concurrent requests to the status of a reply."""
        with self.change:
            if status == 429:
                # Concurrent requests are refused together, which counts as one refusal.
                self.allowed = max(
                    1.0,
                    self.under_way / 2,
                    self.allowed - self.allowed / 2 / max(1, self.under_way),
                )
                self.least = min(self.least, int(self.allowed))
            else:
                self.allowed = min(float(self.most), self.allowed + 1 / self.allowed)
                self.change.notify()
