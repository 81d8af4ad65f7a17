"""Telling a server that fails from an item that does: what an outage, a refusal or an empty account leaves open."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from grice.core.judgement import Judgement
from grice.judges.client import Failure, Unreachable
from grice.judges.readout import Reading

# A server that fails this often without one good reply between has stopped working; its items stay as they were.
OUTAGE = 50
# So many requests refused outright before any was answered: the request is at fault, not the items.
REFUSALS = 3
# So many items whose replies were no completions before any was answered: another address, or another protocol.
BROKEN = 8


@dataclass(frozen=True)
class ItemResult:
    """One item's judgement and readings; whether no prompt got a reply, and whether that may pass."""

    judgement: Judgement
    readings: list[Reading]
    failed: bool
    passing: bool
    failures: Sequence[Failure] = ()


def through_outages(results: Iterable[ItemResult], url: str) -> Iterator[ItemResult]:
    """Holds back items that failed for a passing reason until one succeeds, so that an outage leaves them open.

    Before the first success every failure is held: a request that no server takes is a mistake, not a fault.
    """
    held: list[ItemResult] = []
    answered = False
    for asked in results:
        held.append(asked)
        if not asked.failed or (answered and not asked.passing):
            answered = True
            yield from held
            held = []
        elif not answered and _refused(held):
            raise Unreachable(f"{url}: {asked.judgement.fault}; the server takes no such request, so none was kept")
        elif not answered and len(held) >= BROKEN and all(map(_broken, held)):
            remedy = "check -M url and -M endpoint, so that completions come back whole and not as a stream"
            raise Unreachable(f"{url}: {asked.judgement.fault}; {remedy}")
        elif len(held) >= OUTAGE:
            why = f"{OUTAGE} items in a row failed, the last with '{asked.judgement.fault}'"
            raise Unreachable(f"{url}: {why}; they stay as they were, go on later")
    if held and not answered and all((a.judgement.fault or "").startswith("connection") for a in held):
        fault = held[0].judgement.fault
        raise Unreachable(f"{url}: nothing answers there ({fault}); start the server, or give -M url=…")
    yield from held


def _broken(result: ItemResult) -> bool:
    return all(failure.fault.startswith("broken reply") for failure in result.failures)


def _refused(held: Sequence[ItemResult]) -> bool:
    """Whether the first requests were all refused, and for one reason."""
    statuses = [failure.status for result in held for failure in result.failures]
    return len(held) >= REFUSALS and len(set(statuses)) == 1 and 300 <= statuses[0] < 500 and not held[-1].passing
