"""One session with an API: a question is asked by all its prompts, and its replies are read."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from grice.core.item import Question
from grice.core.progress import say
from grice.core.scale import Scale
from grice.judges.api_requests import ApiRequests
from grice.judges.batch_asking import BatchAsking, Fetched, pending
from grice.judges.batches import AnthropicBatches, OpenaiBatches
from grice.judges.client import Client, Failure
from grice.judges.constraints import find_form
from grice.judges.direct import DIRECT
from grice.judges.echo import parse_echo, read_any
from grice.judges.outages import ItemResult
from grice.judges.prompts import Way
from grice.judges.readout import combine_samples, judgement
from grice.judges.reply import Reading, Reply, parse, parse_safely
from grice.judges.unit import Rule


@dataclass(frozen=True)
class ApiSession:
    """Open connections, and what is sent over them; `rule` turns probabilities into a number."""

    client: Client
    url: str
    requests: ApiRequests
    rule: Rule | None

    @property
    def scale(self) -> Scale:
        """The scale of the prompts."""
        return self.requests.scale

    def ask(self, fetched: Fetched) -> ItemResult:
        """Return one item's result by all its prompts, some of which may have replies already."""
        start = time.perf_counter()
        question, have = fetched
        replies: list[Reply] = []
        readings: list[Reading] = []
        failures: list[Failure] = []
        ways = self.requests.ways(question)
        for number, way in enumerate(ways):
            way_replies = self._samples(way, failures, have.get(number, ()))
            replies += way_replies
            readings.append(
                combine_samples(
                    [read_any(reply, way.readout, self.scale) for reply in way_replies], self.scale
                )
            )
        judged = judgement(
            question.id, replies, readings, self.scale, self.rule, [way.method for way in ways]
        )
        judged = replace(judged, seconds=round(time.perf_counter() - start, 4))
        failed = len(failures) == len(ways)
        return ItemResult(
            judged, readings, failed, failed and all(f.passing for f in failures), failures
        )

    def _samples(
        self, way: Way, failures: list[Failure], have: Sequence[Reply] = ()
    ) -> list[Reply]:
        """Return the replies to one prompt: as many as samples are requested.

        Some servers send one reply per request.
        """
        replies, cut_off = list(have), list[Reply]()
        wanted = 1 if way.readout == DIRECT else self.requests.settings.samples
        while len(replies) < wanted:
            body = self.requests.body(way)
            if self.requests.settings.samples > 1 and "n" in body:
                body["n"] = wanted - len(replies)
            reply = self._post(body, way)
            if isinstance(reply, Failure):
                if not replies:
                    failures.append(reply)
                return [
                    *replies,
                    replace(self.requests.prompted(way), failure=reply.fault, body=reply.body),
                ]
            parsed = self._parse(reply, way)
            if self.requests.gives_room and self.requests.refused.make_room(parsed, body):
                cut_off += parsed
                continue
            used = (sum(r.tokens[0] for r in cut_off), sum(r.tokens[1] for r in cut_off))
            first = parsed[0]
            tokens = (first.tokens[0] + used[0], first.tokens[1] + used[1])
            replies += [replace(first, tokens=tokens), *parsed[1:]]
            cut_off = []
        return replies

    def _parse(
        self, completion: Mapping[str, Any], way: Way, *, batched: bool = False
    ) -> list[Reply]:
        blank_reply = replace(self.requests.prompted(way), batched=batched)
        return (
            parse_echo(completion, blank_reply, way.prompt)
            if way.readout == DIRECT
            else parse_safely(completion, blank_reply)
        )

    def _post(self, body: dict[str, Any], way: Way) -> dict[str, Any] | Failure:
        """Return the response to a prompt.

        A parameter that the server rejects is left out or renamed, and noted.
        """
        while True:
            reply = self.client.post(self.requests.dialect_body(body, way), self.requests.size(way))
            if self.requests.refused.stands(reply, body):
                return reply
            body = self.requests.body(way)

    def _send(self, body: dict[str, Any], size: tuple[int, int]) -> dict[str, Any] | Failure:
        """Send a request that is about no item, adapted as by `_post`."""
        while True:
            reply = self.client.post(self.requests.dialect_body(body), size)
            if self.requests.refused.stands(reply, body):
                return reply
            body = self.requests.refused.adapted(body)

    def batches(self) -> BatchAsking | None:
        """Return the asking by batches, if requested or if earlier batches may still be running."""
        settings = self.requests.settings
        if not settings.batch and not pending(self.requests.journal):
            return None
        kind = AnthropicBatches if settings.endpoint == "messages" else OpenaiBatches

        def pilot(question: Question) -> dict[int, list[Reply]]:
            ways = enumerate(self.requests.ways(question))
            replies_by_way = {number: self._samples(way, []) for number, way in ways}
            self.requests.journal.add({"pilot": question.id, "refused": self.requests.refused.told})
            return {
                number: usable
                for number, replies in replies_by_way.items()
                if (usable := [r for r in replies if not r.failure])
            }

        return BatchAsking(
            kind(self.client, self.url, settings.poll),
            self.requests.journal,
            ways=lambda question: self.requests.ways(question),
            body=lambda way: self.requests.dialect_body(self.requests.body(way), way),
            tokens=self.requests.size,
            parse=lambda reply, way, batched: self._parse(reply, way, batched=batched),
            pilot=pilot,
            repeats=1 if self.client.dialect.several else settings.samples,
            size=settings.batch_size,
            send=settings.batch,
        )

    def constrain(self) -> None:
        """Find out before the first item by which form the server constrains answers to labels."""
        settings = self.requests.settings
        is_wanted = settings.constrain == "auto" and settings.readout == "text"
        if self.requests.form is not None or not is_wanted or self.scale.numeric:
            return
        base_request = {
            "model": self.requests.model,
            **self.requests.parameters,
            **self.requests.settings.body,
        }
        body = {
            **self.requests.refused.adapted(base_request),
            **({"messages": []} if self.requests.settings.endpoint != "completions" else {}),
        }
        form, tried, replies = find_form(lambda request: self._send(request, (32, 16)), body)
        why = "; ".join(f"{name}: {cause}" for name, cause in tried.items())
        if not form:
            say(
                f"{self.requests.name}: the server cannot be held to the labels, so they are asked"
                f" for in words alone ({why})"
            )
        stored_replies = [
            reply.to_json() for completion in replies for reply in parse(completion, Reply())
        ]
        self.requests.journal.add({"constraint": form, "tried": tried, "replies": stored_replies})
