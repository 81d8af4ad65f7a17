"""Detection of server failures, as opposed to failures of single items.

After an outage, a refusal or an empty account, items stay pending.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from grice.core.fault import FaultKind
from grice.core.judgement import Judgement
from grice.judges.client import Failure, Unreachable
from grice.judges.reply import Reading
from grice.judges.threads import map_unordered

T = TypeVar("T")

# After this many failures in a row the server is given up; its items stay pending.
OUTAGE = 50
# After this many rejected requests before any answer, the request is wrong, not the items.
REFUSALS = 3
# After this many items without a completion before any answer, the address or protocol is wrong.
BROKEN = 8


@dataclass(frozen=True)
class ItemResult:
    """One item's judgement and readings; whether all prompts failed, perhaps temporarily."""

    judgement: Judgement
    readings: list[Reading]
    failed: bool
    passing: bool
    failures: Sequence[Failure] = ()


class Outages:
    """Retention of items with temporary failures until one item succeeds.

    After an outage they stay pending. Before the first success every failure is retained: a request
    that no server accepts is a user error. Each result is added by the thread that got it; if the
    server is given up, the client is halted at once, so that only running requests still arrive.
    """

    def __init__(self, url: str, halt: Callable[[Unreachable], Unreachable]) -> None:
        self.url, self._halt = url, halt
        self._lock = threading.Lock()
        self._held: list[ItemResult] = []
        self._answered = self._given_up = False

    def watch(
        self, ask: Callable[[T], ItemResult], work: Iterable[T], threads: int
    ) -> Iterator[ItemResult]:
        """Process items in threads, and yield final results.

        Raises `Unreachable` if the server is given up.
        """
        for released in map_unordered(lambda item: self.add(ask(item)), work, threads):
            yield from released
        yield from self.rest()

    def add(self, result: ItemResult) -> list[ItemResult]:
        """Return the results that are final from now on.

        An answer counts even if it arrives after the server was given up.
        """
        with self._lock:
            if self._given_up:
                return [] if result.failed else [result]
            self._held.append(result)
            if not result.failed or (self._answered and not result.passing):
                self._answered, released = True, self._held
                self._held = []
                return released
            if (why := self._hopeless(result.judgement.fault)) is not None:
                self._given_up = True
                raise self._halt(Unreachable(f"{self.url}: {why}"))
            return []

    def rest(self) -> list[ItemResult]:
        """Return the results that are still retained at the end."""
        if self._held and not self._answered and all(map(_unconnected, self._held)):
            raise Unreachable(f"{self.url}: {_nothing_there(self._held)}")
        return self._held

    def _hopeless(self, fault: str | None) -> str | None:
        """Return why further requests are pointless, or None."""
        if not self._answered and _refused(self._held):
            return f"{fault}; the server takes no such request, so none of these was kept"
        if not self._answered and len(self._held) >= BROKEN and all(map(_broken, self._held)):
            return (
                f"{fault}; check -M url and -M endpoint, so that completions come back whole and"
                " not as a stream"
            )
        if not self._answered and len(self._held) >= BROKEN and all(map(_unconnected, self._held)):
            return _nothing_there(self._held)
        if len(self._held) >= OUTAGE:
            return (
                f"{OUTAGE} items in a row failed, the last with '{fault}'. They remain pending; the"
                " same command asks them again."
            )
        return None


def _unconnected(result: ItemResult) -> bool:
    kinds = {failure.kind for failure in result.failures}
    return kinds == {FaultKind.CONNECTION}


def _nothing_there(held: Sequence[ItemResult]) -> str:
    """Return that no request was connected, the first failure, and what to do."""
    (first, *_) = held[0].failures
    return f"nothing answers there ({first.fault}). Start the server, or correct -M url=…"


def _broken(result: ItemResult) -> bool:
    return all(failure.kind is FaultKind.BROKEN for failure in result.failures)


def _refused(held: Sequence[ItemResult]) -> bool:
    """Return whether the first requests were all refused for the same reason."""
    statuses = [failure.status for result in held for failure in result.failures]
    return (
        len(held) >= REFUSALS
        and len(set(statuses)) == 1
        and 300 <= statuses[0] < 500
        and not held[-1].passing
    )
