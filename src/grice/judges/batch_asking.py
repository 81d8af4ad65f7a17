"""Asking by batches.

Replies are fetched ahead; what a batch did not bring is asked one by one.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from grice.core.fault import FaultKind
from grice.core.item import Question
from grice.core.progress import say
from grice.core.usage import Usage
from grice.judges.batches import Batch, BatchServer, NotTaken, hand_over, wait_for, why_failed
from grice.judges.client import Failure, Unreachable
from grice.judges.journal import Journal
from grice.judges.prompts import Way
from grice.judges.reply import Reply

# A question, and the replies to each of its prompts that were fetched already.
Fetched = tuple[Question, Mapping[int, list[Reply]]]


@dataclass
class BatchAsking:
    """Questions sent in batches of at most `size` requests, each returned with its replies.

    `ways`, `body` and `tokens` describe a request, `parse` reads what came back; `repeats` is how
    often a prompt is sent where one request can bring only one sample.
    """

    server: BatchServer
    journal: Journal
    ways: Callable[[Question], list[Way]]
    body: Callable[[Way], dict[str, Any]]
    tokens: Callable[[Way], tuple[int, int]]
    parse: Callable[[Mapping[str, Any], Way, bool], list[Reply]]
    pilot: Callable[[Question], Mapping[int, list[Reply]]]
    repeats: int = 1
    size: int = 10_000
    send: bool = True
    alone: int = 0
    repeated: int = 0
    _held: dict[str, tuple[int, int]] = field(default_factory=dict)
    _open: dict[str, set[str]] = field(default_factory=dict)

    def fetch(self, questions: Iterable[Question]) -> Iterator[Fetched]:
        """Yield each question with the replies that a batch brought.

        Without `send` only batches of earlier sessions are collected.
        """
        left = {question.id: question for question in questions}
        for batch in [
            candidate
            for candidate in pending(self.journal)
            if any(item in left for item in candidate.items)
        ]:
            yield from self._collect(self._find(batch), left)
        if not self.send:
            yield from ((question, {}) for question in left.values())
            return
        if left and self.journal.last("pilot") is None:
            # Sent alone, so that parameters that the server rejects are found before thousands of
            # requests are sent.
            first = left.pop(next(iter(left)))
            replies = self.pilot(first)
            yield first, replies
        while left:
            before, sent = len(left), self._send_all(list(left.values()))
            for batch in sent:
                yield from self._collect(batch, left)
            if len(left) == before:
                raise Unreachable(
                    f"{self.server.client.url}: no request of {len(sent)} batches was done; go on"
                    " later"
                )

    def settle(self, item: str) -> None:
        """Note that an item's judgement is stored.

        A batch whose items are all stored is not collected again.
        """
        for tag, items in list(self._open.items()):
            items.discard(item)
            if not items:
                del self._open[tag]
                self.journal.add({"batch": tag, "done": True})

    def counts(self) -> dict[str, int]:
        """Return the numbers of requests that failed or were repeated in batches, for the notes."""
        counts = {
            "failed in a batch and asked alone": self.alone,
            "repeated in a batch": self.repeated,
        }
        return {key: count for key, count in counts.items() if count}

    def _send_all(self, questions: Sequence[Question]) -> list[Batch]:
        """Send batches of as many questions as the limits allow.

        Raises `LimitReached` if not even one request fits.
        """
        sent: list[Batch] = []
        bodies: dict[str, dict[str, Any]] = {}
        items: list[str] = []
        tag = secrets.token_hex(8)
        for question in questions:
            ways = self.ways(question)
            if items and len(bodies) + len(ways) * self.repeats > self.size:
                sent.append(self._send(tag, items, bodies))
                tag, bodies, items = secrets.token_hex(8), {}, []
            named = self._name(tag, len(items), ways)
            if not self._hold(named):
                break
            bodies |= {name: self.body(way) for name, way in named.items()}
            items.append(question.id)
        return [*sent, self._send(tag, items, bodies)] if items else sent

    def _hold(self, named: Mapping[str, Way]) -> bool:
        """Reserve what a question's requests take: all of them or none."""
        budget = self.server.client.budget
        for number, (name, way) in enumerate(named.items()):
            if not budget.hold_now(*self.tokens(way)):
                for held_name in list(named)[:number]:
                    budget.release(self._held.pop(held_name))
                return False
            self._held[name] = self.tokens(way)
        return True

    def _name(self, tag: str, number: int, ways: Sequence[Way]) -> dict[str, Way]:
        return {
            f"{tag}-{number}-{w}-{n}": way
            for w, way in enumerate(ways)
            for n in range(self.repeats)
        }

    def _send(self, tag: str, items: Sequence[str], bodies: Mapping[str, dict[str, Any]]) -> Batch:
        batch = Batch(tag, tuple(items), len(bodies))
        self.journal.add({"batch": tag, "items": list(items), "requests": len(bodies)})
        try:
            id = hand_over(self.server, batch, bodies, _ids(self.journal))
        except NotTaken:
            self.journal.add({"batch": tag, "done": True})
            raise
        self.journal.add({"batch": tag, "id": id})
        say(
            f"batch {id} of {len(bodies):,} requests is under way; if this stops, the same command"
            " collects it"
        )
        return replace(batch, id=id)

    def _find(self, batch: Batch) -> Batch:
        """Return a batch of an earlier session with its id.

        The id is empty if the batch never reached the server.
        """
        if batch.id:
            return batch
        id = self.server.find(batch, _ids(self.journal))
        self.journal.add({"batch": batch.tag, **({"id": id} if id else {"done": True})})
        return replace(batch, id=id)

    def _collect(self, batch: Batch, left: dict[str, Question]) -> Iterator[Fetched]:
        """Yield the questions of a batch with their replies once it has ended.

        Questions that the batch did not get to stay in `left`.
        """
        if not batch.id:
            return
        report = wait_for(self.server, batch.id)
        if report.get("status") == "failed":
            self.journal.add({"batch": batch.tag, "done": True})
            raise Unreachable(
                f"batch {batch.id} failed: {why_failed(report)}; correct that and give the command"
                " again"
            )
        self._open[batch.tag] = {item for item in batch.items if item in left}
        batch_results = self._results(batch.id)
        # A line without a name may concern any missing request, which is then sent alone.
        missing = batch_results.get("", Failure(FaultKind.EXPIRED, "not in the batch's results"))
        for number, item in enumerate(batch.items):
            if item not in left:
                continue
            named = self._name(batch.tag, number, self.ways(left[item]))
            outcomes = {name: batch_results.get(name, missing) for name in named}
            self._book(outcomes)
            undone = all(
                isinstance(outcome, Failure) and outcome.kind is FaultKind.EXPIRED
                for outcome in outcomes.values()
            )
            if undone:
                self.settle(item)
                continue
            yield left.pop(item), self._replies(named, outcomes)

    def _results(self, id: str) -> dict[str, dict[str, Any] | Failure]:
        """Return the result of each request; of several results for one, the first."""
        results: dict[str, dict[str, Any] | Failure] = {}
        repeated = 0
        for name, result in self.server.results(id):
            repeated += name in results and name != ""
            results.setdefault(name, result)
        if repeated:
            self.repeated += repeated
            say(
                f"batch {id}: {repeated:,} results are about a request that had one already; the"
                " first counts"
            )
        return results

    def _replies(self, named: Mapping[str, Way], came: Mapping[str, Any]) -> dict[int, list[Reply]]:
        replies: dict[int, list[Reply]] = {}
        for name, way in named.items():
            outcome = came[name]
            self.alone += isinstance(outcome, Failure)
            if not isinstance(outcome, Failure):
                replies.setdefault(int(name.split("-")[2]), []).extend(
                    self.parse(outcome, way, True)
                )
        return replies

    def _book(self, came: Mapping[str, dict[str, Any] | Failure]) -> None:
        """Book what each request used; a failed request used nothing."""
        for name, outcome in came.items():
            used = Usage() if isinstance(outcome, Failure) else Usage.read(outcome.get("usage"))
            self.server.client.budget.settle(self._held.pop(name, None), used, batched=True)


def pending(journal: Journal) -> list[Batch]:
    """List the batches that were announced and are not known to be finished."""
    entries: dict[str, dict[str, Any]] = {}
    for line in journal.lines:
        if "batch" in line:
            entries[line["batch"]] = {**entries.get(line["batch"], {}), **line}
    return [
        Batch(tag, tuple(entry["items"]), entry["requests"], entry.get("id", ""))
        for tag, entry in entries.items()
        if "items" in entry and not entry.get("done")
    ]


def _ids(journal: Journal) -> list[str]:
    return [line["id"] for line in journal.lines if "id" in line]
